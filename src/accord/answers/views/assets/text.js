/* The viewer, part 4: units below the lines of their text. Only visible lines are in the page. */

const TEXT = {line: 24, row: 15, lane: 2, below: 10, high: 560, beyond: 300, letters: 200000, units: 20000};

accordViewer.TextView = class TextView {
  /* `acts`: see Timeline. */
  constructor(model, acts) {
    const {el} = accordViewer;
    this.model = model;
    this.acts = acts;
    this.room = el('div', {class: 'av-room'});
    this.element = el('div', {class: 'av-scroller av-lines'}, this.room);
    this.lines = new Map(); // line number → element in the page
    this.matches = [];
    this.draw = accordViewer.drawer(() => this._draw());
    this.element.addEventListener(
      'scroll',
      () => {
        this.draw();
        this.acts.moved();
      },
      {passive: true},
    );
    this.room.addEventListener('pointermove', (event) => this._hover(event));
    this.room.addEventListener('pointerleave', () => this.acts.leave());
    this.room.addEventListener('click', (event) => this._click(event));
  }

  /* -- lines ------------------------------------------------------------------------------------------------ */

  /* Updates sizes and colours. Long texts are processed in several tasks so that the page stays responsive. The old
   * content stays until the new layout is complete. */
  async layout(palette) {
    this.palette = palette;
    const width = Math.max(120, this.element.clientWidth);
    const gutter =
      width < 500 ? 0 : Math.min(120, 12 + 7 * Math.max(0, ...this.model.annotators.map((name) => name.length)));
    this.element.style.setProperty('--av-gutter', `${gutter}px`);
    const letters = Math.max(16, Math.floor((width - gutter - 28) / 8.6));
    this.turn = (this.turn || 0) + 1;
    const {turn} = this;
    const lines = letters === this.letters ? this.shape : await this._break(letters, () => turn !== this.turn);
    if (!lines) return;
    const sizes = await this._measure(lines, () => turn !== this.turn);
    if (!sizes) return;
    this.letters = letters;
    this.shape = lines;
    Object.assign(this, lines, sizes);
    this.element.style.height = `${Math.min(TEXT.high, this.tops[this.count] + 16)}px`;
    this.room.style.height = `${this.tops[this.count] + 8}px`;
    this._clear();
    this._draw();
  }

  /* Returns the starts of lines in the string: after line breaks, and between words if a line is full. */
  async _break(letters, gone) {
    const {text} = this.model;
    const begins = [0];
    let begin = 0;
    let used = 0;
    let blank = -1;
    for (let k = 0; k < text.length; k += 1) {
      if (k % TEXT.letters === TEXT.letters - 1) {
        await accordViewer.pause();
        if (gone()) return null;
      }
      const code = text.charCodeAt(k);
      if (code === 10) {
        begin = k + 1;
        if (begin < text.length) begins.push(begin);
        used = 0;
        blank = -1;
        continue;
      }
      used += code >= 0x1100 && (code < 0x2000 || code >= 0x2e80) && code < 0xfb00 ? 2 : 1; // wide characters
      if (code === 32 || code === 9) blank = k;
      if (used > letters) {
        const low = code >= 0xdc00 && code < 0xe000; // do not split a surrogate pair
        begin = blank >= begin ? blank + 1 : k - (low ? 1 : 0);
        begins.push(begin);
        used = k - begin + 1;
        blank = -1;
      }
    }
    const count = begins.length;
    const starts = new Float64Array(count + 1); // as Python offsets
    for (let k = 0; k < count; k += 1) starts[k] = this.model.back(begins[k]);
    starts[count] = this.model.back(text.length);
    return {begins: Int32Array.from(begins), count, starts};
  }

  lineOf(place, lines = this) {
    return Math.max(
      0,
      Math.min(lines.count - 1, accordViewer.bisect(0, lines.count, (k) => lines.starts[k] > place) - 1),
    );
  }

  /* Computes the rows of each lane below each line, and the positions of lines. */
  async _measure(lines, gone) {
    const {model} = this;
    const lanes = model.annotators.length;
    const rows = new Uint8Array(lines.count * lanes);
    const busy = new Uint8Array(lines.count);
    for (let u = 0; u < model.size; u += 1) {
      if (u % TEXT.units === TEXT.units - 1) {
        await accordViewer.pause();
        if (gone()) return null;
      }
      if (!model.unitShown[u]) continue;
      const last = this.lineOf(Math.max(model.start[u], model.end[u] - 1e-9), lines);
      for (let line = this.lineOf(model.start[u], lines); line <= last; line += 1) {
        const at = line * lanes + model.lane[u];
        if (rows[at] <= model.row[u]) rows[at] = Math.min(255, model.row[u] + 1);
        busy[line] = 1;
      }
    }
    const tops = new Float64Array(lines.count + 1);
    for (let line = 0; line < lines.count; line += 1) {
      let high = TEXT.line;
      if (busy[line]) {
        high += TEXT.below;
        for (let lane = 0; lane < lanes; lane += 1) {
          if (model.lanesShown[lane]) high += Math.max(1, rows[line * lanes + lane]) * TEXT.row + TEXT.lane;
        }
      }
      tops[line + 1] = tops[line] + high;
    }
    return {rows, busy, tops};
  }

  get window() {
    if (!this.tops) return [0, 0];
    const top = this.element.scrollTop;
    const first = accordViewer.bisect(0, this.count, (k) => this.tops[k + 1] > top);
    const last = accordViewer.bisect(0, this.count, (k) => this.tops[k + 1] >= top + this.element.clientHeight);
    return [this.starts[first], this.starts[Math.min(this.count, last + 1)]];
  }

  reveal(start) {
    if (!this.tops) return;
    const line = this.lineOf(start);
    const {scrollTop, clientHeight} = this.element;
    if (this.tops[line] < scrollTop || this.tops[line + 1] > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, (this.tops[line] + this.tops[line + 1] - clientHeight) / 2);
    }
    this.draw();
    for (const mark of this.room.querySelectorAll('[data-group]')) {
      mark.classList.toggle('av-chosen', Number(mark.dataset.group) === this.model.selected);
    }
  }

  scrollTo(place) {
    if (!this.tops) return;
    const line = this.lineOf(place);
    this.element.scrollTop = this.tops[line] - this.element.clientHeight / 2;
  }

  /* -- drawing ---------------------------------------------------------------------------------------------- */

  /* Redraws the visible lines with the current selection and matches. */
  redraw() {
    this._clear();
    this.draw();
  }

  _clear() {
    this.room.replaceChildren();
    this.lines.clear();
  }

  _draw() {
    if (!this.palette || !this.element.isConnected || !this.tops) return;
    const top = this.element.scrollTop - TEXT.beyond;
    const bottom = this.element.scrollTop + this.element.clientHeight + TEXT.beyond;
    const first = accordViewer.bisect(0, this.count, (k) => this.tops[k + 1] > top);
    const wanted = new Set();
    for (let line = first; line < this.count && this.tops[line] < bottom; line += 1) wanted.add(line);
    for (const [line, element] of this.lines) {
      if (wanted.has(line)) continue;
      element.remove();
      this.lines.delete(line);
    }
    const fresh = [...wanted].filter((line) => !this.lines.has(line)).map((line) => this._line(line));
    this.room.append(...fresh.map((one) => one.element));
    const bars = fresh.map((one) => this._bars(one)); // reads positions of letters first
    fresh.forEach((one, k) => this._put(one, bars[k])); // and writes afterwards
  }

  _line(line) {
    const {el} = accordViewer;
    const begin = this.begins[line];
    const end = line + 1 < this.count ? this.begins[line + 1] : this.model.text.length;
    const text = document.createTextNode(this.model.text.slice(begin, end).replace(/[\r\n]+$/, ''));
    const words = el('div', {class: 'av-words', dir: this._direction(begin)}, text);
    const element = el('div', {class: 'av-line'}, words);
    element.style.top = `${this.tops[line]}px`;
    element.style.height = `${this.tops[line + 1] - this.tops[line]}px`;
    this.lines.set(line, element);
    return {line, element, text, begin};
  }

  /* Returns the writing direction of a line: that of the first letter of its paragraph. */
  _direction(begin) {
    const paragraph = begin ? this.model.text.lastIndexOf('\n', begin - 1) + 1 : 0;
    const letter = this.model.text.slice(paragraph, paragraph + 500).match(/\p{L}/u);
    return letter && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter[0]) ? 'rtl' : 'ltr';
  }

  /* Returns the left edge and the width of a span in its line, in pixels. */
  _stretch(one, start, end, frame) {
    const length = one.text.length;
    const from = Math.max(0, Math.min(length, this.model.at(start) - one.begin));
    const to = Math.max(from, Math.min(length, this.model.at(end) - one.begin));
    const range = document.createRange();
    range.setStart(one.text, from);
    range.setEnd(one.text, to);
    const box = range.getBoundingClientRect();
    return [box.left - frame.left, Math.max(from === to ? 3 : 2, box.width)];
  }

  /* Returns the elements below a line with their positions. */
  _bars(one) {
    const {model} = this;
    const frame = one.element.getBoundingClientRect();
    const from = this.starts[one.line];
    const to = this.starts[one.line + 1];
    const made = {units: [], ghosts: [], links: [], found: [], lanes: []};
    for (const match of this._matchesIn(from, to))
      made.found.push([match, ...this._stretch(one, match.start, match.end, frame)]);
    if (!this.busy[one.line]) return made;
    const boxes = new Map();
    const tops = this._laneTops(one.line);
    tops.forEach((top, lane) => {
      if (top < 0) return;
      made.lanes.push([lane, top]);
      for (let row = 0; row < this.rows[one.line * tops.length + lane]; row += 1) {
        model.inRow(lane, row, from, to, (u) => {
          const outside = model.start[u] >= to || (model.end[u] <= from && model.end[u] > model.start[u]);
          if (outside || !model.unitShown[u]) return;
          const box = [...this._stretch(one, model.start[u], model.end[u], frame), top + row * TEXT.row];
          boxes.set(u, box);
          made.units.push([u, ...box]);
        });
      }
    });
    model.inView(from, to, (g) => {
      if (model.groupStart[g] >= to || (model.groupEnd[g] <= from && model.groupEnd[g] > model.groupStart[g])) return;
      this._connections(g, one, tops, boxes, frame, made);
    });
    return made;
  }

  _connections(g, one, tops, boxes, frame, made) {
    const {model} = this;
    const there = new Set();
    const here = [];
    for (let m = model.first[g]; m < model.first[g + 1]; m += 1) {
      const u = model.members[m];
      there.add(model.lane[u]);
      if (boxes.has(u)) here.push(boxes.get(u));
    }
    if (here.length > 1) {
      const x = Math.max(...here.map((box) => box[0])) + 2;
      const ys = here.map((box) => box[2]);
      made.links.push([g, x, Math.min(...ys) + TEXT.row - 2, Math.max(...ys)]);
    }
    if (!(model.kindOf[g] & KIND_BITS.missing)) return;
    const [x, wide] = this._stretch(one, model.groupStart[g], model.groupEnd[g], frame);
    tops.forEach((top, lane) => {
      if (top >= 0 && !there.has(lane)) made.ghosts.push([g, lane, x, wide, top]);
    });
  }

  _laneTops(line) {
    const lanes = this.model.annotators.length;
    const tops = new Float64Array(lanes).fill(-1);
    let y = TEXT.line;
    for (let lane = 0; lane < lanes; lane += 1) {
      if (!this.model.lanesShown[lane]) continue;
      tops[lane] = y;
      y += Math.max(1, this.rows[line * lanes + lane]) * TEXT.row + TEXT.lane;
    }
    return tops;
  }

  _matchesIn(from, to) {
    const all = this.matches;
    let k = accordViewer.bisect(0, all.length, (i) => all[i].start >= from - 1000);
    const found = [];
    for (; k < all.length && all[k].start < to; k += 1) if (all[k].end > from) found.push(all[k]);
    return found;
  }

  _put(one, bars) {
    const made = document.createDocumentFragment();
    for (const [match, x, wide] of bars.found) {
      made.append(this._box(match === this.match ? 'av-found av-now' : 'av-found', x, wide, 1, TEXT.line - 3));
    }
    for (const [lane, top] of bars.lanes) made.append(this._name(lane, top));
    for (const [g, x, top, bottom] of bars.links) made.append(this._link(g, x, top, bottom));
    for (const [g, , x, wide, top] of bars.ghosts) {
      const ghost = this._box('av-ghost', x, wide, top, TEXT.row - 3);
      ghost.dataset.group = g;
      if (g === this.model.selected) ghost.classList.add('av-chosen');
      made.append(ghost);
    }
    for (const [u, x, wide, y] of bars.units) made.append(this._bar(u, x, wide, y));
    one.element.append(made);
  }

  _box(kind, x, wide, top, high) {
    const box = accordViewer.el('span', {class: kind});
    Object.assign(box.style, {left: `${x}px`, width: `${wide}px`, top: `${top}px`, height: `${high}px`});
    return box;
  }

  _name(lane, top) {
    const name = accordViewer.el(
      'span',
      {class: 'av-name', title: this.model.annotators[lane]},
      this.model.annotators[lane],
    );
    name.style.top = `${top}px`;
    return name;
  }

  _link(g, x, top, bottom) {
    const {model, palette} = this;
    const link = this._box(
      g === model.selected ? 'av-link av-chosen' : 'av-link',
      x,
      2,
      top,
      Math.max(1, bottom - top),
    );
    link.style.background = model.kindOf[g] === KIND_BITS.agreement ? palette.good : palette.cost(model.share(g));
    link.dataset.group = g;
    return link;
  }

  _bar(u, x, wide, y) {
    const {model, palette} = this;
    const g = model.groupOf[u];
    const bar = this._box('av-bar', x, wide, y, TEXT.row - 2);
    const colour = model.colour(u, palette);
    bar.style.background = colour;
    bar.style.color = accordViewer.on(colour);
    if (wide > 18) bar.textContent = accordViewer.shortened(model.labelName(u), 60);
    bar.dataset.unit = u;
    bar.dataset.group = g;
    if (g === model.selected) bar.classList.add('av-chosen');
    if (model.highlight && model.label[u] !== model.highlight) bar.classList.add('av-dim');
    return bar;
  }

  /* -- the pointer ------------------------------------------------------------------------------------------ */

  _hit(event) {
    const target = event.target.closest('[data-group]');
    if (!target) return {unit: -1, group: -1};
    return {
      unit: target.dataset.unit === undefined ? -1 : Number(target.dataset.unit),
      group: Number(target.dataset.group),
    };
  }

  _hover(event) {
    if (event.pointerType === 'touch') return;
    const {unit, group} = this._hit(event);
    if (group < 0) this.acts.leave();
    else this.acts.hover(unit, group, event.clientX, event.clientY);
  }

  _click(event) {
    const {unit, group} = this._hit(event);
    if (group >= 0) this.acts.select(group, unit);
  }
};
