/* The viewer, part 6: labels of items. Each cell of the confusion matrix links to its items. */

const ITEMS_LISTED = 50;

accordViewer.ItemsView = class ItemsView {
  static async mount(element, data) {
    await accordViewer.pause();
    return new ItemsView(element, data);
  }

  constructor(element, data) {
    const {unpack} = accordViewer;
    this.root = element;
    this.data = data;
    this.cost = unpack(data.cost);
    this.size = unpack(data.size);
    this.annotator = unpack(data.annotator);
    this.label = unpack(data.label);
    this.many = data.many ? unpack(data.many) : new Uint8Array(this.label.length).fill(1);
    this.times = data.times ? unpack(data.times) : null;
    this.first = new Int32Array(this.size.length + 1);
    this.size.forEach((size, k) => {
      this.first[k + 1] = this.first[k] + size;
    });
    this.pair = null; // null: all annotators
    this.cell = null; // [row, column]
    this.now = -1;
    this._build();
    this._matrix();
    this._filter();
    accordViewer.onTheme(() => this._paint());
    this._paint();
  }

  /* -- elements -------------------------------------------------------------------------------------------- */

  _build() {
    const {el} = accordViewer;
    const again = () => this._filter();
    this.query = el('input', {
      type: 'search',
      class: 'av-search',
      placeholder: 'search',
      'aria-label': 'search items, texts and labels',
      oninput: again,
    });
    this.order = el(
      'select',
      {class: 'av-select', 'aria-label': 'order', onchange: again},
      el('option', {value: 'cost'}, 'most disagreement first'),
      el('option', {value: 'name'}, 'by name'),
    );
    this.only = el('input', {type: 'checkbox', checked: true, onchange: again});
    this.count = el('span', {class: 'av-count', role: 'status'});
    this.what = el('p', {class: 'av-what'});
    this.grid = el('div', {class: 'av-wide', role: 'group', tabindex: 0, 'aria-label': 'confused labels'});
    this.table = el('div', {class: 'av-wide', role: 'group', tabindex: 0, 'aria-label': 'items'});
    this.more = accordViewer.button('more', null, () => this._lengthen());
    this.back = accordViewer.button('all items', 'show all items', () => this.choose(null));
    this.live = el('p', {class: 'av-hidden', 'aria-live': 'polite', role: 'status'});
    this.root.addEventListener('keydown', (event) => this._key(event));
    const tools = el(
      'div',
      {class: 'av-tools'},
      this._pairs(),
      el('span', {class: 'av-set'}, this.query, this.order),
      el('label', {class: 'av-choice'}, this.only, 'only where annotators differ'),
      this.count,
    );
    const keys = accordViewer.keys(
      'Select a cell to see its items. [n] [p] next and previous item · [/] search',
    );
    this.root.append(
      tools,
      this.grid,
      el('div', {class: 'av-tools'}, this.what, this.back),
      this.table,
      this.more,
      keys,
      this.live,
    );
  }

  _pairs() {
    const {el} = accordViewer;
    const {pairs, annotators} = this.data;
    if (pairs.length < 1) return null;
    const name = (pair) => `${annotators[pair.first]} × ${annotators[pair.second]}`;
    const chosen = el(
      'select',
      {
        class: 'av-select',
        'aria-label': 'annotators',
        onchange: () => {
          this.pair = chosen.value === '' ? null : pairs[Number(chosen.value)];
          this.cell = null;
          this._matrix();
          this._paint();
          this._filter();
        },
      },
      el('option', {value: ''}, 'all pairs of annotators'),
      ...pairs.map((pair, k) => el('option', {value: k}, accordViewer.shortened(name(pair), 80))),
    );
    return el('label', {class: 'av-set'}, 'annotators ', chosen);
  }

  /* -- the matrix ------------------------------------------------------------------------------------------- */

  _matrix() {
    const {el, unpack, shortened} = accordViewer;
    const {data, pair} = this;
    const q = data.in_matrix;
    const counts = unpack(pair ? pair.matrix : data.matrix);
    const names = data.categories.slice(0, q).map((name) => shortened(name, 40));
    const rows = pair ? data.annotators[pair.first] : '';
    const columns = pair ? data.annotators[pair.second] : '';
    const off = counts.reduce((most, n, k) => (Math.floor(k / q) === k % q ? most : Math.max(most, n)), 0);
    const on = counts.reduce((most, n, k) => (Math.floor(k / q) === k % q ? Math.max(most, n) : most), 0);
    const cell = (n, r, c) => {
      const title = `${data.categories[r]} and ${data.categories[c]}: ${accordViewer.counted(n, 'pair')} of labels`;
      const button = el(
        'button',
        {
          type: 'button',
          class: 'av-cell',
          'data-cell': `${r},${c}`,
          'aria-pressed': 'false',
          title: shortened(title, 200),
          'aria-label': shortened(title, 200),
          disabled: n === 0,
          onclick: () => this.choose([r, c]),
        },
        n.toLocaleString('en'),
      );
      button.dataset.share = String(n / Math.max(1, r === c ? on : off));
      return el('td', {class: r === c ? 'av-same' : ''}, button);
    };
    const head = el('tr', {}, el('td', {}), ...names.map((name) => el('th', {scope: 'col', title: name}, name)));
    const body = names.map((name, r) =>
      el('tr', {}, el('th', {scope: 'row', title: name}, name), ...names.map((_, c) => cell(counts[r * q + c], r, c))),
    );
    const caption = pair
      ? `rows: ${shortened(rows, 60)}, columns: ${shortened(columns, 60)}; items`
      : 'pairs of labels of the same item, each counted once';
    const left =
      data.categories_left > 0 ? `; ${data.categories_left.toLocaleString('en')} less frequent categories are not shown` : '';
    this.grid.replaceChildren(
      el(
        'table',
        {class: q > 12 ? 'av-matrix av-many' : 'av-matrix'},
        el('caption', {}, caption + left),
        el('thead', {}, head),
        el('tbody', {}, ...body),
      ),
    );
  }

  _paint() {
    const palette = accordViewer.palette(this.root);
    for (const button of this.root.querySelectorAll('.av-cell')) {
      const same = button.parentElement.classList.contains('av-same');
      const share = Number(button.dataset.share);
      const colour = share
        ? `color-mix(in srgb, ${same ? palette.good : palette.bad} ${Math.round(8 + 37 * share)}%, ${palette.bg})`
        : palette.bg;
      button.style.background = colour;
    }
    this.palette = palette;
  }

  /* Shows the items of a cell; null shows all items. */
  choose(cell) {
    const same = cell && this.cell && cell[0] === this.cell[0] && cell[1] === this.cell[1];
    this.cell = same ? null : cell;
    for (const button of this.root.querySelectorAll('.av-cell')) {
      button.setAttribute('aria-pressed', String(this.cell !== null && button.dataset.cell === this.cell.join(',')));
    }
    this._filter();
    if (this.cell) this.table.scrollIntoView({block: 'nearest', behavior: accordViewer.calm() ? 'auto' : 'smooth'});
  }

  /* -- the items -------------------------------------------------------------------------------------------- */

  _filter() {
    const {data} = this;
    const typed = this.query.value.trim();
    const pattern = typed ? accordViewer.pattern(typed) : null;
    const disputed = this.only.checked && !(this.cell && this.cell[0] === this.cell[1]);
    this.only.disabled = Boolean(this.cell && this.cell[0] === this.cell[1]);
    this.shown = [];
    for (let k = 0; k < data.items.length; k += 1) {
      if (disputed && !(this.cost[k] > 0)) continue;
      if (this.cell && !this._behind(k)) continue;
      if (pattern && !this._says(k, pattern)) continue;
      this.shown.push(k);
    }
    const names = new Intl.Collator(undefined, {numeric: true});
    if (this.order.value === 'name') this.shown.sort((a, b) => names.compare(data.items[a], data.items[b]));
    this._tell();
    this._head();
    this.now = -1;
    this._lengthen();
  }

  /* Whether an item has both labels of the cell, from the selected annotators or from any two. */
  _behind(k) {
    const [row, column] = this.cell;
    let rows = 0;
    let columns = 0;
    for (let e = this.first[k]; e < this.first[k + 1]; e += 1) {
      if ((!this.pair || this.annotator[e] === this.pair.first) && this.label[e] === row) rows += this.many[e];
      if ((!this.pair || this.annotator[e] === this.pair.second) && this.label[e] === column) columns += this.many[e];
    }
    return !this.pair && row === column ? rows > 1 : rows > 0 && columns > 0;
  }

  _says(k, pattern) {
    const {data} = this;
    if (data.items[k].search(pattern) >= 0) return true;
    if (Object.values(data.columns).some((values) => values[k].search(pattern) >= 0)) return true;
    for (let e = this.first[k]; e < this.first[k + 1]; e += 1)
      if (data.categories[this.label[e]].search(pattern) >= 0) return true;
    return false;
  }

  _tell() {
    const {data} = this;
    const {counted, shortened} = accordViewer;
    const left = data.items_all - data.items.length;
    this.count.textContent = `${counted(this.shown.length, 'item')}${left > 0 ? `; this page has ${data.items.length.toLocaleString('en')} of ${data.items_all.toLocaleString('en')}` : ''}`;
    const [row, column] = this.cell || [0, 0];
    const name = (c) => shortened(data.categories[c], 80);
    this.what.textContent = this.cell ? `Items with ${name(row)} and ${name(column)}` : 'Items';
    this.back.hidden = !this.cell;
    this.live.textContent = `${this.what.textContent}: ${this.count.textContent}`;
  }

  _head() {
    const {el, shortened} = accordViewer;
    const {data} = this;
    this.apart = data.identified && data.annotators.length <= 8;
    const further = Object.keys(data.columns);
    const names = ['item', ...further, ...(this.apart ? data.annotators : ['labels']), 'differ'];
    this.body = el('tbody', {});
    const head = el('tr', {}, ...names.map((name) => el('th', {scope: 'col'}, shortened(name, 60))));
    if (!this.shown.length && this.cell) this.what.textContent += ': none of them is in this page';
    this.table.replaceChildren(el('table', {}, el('thead', {}, head), this.body));
  }

  _lengthen() {
    const from = this.body.childElementCount;
    this.body.append(...this.shown.slice(from, from + ITEMS_LISTED).map((k) => this._row(k)));
    const left = this.shown.length - this.body.childElementCount;
    this.more.hidden = left <= 0;
    this.more.textContent = `${Math.min(ITEMS_LISTED, left)} more of ${left.toLocaleString('en')}`;
  }

  _row(k) {
    const {el} = accordViewer;
    const {data} = this;
    const name =
      this.times && this.times[k] > 1
        ? `${data.items[k]} (${this.times[k].toLocaleString('en')} times)`
        : data.items[k];
    const further = Object.values(data.columns).map((values) => el('td', {dir: 'auto', class: 'av-quote'}, values[k]));
    const labels = this.apart ? this._each(k) : [el('td', {}, ...this._counts(k))];
    return el(
      'tr',
      {tabindex: -1},
      el('th', {scope: 'row'}, accordViewer.shortened(name, 400)),
      ...further,
      ...labels,
      el('td', {class: 'av-number'}, `${Math.round(this.cost[k] * 100)}%`),
    );
  }

  _each(k) {
    const {el} = accordViewer;
    const cells = this.data.annotators.map(() => null);
    for (let e = this.first[k]; e < this.first[k + 1]; e += 1) cells[this.annotator[e]] = this._labelled(this.label[e]);
    return cells.map((cell) => el('td', {}, ...(cell || ['–'])));
  }

  _counts(k) {
    const counts = new Map();
    for (let e = this.first[k]; e < this.first[k + 1]; e += 1)
      counts.set(this.label[e], (counts.get(this.label[e]) || 0) + this.many[e]);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    return sorted.flatMap(([label, n], at) => [
      at ? ', ' : '',
      ...this._labelled(label),
      n > 1 ? ` ×${n.toLocaleString('en')}` : '',
    ]);
  }

  _labelled(label) {
    const swatch = accordViewer.el('i', {class: 'av-swatch'});
    swatch.style.background = `var(--cat-${this.data.colours[label]}, var(--av-cat-${this.data.colours[label] % CATEGORY_COLOURS}))`;
    return [swatch, accordViewer.shortened(this.data.categories[label], 400)];
  }

  /* -- keys -------------------------------------------------------------------------------------------------- */

  _key(event) {
    if (accordViewer.elsewhere(event)) return;
    const steps = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]};
    if (event.target.dataset.cell && steps[event.key]) this._walk(event.target, steps[event.key]);
    else if (event.key === 'n') this._item(1);
    else if (event.key === 'p') this._item(-1);
    else if (event.key === '/') this.query.focus();
    else if (event.key === 'Escape') this.choose(null);
    else return;
    event.preventDefault();
  }

  /* Moves the focus to the next cell of the matrix that is not empty. */
  _walk(from, [down, right]) {
    let [row, column] = from.dataset.cell.split(',').map(Number);
    for (;;) {
      row += down;
      column += right;
      const next = this.grid.querySelector(`[data-cell="${row},${column}"]`);
      if (!next) return;
      if (!next.disabled) {
        next.focus();
        return;
      }
    }
  }

  _item(direction) {
    if (!this.shown.length) return;
    this.now = (this.now + direction + this.shown.length) % this.shown.length;
    while (this.body.childElementCount <= this.now) this._lengthen();
    this.body.querySelector('.av-now')?.classList.remove('av-now');
    const row = this.body.children[this.now];
    row.classList.add('av-now');
    row.focus();
  }
};
