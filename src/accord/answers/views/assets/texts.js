/* The viewer, part 7: texts side by side in passages, with marked differences. */

const PASSAGE = {least: 12, most: 28, atOnce: 30};

accordViewer.TextsView = class TextsView {
  static async mount(element, data) {
    await accordViewer.pause();
    const view = new TextsView(element, data);
    await view.fill();
    return view;
  }

  constructor(element, data) {
    this.root = element;
    this.data = data;
    this.cost = accordViewer.unpack(data.cost);
    this.differs = accordViewer.unpack(data.differs);
    this.kindsShown = (1 << data.kinds.length) - 1;
    this.sidesShown = data.annotators.map(() => true);
    this.now = -1;
    this.passages = this._passages();
    this._runs();
    this._build();
  }

  /* Returns the starts of passages: at line breaks of the first text if possible, and inside a difference only if it
   * is long. */
  _passages() {
    const begins = [0];
    const rows = this.differs.length;
    const gaps = this.data.sides.length ? this.data.sides[0].gaps : {};
    for (let k = 1; k < rows; k += 1) {
      const long = k - begins[begins.length - 1];
      const line = (gaps[k] || '').includes('\n');
      if (
        (line && long > 3) ||
        (long >= PASSAGE.least && !this.differs[k] && !this.differs[k - 1]) ||
        long >= PASSAGE.most
      )
        begins.push(k);
    }
    begins.push(rows);
    return begins;
  }

  /* Joins adjacent rows that differ into one difference. */
  _runs() {
    this.runs = [];
    for (let k = 0; k < this.differs.length; k += 1) {
      if (!(this.differs[k] & this.kindsShown)) continue;
      const last = this.runs[this.runs.length - 1];
      if (last && last[1] === k) last[1] = k + 1;
      else this.runs.push([k, k + 1]);
    }
  }

  /* -- elements -------------------------------------------------------------------------------------------- */

  _build() {
    const {el, button} = accordViewer;
    this.counter = el('span', {class: 'av-count'});
    this.live = el('p', {class: 'av-hidden', 'aria-live': 'polite', role: 'status'});
    this.detail = el('div', {class: 'av-detail'});
    this.query = el('input', {
      type: 'search',
      class: 'av-search',
      placeholder: 'search',
      'aria-label': 'search the texts',
      onkeydown: (event) => {
        if (event.key === 'Enter') this._find(event.shiftKey ? -1 : 1);
        event.stopPropagation();
      },
    });
    this.hits = el('span', {class: 'av-count', role: 'status'});
    this.only = el('input', {type: 'checkbox', onchange: () => this._show()});
    const tools = el(
      'div',
      {class: 'av-tools'},
      el(
        'span',
        {class: 'av-set', role: 'group', 'aria-label': 'differences'},
        button('‹', 'previous difference (p)', () => this.go(-1)),
        this.counter,
        button('›', 'next difference (n)', () => this.go(1)),
      ),
      el('span', {class: 'av-set'}, this.query, this.hits),
      el('label', {class: 'av-choice'}, this.only, 'only passages that differ'),
    );
    this.stage = el('div', {
      class: 'av-stage av-passages',
      tabindex: 0,
      role: 'group',
      'aria-label': `${this.data.name}: texts side by side`,
    });
    const keys = accordViewer.keys('[n] [→] next, [p] [←] previous difference · [/] search');
    this.root.addEventListener('keydown', (event) => this._key(event));
    this.stage.addEventListener('click', (event) => {
      const mark = event.target.closest('[data-row]');
      if (mark)
        this.select(this.runs.findIndex(([a, b]) => a <= Number(mark.dataset.row) && Number(mark.dataset.row) < b));
    });
    this.root.append(tools, this._filters(), this.stage, this.detail, keys, this.live);
  }

  _filters() {
    const {el} = accordViewer;
    const set = (legend, checks) => el('fieldset', {class: 'av-filter'}, el('legend', {}, legend), ...checks);
    const kinds = this.data.kinds.map((kind, k) =>
      this._check(kind, (on) => {
        this.kindsShown = on ? this.kindsShown | (1 << k) : this.kindsShown & ~(1 << k);
      }),
    );
    const sides = this.data.annotators.map((name, k) =>
      this._check(name, (on) => {
        this.sidesShown[k] = on;
      }),
    );
    return el(
      'details',
      {class: 'av-filters', open: this.data.kinds.length < 10},
      el('summary', {}, 'Filters'),
      set('difference', kinds),
      set('annotators', sides),
    );
  }

  _check(text, change) {
    const {el} = accordViewer;
    const box = el('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => {
        change(box.checked);
        this._runs();
        this.now = -1;
        this.fill();
      },
    });
    return el('label', {class: 'av-choice'}, box, accordViewer.shortened(text, 60));
  }

  /* Builds the passages, some at a time. The browser lays out only visible ones. */
  async fill() {
    this.turn = (this.turn || 0) + 1;
    const {turn} = this;
    this.stage.replaceChildren();
    this.stage.style.setProperty('--av-sides', Math.min(3, this.sidesShown.filter(Boolean).length) || 1);
    this._count();
    for (let k = 0; k + 1 < this.passages.length; k += PASSAGE.atOnce) {
      const made = [];
      for (let i = k; i < Math.min(k + PASSAGE.atOnce, this.passages.length - 1); i += 1) made.push(this._passage(i));
      this.stage.append(...made);
      await accordViewer.pause();
      if (turn !== this.turn) return;
    }
    this._show();
  }

  _passage(number) {
    const {el} = accordViewer;
    const from = this.passages[number];
    const to = this.passages[number + 1];
    const sides = this.data.annotators.map((who, side) =>
      this.sidesShown[side]
        ? el(
            'div',
            {class: 'av-side'},
            el('span', {class: 'av-who'}, accordViewer.shortened(who, 40)),
            el('p', {dir: 'auto'}, ...this._tokens(side, from, to)),
          )
        : null,
    );
    let apart = false;
    for (let k = from; k < to; k += 1) if (this.differs[k] & this.kindsShown) apart = true;
    return el('div', {class: apart ? 'av-passage av-apart' : 'av-passage'}, ...sides.filter(Boolean));
  }

  _tokens(side, from, to) {
    const {el} = accordViewer;
    const {tokens, gaps, pieces, rest} = this.data.sides[side];
    const made = [];
    let plain = '';
    for (let k = from; k < to; k += 1) {
      const marked = this.differs[k] & this.kindsShown;
      if (tokens[k] === null) {
        if (!marked) continue;
        made.push(plain, el('span', {class: 'av-absent', 'data-row': k}, '‸'));
        plain = '';
        continue;
      }
      const gap = gaps[k] === undefined ? (k ? ' ' : '') : gaps[k];
      plain += k === from ? gap.trimStart() : gap;
      if (!marked) {
        plain += tokens[k];
        continue;
      }
      const letters = (pieces[k] || [[tokens[k], 0]]).map(([part, gone]) => (gone ? el('b', {}, part) : part));
      made.push(plain, el('span', {class: `av-diff ${this._marks(k)}`, 'data-row': k}, ...letters));
      plain = '';
    }
    if (to === tokens.length) plain += rest;
    return [...made, plain];
  }

  _marks(k) {
    const bits = this.differs[k];
    return [
      bits & 1 ? 'av-changed' : '',
      bits & 2 ? 'av-cut' : '',
      bits & 4 ? 'av-added' : '',
      bits > 7 ? 'av-labelled' : '',
    ].join(' ');
  }

  _show() {
    this.stage.classList.toggle('av-only', this.only.checked);
  }

  /* -- selection --------------------------------------------------------------------------------------------- */

  _count() {
    const here = this.now >= 0 ? `${(this.now + 1).toLocaleString('en')} of ` : '';
    this.counter.textContent = `${here}${accordViewer.counted(this.runs.length, 'difference')}`;
  }

  go(direction) {
    if (!this.runs.length) return;
    this.select(
      this.now < 0 && direction < 0
        ? this.runs.length - 1
        : (this.now + direction + this.runs.length) % this.runs.length,
    );
  }

  select(run) {
    if (run < 0) return;
    this.now = run;
    const [from, to] = this.runs[run];
    this.stage.querySelectorAll('.av-chosen').forEach((mark) => mark.classList.remove('av-chosen'));
    for (let k = from; k < to; k += 1)
      this.stage.querySelectorAll(`[data-row="${k}"]`).forEach((mark) => mark.classList.add('av-chosen'));
    this._bring(this.stage.querySelector('.av-chosen'));
    this._count();
    this.detail.replaceChildren(this._described(from, to));
    this.live.textContent = this._sentence(from, to);
  }

  /* Scrolls only the texts, so that the tools stay in place. */
  _bring(mark) {
    if (!mark) return;
    const around = this.stage.getBoundingClientRect();
    const box = mark.getBoundingClientRect();
    if (box.top < around.top + 8 || box.bottom > around.bottom - 8)
      this.stage.scrollTop += box.top - around.top - around.height / 3;
  }

  _kinds(from, to) {
    let bits = 0;
    for (let k = from; k < to; k += 1) bits |= this.differs[k];
    return this.data.kinds.filter((_, k) => bits & (1 << k)).join(', ');
  }

  _version(side, from, to) {
    const {tokens, labels} = this.data.sides[side];
    const words = [];
    const said = [];
    for (let k = from; k < to; k += 1) {
      if (tokens[k] !== null) words.push(tokens[k]);
      if (labels[k]) said.push(labels[k]);
    }
    return {
      words: words.join(' '),
      labels: this.data.features.map((_, f) => said.map((one) => one[f] || '–').join(' ')),
    };
  }

  _described(from, to) {
    const {el, shortened, number} = accordViewer;
    let cost = 0;
    for (let k = from; k < to; k += 1) cost += this.cost[k];
    const rows = this.data.annotators.map((who, side) => {
      if (!this.sidesShown[side]) return null;
      const {words, labels} = this._version(side, from, to);
      return el(
        'tr',
        {class: words ? '' : 'av-none'},
        el('th', {scope: 'row'}, shortened(who, 60)),
        el('td', {dir: 'auto'}, words ? shortened(words, 400) : el('em', {}, 'missing')),
        ...labels.map((label) => el('td', {}, shortened(label, 200))),
      );
    });
    const heads = ['', 'text', ...this.data.features].map((name) =>
      name ? el('th', {scope: 'col'}, name) : el('td', {}),
    );
    return el(
      'div',
      {class: 'av-described'},
      el('p', {class: 'av-what'}, el('strong', {}, this._kinds(from, to)), ` · cost ${number(cost)}`),
      el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows.filter(Boolean))),
    );
  }

  _sentence(from, to) {
    const said = this.data.annotators.map((who, side) => {
      const {words, labels} = this._version(side, from, to);
      return `${who}: ${words || 'missing'} ${labels.filter((label) => label && label !== '–').join(', ')}`.trim();
    });
    return accordViewer.shortened(`${this.counter.textContent}: ${this._kinds(from, to)}; ${said.join('; ')}`, 600);
  }

  /* -- searching and keys ------------------------------------------------------------------------------------ */

  /* Moves to the next passage with a match. */
  _find(direction) {
    const typed = this.query.value.trim();
    if (!typed) return;
    const pattern = accordViewer.pattern(typed);
    const found = [...this.stage.querySelectorAll('.av-side p')].filter((one) => one.textContent.search(pattern) >= 0);
    this.found = found.length
      ? ((this.found === undefined ? (direction > 0 ? -1 : 0) : this.found) + direction + found.length) % found.length
      : undefined;
    this.stage.querySelectorAll('.av-hit').forEach((one) => one.classList.remove('av-hit'));
    this.hits.textContent = found.length ? `${this.found + 1} of ${found.length} found` : '0 found';
    if (!found.length) return;
    found[this.found].classList.add('av-hit');
    this._bring(found[this.found]);
  }

  _key(event) {
    if (accordViewer.elsewhere(event)) return;
    const keys = {n: () => this.go(1), p: () => this.go(-1), '/': () => this.query.focus()};
    if (event.target === this.stage) Object.assign(keys, {ArrowRight: keys.n, ArrowLeft: keys.p});
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
};
