/* The viewer, part 3: units as a timeline. The canvas has the size of the visible part, for any document. */

const TIMELINE = {axis: 24, name: 16, row: 18, gap: 26, most: 8e6, high: 520};
const SHADES = 8; // of cost, for drawing many lines at once

accordViewer.Timeline = class Timeline {
  /* `acts` has select(group), hover(unit, group, x, y), leave(), moved(). */
  constructor(model, acts) {
    const {el} = accordViewer;
    this.model = model;
    this.acts = acts;
    this.canvas = el('canvas', {class: 'av-canvas', 'aria-hidden': 'true'});
    this.room = el('div', {class: 'av-room'});
    this.element = el('div', {class: 'av-scroller'}, this.canvas, this.room);
    this.widths = new Map();
    this.scale = 0;
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
    this.element.addEventListener('wheel', (event) => this._wheel(event), {passive: false});
    this.canvas.addEventListener('pointermove', (event) => this._hover(event));
    this.canvas.addEventListener('pointerleave', () => this.acts.leave());
    this.canvas.addEventListener('click', (event) => this._click(event));
  }

  get from() {
    return this.model.data.extent[0];
  }

  get length() {
    return Math.max(1e-9, this.model.data.extent[1] - this.model.data.extent[0]);
  }

  /* -- sizes ------------------------------------------------------------------------------------------------ */

  /* Updates sizes and colours when the view appears, its width changes or lanes are hidden. */
  layout(palette) {
    this.palette = palette;
    this._lanes();
    this.width = Math.max(50, this.element.clientWidth);
    this.height = Math.min(TIMELINE.high, this.total);
    const fit = this._fit();
    if (!this.scale || this.fitted || this.scale < fit) this.scale = fit;
    this.element.style.height = `${this.height + 14}px`; // plus the scroll bar
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this._resize();
    this.draw();
  }

  redraw() {
    this.draw();
  }

  _lanes() {
    const {model} = this;
    this.tops = new Float64Array(model.annotators.length).fill(-1); // of the first row of each lane; -1: hidden
    const deepest = Math.max(1, ...model.rowsOf);
    this.rowHeight = deepest > 12 ? 8 : TIMELINE.row;
    let y = TIMELINE.axis;
    model.annotators.forEach((_, lane) => {
      if (!model.lanesShown[lane]) return;
      this.tops[lane] = y + TIMELINE.name;
      y += TIMELINE.name + Math.max(1, model.rowsOf[lane]) * this.rowHeight + TIMELINE.gap;
    });
    this.total = Math.max(TIMELINE.axis + 40, y - TIMELINE.gap + 8);
  }

  _fit() {
    return (this.width - 16) / this.length;
  }

  _resize() {
    this.room.style.width = `${Math.ceil(this.length * this.scale) + 16}px`;
    this.room.style.height = `${this.total - this.height}px`; // the canvas takes the rest
  }

  /* Zooms by a factor and keeps the place at `x` fixed. */
  zoom(factor, x = this._middle()) {
    const place = this.place(x);
    const fit = this._fit();
    this.scale = Math.min(Math.max(this.scale * factor, fit), Math.max(fit, TIMELINE.most / this.length));
    this.fitted = this.scale <= fit * 1.0001;
    this._resize();
    this.element.scrollLeft = (place - this.from) * this.scale + 8 - x;
    this.draw();
    this.acts.moved();
  }

  fit() {
    this.zoom(1e-12);
  }

  /* Returns the centre of zooming: the selection if it is visible, or else the middle. */
  _middle() {
    const {selected, groupStart, groupEnd} = this.model;
    this.scrolled = this.element.scrollLeft;
    const x = selected < 0 ? -1 : this.x((groupStart[selected] + groupEnd[selected]) / 2);
    return x >= 0 && x <= this.width ? x : this.width / 2;
  }

  x(place) {
    return (place - this.from) * this.scale + 8 - this.scrolled;
  }

  place(x) {
    return (x - 8 + this.element.scrollLeft) / this.scale + this.from;
  }

  get window() {
    return [this.place(0), this.place(this.width)];
  }

  /* Scrolls and zooms to a place so that it is visible. */
  reveal(start, end) {
    const wide = Math.max(end - start, this.length * 1e-9);
    const wanted = 20; // pixels
    if (this.model.data.ticks) this._room();
    else if (wide * this.scale < 5) this.zoom(Math.min(wanted / (wide * this.scale), 40));
    else if (wide * this.scale > this.width * 0.9) this.zoom((this.width * 0.6) / (wide * this.scale));
    const [from, to] = this.window;
    if (start < from || end > to) {
      this.element.scrollLeft = ((start + end) / 2 - this.from) * this.scale + 8 - this.width / 2;
    }
    this.draw();
    this.acts.moved();
  }

  /* Zooms in until points, which have no width, are far enough from each other. */
  _room() {
    const each = this.length / Math.max(1, this.model.groups);
    if (each * this.scale < 12) this.zoom(12 / (each * this.scale));
  }

  scrollTo(place) {
    this.element.scrollLeft = (place - this.from) * this.scale + 8 - this.width / 2;
  }

  /* -- the pointer ------------------------------------------------------------------------------------------ */

  _wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), event.offsetX);
  }

  _hit(event) {
    const {model} = this;
    const y = event.offsetY + this.element.scrollTop;
    const place = this.place(event.offsetX);
    const slack = (event.pointerType === 'touch' ? 10 : 3) / this.scale; // touch is less precise than a mouse
    for (let lane = 0; lane < this.tops.length; lane += 1) {
      if (this.tops[lane] < 0) continue;
      const row = Math.floor((y - this.tops[lane]) / this.rowHeight);
      if (row < 0 || row >= Math.max(1, model.rowsOf[lane])) continue;
      let unit = -1;
      if (row < model.rowsOf[lane]) {
        model.inRow(lane, row, place - slack, place + slack, (u) => {
          if (model.unitShown[u]) unit = u;
        });
      }
      if (unit >= 0) return {unit, group: model.groupOf[unit]};
    }
    let group = -1; // between lanes, or where an annotator has no unit
    model.inView(place - slack, place + slack, (g) => {
      if (group < 0 || model.groupEnd[g] - model.groupStart[g] < model.groupEnd[group] - model.groupStart[group])
        group = g;
    });
    return {unit: -1, group};
  }

  _hover(event) {
    if (event.pointerType === 'touch') return;
    const {unit, group} = this._hit(event);
    this.canvas.style.cursor = group >= 0 ? 'pointer' : '';
    if (group < 0) this.acts.leave();
    else this.acts.hover(unit, group, event.clientX, event.clientY);
  }

  _click(event) {
    const {unit, group} = this._hit(event);
    this.acts.select(group, unit);
  }

  /* -- drawing ---------------------------------------------------------------------------------------------- */

  _draw() {
    if (!this.palette || !this.element.isConnected) return;
    const ratio = window.devicePixelRatio || 1;
    const context = this.canvas.getContext('2d', {alpha: false});
    this.scrolled = this.element.scrollLeft;
    this.down = this.element.scrollTop;
    const [from, to] = this.window;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.palette.bg;
    context.fillRect(0, 0, this.width, this.height);
    context.save();
    context.translate(0, -this.down);
    this._bands(context);
    this._segments(context, from, to);
    this._found(context);
    this._groups(context, from, to);
    this._units(context, from, to);
    this._names(context);
    context.restore();
    this._axis(context, from, to);
  }

  _bands(context) {
    context.fillStyle = this.palette.line;
    context.globalAlpha = 0.25;
    this.tops.forEach((top, lane) => {
      if (top < 0) return;
      context.fillRect(0, top - 1, this.width, Math.max(1, this.model.rowsOf[lane]) * this.rowHeight + 2);
    });
    context.globalAlpha = 1;
  }

  /* Shades every other segment between points. */
  _segments(context, from, to) {
    const {model} = this;
    if (!model.data.ticks) return;
    context.fillStyle = this.palette.muted;
    context.globalAlpha = 0.22;
    this.tops.forEach((top, lane) => {
      if (top < 0) return;
      let begin = Math.max(0, this.x(this.from));
      let shaded = null;
      const upTo = (x) => {
        if (shaded) context.fillRect(begin, top, x - begin, this.rowHeight - 2);
      };
      if (model.rowsOf[lane]) {
        model.inRow(lane, 0, from, to, (u) => {
          shaded = shaded === null ? u % 2 === 0 : !shaded;
          upTo(this.x(model.start[u]));
          begin = this.x(model.start[u]);
        });
      }
      shaded = shaded === false;
      upTo(Math.min(this.width, this.x(this.from + this.length)));
    });
    context.globalAlpha = 1;
  }

  /* Draws search matches as bands through all lanes. */
  _found(context) {
    const [from, to] = this.window;
    context.fillStyle = this.palette.accent;
    let k = accordViewer.bisect(0, this.matches.length, (i) => this.matches[i].start >= from);
    for (k = Math.max(0, k - 50); k < this.matches.length && this.matches[k].start <= to; k += 1) {
      const {start, end} = this.matches[k];
      context.globalAlpha = this.matches[k] === this.match ? 0.45 : 0.18;
      context.fillRect(this.x(start), TIMELINE.axis, Math.max(2, (end - start) * this.scale), this.total);
    }
    context.globalAlpha = 1;
  }

  /* Draws unitary alignments: as bands in the colour of their cost, as lines if there are many, and as the sum of
   * costs if there are more than pixels. */
  _groups(context, from, to) {
    const {model} = this;
    const shown = [];
    model.inView(from, to, (g) => {
      if (shown.length <= this.width) shown.push(g);
    });
    if (shown.length > this.width) this._density(context, from, to);
    else if (shown.length > this.width / 4) this._lines(context, shown);
    else for (const g of shown) if (g !== model.selected) this._group(context, g, false);
    if (model.selected >= 0) this._group(context, model.selected, true);
  }

  /* Draws groups as lines between units, one path for each shade of cost, with a tick for each missing unit. */
  _lines(context, shown) {
    const {model} = this;
    const paths = Array.from({length: SHADES + 1}, () => new Path2D());
    const ghosts = new Path2D();
    for (const g of shown) {
      const agreed = model.kindOf[g] === KIND_BITS.agreement;
      const path = paths[agreed ? SHADES : Math.min(SHADES - 1, Math.floor(model.share(g) * SHADES))];
      let last = -1;
      for (let m = model.first[g]; m < model.first[g + 1]; m += 1) {
        const u = model.members[m];
        if (!model.unitShown[u]) continue;
        const x = this.x((model.start[u] + model.end[u]) / 2);
        const y = this.tops[model.lane[u]] + model.row[u] * this.rowHeight;
        if (last >= 0) path.lineTo(x, y);
        path.moveTo(x, y + this.rowHeight - 2);
        last = u;
      }
      if (model.kindOf[g] & KIND_BITS.missing) this._tick(ghosts, g);
    }
    context.lineWidth = 1;
    context.globalAlpha = 0.6;
    paths.forEach((path, k) => {
      context.strokeStyle = k === SHADES ? this.palette.good : this.palette.cost((k + 0.5) / SHADES);
      context.stroke(path);
    });
    context.strokeStyle = this.palette.bad;
    context.stroke(ghosts);
    context.globalAlpha = 1;
  }

  _tick(path, g) {
    const versions = this.model.versions(g);
    const x = this.x(this.model.groupStart[g]);
    this.tops.forEach((top, lane) => {
      if (top < 0 || versions[lane] !== null) return;
      path.moveTo(x, top);
      path.lineTo(x, top + this.rowHeight - 2);
    });
  }

  _group(context, g, selected) {
    const {model} = this;
    const dim = model.highlight && !this._has(g, model.highlight);
    context.globalAlpha = dim ? 0.08 : selected ? 0.9 : 0.4;
    context.fillStyle = model.kindOf[g] === KIND_BITS.agreement ? this.palette.good : this.palette.cost(model.share(g));
    context.strokeStyle = context.fillStyle;
    context.lineWidth = selected ? 2 : 1;
    let above = -1;
    const there = new Set();
    for (let m = model.first[g]; m < model.first[g + 1]; m += 1) {
      const u = model.members[m];
      if (this.tops[model.lane[u]] < 0 || !model.unitShown[u]) continue;
      there.add(model.lane[u]);
      if (above >= 0) this._band(context, above, u);
      above = u;
    }
    if (model.kindOf[g] & KIND_BITS.missing) this._ghosts(context, g, there);
    if (selected) this._frame(context, g);
    context.globalAlpha = 1;
  }

  _has(g, label) {
    for (let m = this.model.first[g]; m < this.model.first[g + 1]; m += 1) {
      if (this.model.label[this.model.members[m]] === label) return true;
    }
    return false;
  }

  _box(u) {
    const {model} = this;
    const wide = (model.end[u] - model.start[u]) * this.scale;
    const least = model.data.ticks ? 4 : 2;
    const x = this.x(model.start[u]);
    const y = this.tops[model.lane[u]] + model.row[u] * this.rowHeight;
    return [wide < least && model.data.ticks ? x - least / 2 : x, y, Math.max(least, wide), this.rowHeight - 2];
  }

  _band(context, above, below) {
    const [x, y, w, h] = this._box(above);
    const [u, v, wide] = this._box(below);
    context.beginPath();
    context.moveTo(x, y + h);
    context.lineTo(x + w, y + h);
    context.lineTo(u + wide, v);
    context.lineTo(u, v);
    context.closePath();
    context.fill();
  }

  /* Draws a dashed box for a missing unit. */
  _ghosts(context, g, there) {
    const {model} = this;
    const x = this.x(model.groupStart[g]);
    const wide = Math.max(4, (model.groupEnd[g] - model.groupStart[g]) * this.scale);
    context.setLineDash([3, 3]);
    context.strokeStyle = this.palette.bad;
    const point = model.data.ticks && model.groupStart[g] === model.groupEnd[g];
    this.tops.forEach((top, lane) => {
      if (top >= 0 && !there.has(lane))
        context.strokeRect(point ? x - 2.5 : x + 0.5, top + 0.5, point ? 5 : wide - 1, this.rowHeight - 3);
    });
    context.setLineDash([]);
  }

  _frame(context, g) {
    const x = this.x(this.model.groupStart[g]) - 4;
    const wide = (this.model.groupEnd[g] - this.model.groupStart[g]) * this.scale + 8;
    context.strokeStyle = this.palette.accent;
    context.globalAlpha = 1;
    context.strokeRect(x, TIMELINE.axis + 2, Math.max(10, wide), this.total - TIMELINE.axis - 6);
  }

  /* Draws the sum of the costs at each pixel as a shade through all lanes. */
  _density(context, from, to) {
    const {model} = this;
    const sums = new Float32Array(this.width + 1);
    model.inView(from, to, (g) => {
      if (model.kindOf[g] !== KIND_BITS.agreement)
        sums[Math.max(0, Math.min(this.width, Math.round(this.x(model.groupStart[g]))))] += model.cost[g];
    });
    const most = sums.reduce((a, b) => Math.max(a, b), 0) || 1;
    context.fillStyle = this.palette.bad;
    sums.forEach((sum, x) => {
      if (!sum) return;
      context.globalAlpha = 0.04 + 0.36 * (sum / most);
      context.fillRect(x, TIMELINE.axis, 1, this.total);
    });
    context.globalAlpha = 1;
  }

  /* Draws units. Narrow units are drawn together by colour, at most one for every two pixels. */
  _units(context, from, to) {
    const {model} = this;
    const narrow = new Map();
    context.font = `11px ${this.palette.font}`;
    context.textBaseline = 'middle';
    this.tops.forEach((top, lane) => {
      if (top < 0) return;
      for (let row = 0; row < model.rowsOf[lane]; row += 1) {
        const y = top + row * this.rowHeight;
        if (y + this.rowHeight < this.down || y > this.down + this.height) continue;
        let last = -1;
        model.inRow(lane, row, from, to, (u) => {
          if (!model.unitShown[u]) return;
          if ((model.end[u] - model.start[u]) * this.scale >= 2.5 || model.groupOf[u] === model.selected) {
            this._unit(context, u);
            return;
          }
          const x = Math.round(this.x(model.start[u])) & ~1;
          if (x === last) return;
          last = x;
          if (!narrow.has(model.label[u])) narrow.set(model.label[u], []);
          narrow.get(model.label[u]).push(x, y);
        });
      }
    });
    for (const [label, places] of narrow) {
      context.fillStyle = label ? this.palette.category(model.data.colours[label - 1]) : this.palette.muted;
      context.globalAlpha = model.highlight && label !== model.highlight ? 0.15 : 1;
      const wide = model.data.ticks ? 4 : 2;
      for (let k = 0; k < places.length; k += 2) context.fillRect(places[k], places[k + 1], wide, this.rowHeight - 2);
    }
    context.globalAlpha = 1;
  }

  _unit(context, u) {
    const {model, palette} = this;
    const [x, y, w, h] = this._box(u);
    const left = Math.max(-4, x);
    const wide = Math.min(this.width + 4, x + w) - left;
    const chosen = model.groupOf[u] === model.selected;
    const colour = model.colour(u, palette);
    context.globalAlpha = model.highlight && model.label[u] !== model.highlight ? 0.15 : 1;
    context.fillStyle = colour;
    context.fillRect(left, y, wide, h);
    if (chosen || (wide > 6 && !model.data.ticks)) {
      context.strokeStyle = chosen ? palette.accent : palette.bg;
      context.lineWidth = chosen ? 2 : 1;
      context.strokeRect(left + 0.5, y + 0.5, wide - 1, h - 1);
    }
    if (wide > 22 && this.rowHeight > 12)
      this._caption(context, model.labelName(u), colour, left + 4, y + h / 2 + 1, wide - 8);
  }

  _caption(context, name, colour, x, y, room) {
    if (!name) return;
    const short = name.length > 60 ? `${name.slice(0, 60)}…` : name;
    if (!this.widths.has(short)) this.widths.set(short, context.measureText(short).width);
    const full = this.widths.get(short);
    const letters = Math.floor(short.length * (room / full)) - 1;
    if (full > room && letters < 2) return;
    context.fillStyle = accordViewer.on(colour);
    context.fillText(full <= room ? short : `${short.slice(0, letters)}…`, x, y);
  }

  _names(context) {
    context.font = `600 12px ${this.palette.font}`;
    context.textBaseline = 'bottom';
    this.tops.forEach((top, lane) => {
      if (top < 0) return;
      const name = accordViewer.shortened(this.model.annotators[lane], 40);
      const wide = context.measureText(name).width;
      context.globalAlpha = 0.8;
      context.fillStyle = this.palette.bg;
      context.fillRect(4, top - 16, wide + 8, 14);
      context.globalAlpha = 1;
      context.fillStyle = this.palette.fg;
      context.fillText(name, 8, top - 2);
    });
  }

  _axis(context, from, to) {
    context.fillStyle = this.palette.bg;
    context.fillRect(0, 0, this.width, TIMELINE.axis - 2);
    context.fillStyle = this.palette.muted;
    context.font = `11px ${this.palette.font}`;
    context.textBaseline = 'top';
    const rough = (to - from) / Math.max(2, this.width / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
    for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
      const x = Math.round(this.x(tick));
      context.fillRect(x, TIMELINE.axis - 6, 1, 4);
      context.fillText(accordViewer.number(Number(tick.toPrecision(12)), 6), x + 3, 4);
    }
    context.fillStyle = this.palette.line;
    context.fillRect(0, TIMELINE.axis - 2, this.width, 1);
  }
};
