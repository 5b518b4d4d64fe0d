/* The viewer, part 2: data model of units as columns, with filters. It draws nothing. */

const KIND_BITS = {missing: 1, boundaries: 2, label: 4, agreement: 8};
const MATCHES = 10000; // at most, in a search

accordViewer.Spans = class Spans {
  /* Reads the columns and builds indices, in several tasks so that the page stays responsive. */
  static async load(data) {
    const {unpack, pause} = accordViewer;
    const columns = {};
    for (const [name, column] of [...Object.entries(data.units), ...Object.entries(data.groups)]) {
      if (name === 'causes') continue;
      columns[name] = unpack(column);
      await pause();
    }
    columns.causes = Object.entries(data.groups.causes).map(([name, column]) => [name, unpack(column)]);
    const made = new Spans(data, columns);
    await pause();
    made.index(columns.size);
    await pause();
    made.filter();
    return made;
  }

  constructor(data, columns) {
    this.data = data;
    this.words = data.words;
    this.annotators = data.annotators;
    this.categories = data.categories;
    this.text = data.text;
    for (const name of ['lane', 'row', 'start', 'end', 'label', 'members', 'cost', 'causes'])
      this[name] = columns[name];
    this.size = this.start.length;
    this.groups = this.cost.length;
    this.lanesShown = new Uint8Array(this.annotators.length).fill(1);
    this.categoriesShown = new Uint8Array(this.categories.length + 1).fill(1); // 0: no label
    this.kindsShown = 15;
    this.highlight = 0; // the highlighted label; 0: none
    this.selected = -1;
  }

  index(sizes) {
    this._indexGroups(sizes);
    this._indexRows();
    this._indexText();
  }

  _indexGroups(sizes) {
    const n = this.groups;
    this.first = new Int32Array(n + 1);
    this.groupStart = new Float64Array(n);
    this.groupEnd = new Float64Array(n);
    this.reaches = new Float64Array(n); // the largest end of this group and the groups before it
    this.groupOf = new Int32Array(this.size).fill(-1);
    this.mostCost = 0;
    let reach = -Infinity;
    for (let g = 0; g < n; g += 1) {
      this.first[g + 1] = this.first[g] + sizes[g];
      let start = Infinity;
      let end = -Infinity;
      for (let m = this.first[g]; m < this.first[g + 1]; m += 1) {
        const u = this.members[m];
        if (this.start[u] < start) start = this.start[u];
        if (this.end[u] > end) end = this.end[u];
        if (this.groupOf[u] < 0) this.groupOf[u] = g;
      }
      this.groupStart[g] = start;
      this.groupEnd[g] = end;
      reach = Math.max(reach, end);
      this.reaches[g] = reach;
      this.mostCost = Math.max(this.mostCost, this.cost[g]);
    }
  }

  /* Lists the units of each row of each lane. They do not overlap, so bisection finds a place. */
  _indexRows() {
    const lanes = this.annotators.length;
    this.rowsOf = new Int32Array(lanes);
    for (let u = 0; u < this.size; u += 1)
      this.rowsOf[this.lane[u]] = Math.max(this.rowsOf[this.lane[u]], this.row[u] + 1);
    this.rowBase = new Int32Array(lanes + 1);
    for (let k = 0; k < lanes; k += 1) this.rowBase[k + 1] = this.rowBase[k] + this.rowsOf[k];
    const counts = new Int32Array(this.rowBase[lanes] + 1);
    for (let u = 0; u < this.size; u += 1) counts[this.rowBase[this.lane[u]] + this.row[u] + 1] += 1;
    for (let k = 1; k < counts.length; k += 1) counts[k] += counts[k - 1];
    this.rowFirst = counts.slice();
    this.inRows = new Int32Array(this.size);
    for (let u = 0; u < this.size; u += 1) {
      const at = this.rowBase[this.lane[u]] + this.row[u];
      this.inRows[counts[at]] = u;
      counts[at] += 1;
    }
  }

  /* Python offsets count code points, JavaScript offsets count UTF-16 code units. */
  _indexText() {
    this.offsets = null;
    if (this.text === null || !/[\ud800-\udfff]/.test(this.text)) return;
    const found = [];
    for (let k = 0; k < this.text.length; k += this.text.codePointAt(k) > 0xffff ? 2 : 1) found.push(k);
    found.push(this.text.length);
    this.offsets = Int32Array.from(found);
  }

  /* Converts a Python offset to a JavaScript offset. */
  at(position) {
    if (this.offsets === null) return Math.max(0, Math.min(this.text.length, Math.floor(position)));
    return this.offsets[Math.max(0, Math.min(this.offsets.length - 1, Math.floor(position)))];
  }

  /* Converts a JavaScript offset to a Python offset. */
  back(place) {
    if (this.offsets === null) return place;
    return accordViewer.bisect(0, this.offsets.length, (k) => this.offsets[k] >= place);
  }

  quote(start, end) {
    if (this.data.quotes) return this.data.quotes[start] || '';
    return this.text === null ? '' : this.text.slice(this.at(start), this.at(end));
  }

  /* -- filters --------------------------------------------------------------------------------------------- */

  /* Recomputes the visible groups and units, and the disagreements between the visible annotators. */
  filter() {
    const lanes = this.lanesShown.reduce((sum, shown) => sum + shown, 0);
    this.kindOf = new Uint8Array(this.groups);
    this.groupShown = new Uint8Array(this.groups);
    this.unitShown = new Uint8Array(this.size);
    const found = [];
    for (let g = 0; g < this.groups; g += 1) {
      const kind = this._kind(g, lanes);
      this.kindOf[g] = kind;
      if (!(kind & this.kindsShown) || !this._anyShown(g)) continue;
      this.groupShown[g] = 1;
      for (let m = this.first[g]; m < this.first[g + 1]; m += 1) {
        const u = this.members[m];
        this.unitShown[u] = this.lanesShown[this.lane[u]] & this.categoriesShown[this.label[u]];
      }
      if (kind !== KIND_BITS.agreement) found.push(g);
    }
    this.disagreements = Int32Array.from(found);
  }

  _anyShown(g) {
    for (let m = this.first[g]; m < this.first[g + 1]; m += 1) {
      const u = this.members[m];
      if (this.lanesShown[this.lane[u]] && this.categoriesShown[this.label[u]]) return true;
    }
    return false;
  }

  /* Returns the kinds of difference between the visible annotators, as bits. */
  _kind(g, lanes) {
    let there = 0;
    let one = -1;
    let kind = 0;
    for (let m = this.first[g]; m < this.first[g + 1]; m += 1) {
      const u = this.members[m];
      if (!this.lanesShown[this.lane[u]]) continue;
      there += 1;
      if (one < 0) one = u;
      else {
        if (this.start[u] !== this.start[one] || this.end[u] !== this.end[one]) kind |= KIND_BITS.boundaries;
        if (this.label[u] !== this.label[one]) kind |= KIND_BITS.label;
      }
    }
    if (there > 0 && there < lanes) kind |= KIND_BITS.missing;
    return kind || KIND_BITS.agreement;
  }

  kindNames(g) {
    return Object.entries(KIND_BITS)
      .filter(([, bit]) => this.kindOf[g] & bit)
      .map(([name]) => this.words.kinds[name]);
  }

  share(g) {
    return this.mostCost > 0 ? this.cost[g] / this.mostCost : 0;
  }

  /* Returns the unit of each annotator in a group; null if an annotator has none. */
  versions(g) {
    const made = this.annotators.map(() => null);
    for (let m = this.first[g]; m < this.first[g + 1]; m += 1) made[this.lane[this.members[m]]] = this.members[m];
    return made;
  }

  labelName(u) {
    return this.label[u] > 0 ? this.categories[this.label[u] - 1] : '';
  }

  colour(u, palette) {
    return this.label[u] > 0 ? palette.category(this.data.colours[this.label[u] - 1]) : palette.muted;
  }

  where(start, end) {
    const {number} = accordViewer;
    return this.data.ticks && start === end ? number(start) : `${number(start)}–${number(end)}`;
  }

  /* -- lookup ----------------------------------------------------------------------------------------------- */

  /* Calls `each` with the units of a row that overlap [from, to], in order. */
  inRow(lane, row, from, to, each) {
    const at = this.rowBase[lane] + row;
    const last = this.rowFirst[at + 1];
    let k = accordViewer.bisect(this.rowFirst[at], last, (i) => this.end[this.inRows[i]] >= from);
    for (; k < last && this.start[this.inRows[k]] <= to; k += 1) each(this.inRows[k]);
  }

  /* Calls `each` with the visible groups that overlap [from, to], in order. */
  inView(from, to, each) {
    let g = accordViewer.bisect(0, this.groups, (k) => this.reaches[k] >= from);
    for (; g < this.groups && this.groupStart[g] <= to; g += 1) {
      if (this.groupShown[g] && this.groupEnd[g] >= from) each(g);
    }
  }

  /* Returns the next visible disagreement after the selected one, or after a place. */
  step(direction, place) {
    const all = this.disagreements;
    if (!all.length) return -1;
    if (this.selected >= 0) {
      const next =
        direction > 0
          ? accordViewer.bisect(0, all.length, (k) => all[k] > this.selected)
          : accordViewer.bisect(0, all.length, (k) => all[k] >= this.selected) - 1;
      return all[(next + all.length) % all.length];
    }
    const from = accordViewer.bisect(0, all.length, (k) => this.groupStart[all[k]] >= place);
    return all[(direction > 0 ? from : from - 1 + all.length) % all.length];
  }

  /* Returns the places of matches: in the text, or units by their labels. */
  search(typed) {
    if (!typed) return [];
    const pattern = accordViewer.pattern(typed);
    const found = [];
    if (this.text !== null) {
      for (const hit of this.text.matchAll(pattern)) {
        found.push({start: this.back(hit.index), end: this.back(hit.index + hit[0].length), unit: -1});
        if (found.length >= MATCHES) break;
      }
    }
    const named = this.categories.map((name) => name.search(pattern) >= 0);
    const quoted = (this.data.quotes || []).map((name) => name.search(pattern) >= 0);
    for (let u = 0; u < this.size && found.length < MATCHES; u += 1) {
      const hit = (this.label[u] > 0 && named[this.label[u] - 1]) || quoted[this.start[u]];
      if (hit && this.unitShown[u]) found.push({start: this.start[u], end: this.end[u], unit: u});
    }
    return found.sort((a, b) => a.start - b.start || a.end - b.end);
  }
};
