/* The viewer, part 5: lanes with tools: filters, search, zoom, navigation between disagreements. */

const LISTED = 50; // lines added to the list at a time
const CATEGORIES_LISTED = 60;
const KEYS = '[n] [→] next, [p] [←] previous disagreement · [/] search · [+] [−] [0] zoom, fit · [Esc] clear selection';

accordViewer.SpansView = class SpansView {
  static async mount(element, data) {
    const model = await accordViewer.Spans.load(data);
    await accordViewer.pause();
    const view = new SpansView(element, model);
    await view.ready;
    return view;
  }

  constructor(element, model) {
    this.model = model;
    this.root = element;
    this.matches = [];
    this.at = -1; // the current match
    const acts = {
      select: (group, unit) => this.select(group, unit),
      hover: (unit, group, x, y) => this.tip.show(this._described(group, unit, true), x, y),
      leave: () => this.tip.hide(),
      moved: () => this.overview(),
    };
    this.timeline = new accordViewer.Timeline(model, acts);
    this.lines = model.text === null ? null : new accordViewer.TextView(model, acts);
    this.overview = accordViewer.drawer(() => this._overview());
    this._build();
    this.tip = new accordViewer.Tip(element);
    // After scrolling, the pointer is over another element.
    element.addEventListener('scroll', () => this.tip.hide(), true);
    this.ready = this.show(this.lines || this.timeline);
    accordViewer.onTheme(() => this.refresh());
    let width = element.clientWidth;
    new ResizeObserver(() => {
      if (element.clientWidth === width || !element.clientWidth) return;
      width = element.clientWidth;
      this.refresh();
    }).observe(element);
  }

  /* -- elements -------------------------------------------------------------------------------------------- */

  _build() {
    const {el} = accordViewer;
    this.live = el('p', {class: 'av-hidden', 'aria-live': 'polite', role: 'status'});
    this.detail = el('div', {class: 'av-detail'});
    this.order = el('p', {class: 'av-lanes'}, `lanes from top to bottom: ${this.model.annotators.join(', ')}`);
    this.strip = el('canvas', {class: 'av-overview', height: 22, 'aria-hidden': 'true'});
    this._dragging(this.strip);
    const keys = accordViewer.newId();
    this.stage = el('div', {class: 'av-stage'});
    for (const part of [this.timeline, this.lines]) if (part) this._focusable(part.element, keys);
    this.root.addEventListener('keydown', (event) => this._key(event));
    this.root.append(
      this._tools(),
      this._filters(),
      this.strip,
      this.order,
      this.stage,
      this.detail,
      this._list(),
      accordViewer.keys(KEYS, {id: keys}),
      this.live,
    );
  }

  /* The scrolling element receives the keyboard focus. */
  _focusable(element, keys) {
    const name = `${this.model.data.name}: lanes of annotators`;
    for (const [key, value] of Object.entries({
      tabindex: 0,
      role: 'group',
      'aria-label': name,
      'aria-describedby': keys,
    })) {
      element.setAttribute(key, value);
    }
  }

  _tools() {
    const {el, button} = accordViewer;
    this.counter = el('span', {class: 'av-count'});
    const way = el(
      'span',
      {class: 'av-set', role: 'group', 'aria-label': 'disagreements'},
      button('‹', 'previous disagreement (p)', () => this.go(-1)),
      this.counter,
      button('›', 'next disagreement (n)', () => this.go(1)),
    );
    this.zooming = el(
      'span',
      {class: 'av-set', role: 'group', 'aria-label': 'zoom'},
      button('−', 'zoom out', () => this.timeline.zoom(1 / 1.6)),
      button('+', 'zoom in', () => this.timeline.zoom(1.6)),
      button('fit', 'fit the whole document', () => this.timeline.fit()),
    );
    this.query = el('input', {
      type: 'search',
      class: 'av-search',
      placeholder: 'search',
      'aria-label': 'search text and labels',
      oninput: () => this._search(),
      onkeydown: (event) => this._searchKey(event),
    });
    this.hits = el('span', {class: 'av-count', role: 'status'});
    const searching = el('span', {class: 'av-set'}, this.query, this.hits);
    return el('div', {class: 'av-tools'}, this._modes(), way, searching, this.zooming);
  }

  _modes() {
    if (!this.lines) return null;
    const {el} = accordViewer;
    const name = accordViewer.newId();
    const one = (text, part) =>
      el(
        'label',
        {class: 'av-choice'},
        el('input', {type: 'radio', name, checked: part === this.lines, onchange: () => this.show(part)}),
        text,
      );
    return el(
      'span',
      {class: 'av-set', role: 'group', 'aria-label': 'show as'},
      one('text', this.lines),
      one('timeline', this.timeline),
    );
  }

  _filters() {
    const {el} = accordViewer;
    const {model} = this;
    const kinds = Object.entries(model.words.kinds).map(([kind, name]) =>
      this._check(
        name,
        (on) => {
          model.kindsShown = on ? model.kindsShown | KIND_BITS[kind] : model.kindsShown & ~KIND_BITS[kind];
        },
        `av-kind-${kind}`,
      ),
    );
    const lanes = model.annotators.map((name, k) =>
      this._check(name, (on) => {
        model.lanesShown[k] = on ? 1 : 0;
      }),
    );
    const set = (legend, checks, further) =>
      el('fieldset', {class: 'av-filter'}, el('legend', {}, legend), ...checks, further);
    const made = [set('difference', kinds), set('annotators', lanes)];
    if (model.categories.length) made.push(this._categories(set));
    const open = window.matchMedia('(min-width: 700px)').matches && model.categories.length <= 20 && lanes.length <= 12;
    return el(
      'details',
      {class: 'av-filters', open},
      el('summary', {}, 'Filters'),
      ...made,
      model.words.note ? el('p', {class: 'av-note'}, model.words.note) : null,
    );
  }

  _categories(set) {
    const {el, button} = accordViewer;
    const {model} = this;
    const noun = model.words.category;
    const uses = new Int32Array(model.categories.length + 1);
    for (let u = 0; u < model.size; u += 1) uses[model.label[u]] += 1;
    const order = model.categories.map((_, k) => k + 1).sort((a, b) => (model.data.chains ? uses[b] - uses[a] : 0));
    this.swatches = [];
    const checks = order.slice(0, CATEGORIES_LISTED).map((label) => {
      const swatch = el('i', {class: 'av-swatch'});
      this.swatches.push([swatch, label]);
      if (model.data.chains) {
        const name = `${model.categories[label - 1]} (${uses[label]})`;
        return el(
          'button',
          {
            type: 'button',
            class: 'av-chip',
            'aria-pressed': 'false',
            'data-label': label,
            onclick: () => this.highlight(label),
          },
          swatch,
          accordViewer.shortened(name, 60),
        );
      }
      return this._check(
        model.categories[label - 1],
        (on) => {
          model.categoriesShown[label] = on ? 1 : 0;
        },
        '',
        swatch,
      );
    });
    if (uses[0] && !model.data.chains)
      checks.push(
        this._check(`no ${noun}`, (on) => {
          model.categoriesShown[0] = on ? 1 : 0;
        }),
      );
    const left = order.length - CATEGORIES_LISTED;
    const rest = left > 0 ? el('span', {class: 'av-count'}, `and ${left.toLocaleString('en')} more`) : null;
    const every = (on) => {
      model.categoriesShown.fill(on ? 1 : 0);
      for (const box of this.root.querySelectorAll('.av-categories input')) box.checked = on;
      this.refilter();
    };
    const all = model.data.chains
      ? null
      : el(
          'span',
          {class: 'av-set'},
          button('all', `all ${noun} names`, () => every(true)),
          button('none', `none: no ${noun} names`, () => every(false)),
        );
    const made = set(model.data.chains ? `${noun}s: select one to highlight it` : noun, checks, rest || '');
    if (all) made.append(all);
    made.classList.add('av-categories');
    return made;
  }

  _check(text, change, kind = '', before = null) {
    const {el} = accordViewer;
    const box = el('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => {
        change(box.checked);
        this.refilter();
      },
    });
    return el('label', {class: `av-choice ${kind}`}, box, before, accordViewer.shortened(text, 60));
  }

  _list() {
    const {el} = accordViewer;
    this.listed = el('ol', {class: 'av-listed'});
    this.moreListed = accordViewer.button('more', null, () => this._lengthen());
    this.list = el(
      'details',
      {class: 'av-list', ontoggle: () => this._fillList()},
      el('summary', {}, 'List of disagreements, largest first'),
      this.listed,
      this.moreListed,
    );
    return this.list;
  }

  /* -- display ----------------------------------------------------------------------------------------------- */

  async show(part) {
    this.part = part;
    this.zooming.hidden = part !== this.timeline;
    this.order.hidden = part !== this.lines; // the timeline shows their names
    this.stage.replaceChildren(part.element);
    await this.refresh();
    if (this.model.selected >= 0) this._reveal(this.model.selected);
  }

  /* Updates sizes, colours and the drawing. */
  async refresh() {
    if (!this.root.clientWidth) return;
    this.palette = accordViewer.palette(this.root);
    for (const [swatch, label] of this.swatches || [])
      swatch.style.background = this.palette.category(this.model.data.colours[label - 1]);
    this._count();
    await this.part.layout(this.palette);
    this.overview();
  }

  refilter() {
    this.model.filter();
    if (this.model.selected >= 0 && !this.model.groupShown[this.model.selected]) this.select(-1);
    this.refresh();
    this._fillList();
    this._say(`${this.counter.textContent}`);
  }

  _count() {
    const {model} = this;
    const all = model.disagreements;
    const place = accordViewer.bisect(0, all.length, (k) => all[k] >= model.selected);
    const here = model.selected >= 0 && all[place] === model.selected ? `${(place + 1).toLocaleString('en')} of ` : '';
    this.counter.textContent = `${here}${accordViewer.counted(all.length, 'disagreement')}`;
  }

  highlight(label) {
    const {model} = this;
    model.highlight = model.highlight === label ? 0 : label;
    for (const chip of this.root.querySelectorAll('.av-chip')) {
      chip.setAttribute('aria-pressed', String(Number(chip.dataset.label) === model.highlight));
    }
    if (model.highlight) this._say(`${model.words.category} ${model.categories[label - 1]} highlighted`);
    this.part.redraw();
  }

  /* -- selection --------------------------------------------------------------------------------------------- */

  go(direction) {
    const group = this.model.step(direction, this.part.window[0]);
    if (group < 0) this._say('no disagreement is shown');
    else this.select(group);
  }

  select(group, unit = -1) {
    const {model} = this;
    model.selected = group;
    if (model.data.chains && unit >= 0 && model.label[unit] !== model.highlight) this.highlight(model.label[unit]);
    this._count();
    this.detail.replaceChildren(...(group < 0 ? [] : [this._described(group)]));
    if (group < 0) this.part.redraw();
    else this._reveal(group);
    this._say(group < 0 ? 'selection cleared' : this._sentence(group));
  }

  _reveal(group) {
    this.part.reveal(this.model.groupStart[group], this.model.groupEnd[group]);
    this.overview();
  }

  _say(text) {
    this.live.textContent = text;
  }

  _version(unit) {
    if (unit === null) return 'missing';
    const {model} = this;
    return `${model.labelName(unit)} ${model.where(model.start[unit], model.end[unit])}`.trim();
  }

  _sentence(group) {
    const {model} = this;
    const who = model
      .versions(group)
      .map((unit, lane) => (model.lanesShown[lane] ? `${model.annotators[lane]} ${this._version(unit)}` : null));
    const quote = accordViewer.shortened(model.quote(model.groupStart[group], model.groupEnd[group]), 80);
    return [
      `${this.counter.textContent}: ${model.kindNames(group).join(', ')}`,
      quote,
      ...who.filter(Boolean),
      `${model.words.cost} ${accordViewer.number(model.cost[group])}`,
    ]
      .filter(Boolean)
      .join('; ');
  }

  /* Describes a group as a small table: the unit of each annotator, and the cost. */
  _described(group, unit = -1, brief = false) {
    const {el, number, shortened} = accordViewer;
    const {model} = this;
    const versions = model.versions(group);
    const rows = versions.map((mine, lane) => {
      if (!model.lanesShown[lane]) return null;
      const label = mine === null ? el('em', {}, 'missing') : shortened(model.labelName(mine) || '–', brief ? 80 : 400);
      return el(
        'tr',
        {class: mine !== null && mine === unit ? 'av-now' : mine === null ? 'av-none' : ''},
        el('th', {scope: 'row'}, shortened(model.annotators[lane], 60)),
        el('td', {}, mine === null ? '' : this._dot(mine), label),
        el('td', {class: 'av-number'}, mine === null ? '' : model.where(model.start[mine], model.end[mine])),
      );
    });
    const quote = shortened(model.quote(model.groupStart[group], model.groupEnd[group]), brief ? 120 : 600);
    const causes = model.causes
      .filter(([, values]) => values[group] > 0)
      .map(([name, values]) => `${name} ${number(values[group])}`);
    const cost = `${model.words.cost} ${number(model.cost[group])}${causes.length ? ` = ${causes.join(' + ')}` : ''}`;
    return el(
      'div',
      {class: 'av-described'},
      el('p', {class: 'av-what'}, el('strong', {}, model.kindNames(group).join(', ')), ` · ${cost}`),
      quote ? el('blockquote', {dir: 'auto'}, quote) : null,
      el('table', {}, el('tbody', {}, ...rows.filter(Boolean))),
    );
  }

  _dot(unit) {
    const dot = accordViewer.el('i', {class: 'av-swatch'});
    dot.style.background = this.model.colour(unit, this.palette);
    return dot;
  }

  /* -- the list ---------------------------------------------------------------------------------------------- */

  _fillList() {
    if (!this.list.open) return;
    const {model} = this;
    this.worst = Array.from(model.disagreements).sort((a, b) => model.cost[b] - model.cost[a] || a - b);
    this.listed.replaceChildren();
    this._lengthen();
  }

  _lengthen() {
    const {el, number, shortened} = accordViewer;
    const {model} = this;
    const from = this.listed.childElementCount;
    for (const group of this.worst.slice(from, from + LISTED)) {
      const quote = shortened(model.quote(model.groupStart[group], model.groupEnd[group]), 60);
      const text = `${model.where(model.groupStart[group], model.groupEnd[group])}: ${model.kindNames(group).join(', ')}, ${model.words.cost} ${number(model.cost[group])}`;
      const go = () => {
        this.select(group);
        this.part.element.focus({preventScroll: true});
        this.stage.scrollIntoView({block: 'nearest'});
      };
      this.listed.append(
        el(
          'li',
          {},
          el('button', {type: 'button', class: 'av-plain', onclick: go}, text),
          quote ? el('q', {dir: 'auto'}, quote) : null,
        ),
      );
    }
    const left = this.worst.length - this.listed.childElementCount;
    this.moreListed.hidden = left <= 0;
    this.moreListed.textContent = `${Math.min(LISTED, left)} more of ${left.toLocaleString('en')}`;
  }

  /* -- searching --------------------------------------------------------------------------------------------- */

  _search() {
    this.matches = this.model.search(this.query.value.trim());
    this.at = -1;
    for (const part of [this.timeline, this.lines]) if (part) Object.assign(part, {matches: this.matches, match: null});
    this.hits.textContent = this.query.value.trim() ? `${this._found()} found` : '';
    this.part.redraw();
    if (this.matches.length) this._toMatch(0);
  }

  _found() {
    const n = this.matches.length;
    return n < MATCHES ? n.toLocaleString('en') : `more than ${MATCHES.toLocaleString('en')}`;
  }

  _searchKey(event) {
    if (event.key === 'Enter' && this.matches.length) {
      event.preventDefault();
      this._toMatch((this.at + (event.shiftKey ? -1 : 1) + this.matches.length) % this.matches.length);
    } else if (event.key === 'Escape') {
      this.query.value = '';
      this._search();
    }
    event.stopPropagation();
  }

  _toMatch(k) {
    this.at = k;
    const match = this.matches[k];
    this.part.match = match;
    this.hits.textContent = `${(k + 1).toLocaleString('en')} of ${this._found()} found`;
    this.part.reveal(match.start, match.end);
    this.part.redraw();
    this.overview();
  }

  /* -- keys -------------------------------------------------------------------------------------------------- */

  _key(event) {
    if (accordViewer.elsewhere(event)) return;
    const keys = {
      n: () => this.go(1),
      p: () => this.go(-1),
      '/': () => this.query.focus(),
      Escape: () => {
        if (this.model.highlight) this.highlight(this.model.highlight);
        this.select(-1);
      },
    };
    if (this.part === this.timeline) {
      const zoom = (factor) => () => this.timeline.zoom(factor);
      Object.assign(keys, {'+': zoom(1.6), '=': zoom(1.6), '-': zoom(1 / 1.6), 0: () => this.timeline.fit()});
    }
    if (event.target === this.part.element) {
      Object.assign(keys, {
        ArrowRight: keys.n,
        ArrowLeft: keys.p,
        Home: () => this._end(1),
        End: () => this._end(-1),
      });
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  _end(direction) {
    const all = this.model.disagreements;
    if (all.length) this.select(direction > 0 ? all[0] : all[all.length - 1]);
  }

  /* -- overview of disagreements in the document ------------------------------------------------------------- */

  _overview() {
    const {model, strip, palette} = this;
    const wide = Math.max(1, this.root.clientWidth);
    if (strip.width !== wide) strip.width = wide;
    const context = strip.getContext('2d');
    const [from, to] = model.data.extent;
    const x = (place) => ((place - from) / Math.max(1e-9, to - from)) * wide;
    context.clearRect(0, 0, wide, 22);
    context.fillStyle = palette.line;
    context.globalAlpha = 0.35;
    context.fillRect(0, 0, wide, 22);
    const sums = this._sums(wide, x);
    context.fillStyle = palette.bad;
    const most = sums.reduce((a, b) => Math.max(a, b), 0) || 1;
    for (let k = 0; k < wide; k += 1) {
      if (!sums[k]) continue;
      context.globalAlpha = 0.35 + 0.65 * (sums[k] / most);
      context.fillRect(k, 2, 2, 18);
    }
    context.globalAlpha = 1;
    const [first, last] = this.part.window;
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.strokeRect(Math.max(1, x(first)), 1, Math.max(6, Math.min(wide - 2, x(last)) - Math.max(1, x(first))), 20);
  }

  _sums(wide, x) {
    if (this.summed && this.summed.of === this.model.disagreements && this.summed.wide === wide)
      return this.summed.sums;
    const {model} = this;
    const sums = new Float32Array(wide + 1);
    for (const g of model.disagreements)
      sums[Math.max(0, Math.min(wide, Math.floor(x(model.groupStart[g]))))] += model.cost[g];
    this.summed = {of: model.disagreements, wide, sums};
    return sums;
  }

  _dragging(strip) {
    const move = (event) => {
      const [from, to] = this.model.data.extent;
      this.part.scrollTo(from + ((to - from) * event.offsetX) / Math.max(1, strip.clientWidth));
    };
    strip.addEventListener('pointerdown', (event) => {
      strip.setPointerCapture(event.pointerId);
      move(event);
    });
    strip.addEventListener('pointermove', (event) => {
      if (event.buttons) move(event);
    });
  }
};
