/* The viewer, part 1: shared functions. Text from the data becomes text nodes, never markup.
 * The only public object is accordViewer. views/view.py joins the files of this folder in this order:
 * core, spans, timeline, text, spans_view, items, texts, start. They run inside one function in strict mode. */
const accordViewer = {};

/* Makes an element: el('button', {class: 'x', onclick: f, 'aria-label': '…'}, 'text', otherElement). */
accordViewer.el = function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value === 'boolean') made[name] = value;
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
  return made;
};

accordViewer.button = function button(text, label, action) {
  return accordViewer.el(
    'button',
    {type: 'button', class: 'av-button', 'aria-label': label, title: label, onclick: action},
    text,
  );
};

let accordViewerIds = 0;
accordViewer.newId = function newId() {
  accordViewerIds += 1;
  return `av-${accordViewerIds}`;
};

/* Decodes a column packed by Python: 'i4:' and the bytes in base64. */
accordViewer.unpack = function unpack(column) {
  const arrays = {u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f8: Float64Array};
  const array = arrays[column.slice(0, 2)];
  if (Uint8Array.fromBase64) return new array(Uint8Array.fromBase64(column.slice(3)).buffer);
  const bytes = atob(column.slice(3));
  const made = new Uint8Array(bytes.length);
  for (let k = 0; k < bytes.length; k += 1) made[k] = bytes.charCodeAt(k);
  return new array(made.buffer);
};

/* Returns the first k in [low, high) with `right(k)`, or high. `right` must be false first and then true. */
accordViewer.bisect = function bisect(low, high, right) {
  let a = low;
  let b = high;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (right(middle)) b = middle;
    else a = middle + 1;
  }
  return a;
};

accordViewer.number = function number(value, digits = 3) {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  const small = Math.abs(value) < 0.5 * 10 ** -digits;
  return small || Math.abs(value) >= 1e9
    ? value.toPrecision(2)
    : Number(value.toFixed(digits)).toLocaleString('en', {maximumFractionDigits: digits});
};

accordViewer.counted = function counted(n, noun) {
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n.toLocaleString('en')} ${n === 1 ? noun : many}`;
};

accordViewer.shortened = function shortened(text, most = 200) {
  return text.length <= most ? text : `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}`;
};

/* Yields to the browser: the code after it runs in a new task. */
accordViewer.pause = function pause() {
  return new Promise((go) => {
    setTimeout(go, 0);
  });
};

/* Calls `draw` at most once per animation frame. */
accordViewer.drawer = function drawer(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
};

accordViewer.calm = function calm() {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
};

/* Whether a key belongs to an input field or to the browser. */
accordViewer.elsewhere = function elsewhere(event) {
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
};

/* Makes a line with keyboard shortcuts. Texts in brackets are keys: '[n] next'. */
accordViewer.keys = function keys(text, properties) {
  const parts = text.split(/\[(.+?)\]/).map((part, k) => (k % 2 ? accordViewer.el('kbd', {}, part) : part));
  return accordViewer.el('p', {class: 'av-keys', ...properties}, ...parts);
};

/* Calls `changed` when the theme changes between dark and light. */
accordViewer.onTheme = function onTheme(changed) {
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  new MutationObserver(changed).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['class', 'data-theme', 'style'],
  });
};

/* -- colours ------------------------------------------------------------------------------------------------- */

const CATEGORY_COLOURS = 8; // defined in the style sheet; a page may define more

/* Returns the colours of the page as #rrggbb: names without dashes, and category(k). */
accordViewer.palette = function palette(element) {
  const style = getComputedStyle(element);
  const brush = document.createElement('canvas').getContext('2d');
  const resolved = (text) => {
    brush.fillStyle = '#808080';
    brush.fillStyle = text;
    return brush.fillStyle;
  };
  const made = {font: style.fontFamily};
  for (const name of ['bg', 'fg', 'muted', 'line', 'accent', 'bad', 'good']) {
    made[name] = resolved(style.getPropertyValue(`--av-${name}`).trim());
  }
  const known = new Map();
  made.category = (k) => {
    if (k < 0) return made.muted;
    if (!known.has(k)) {
      const own = style.getPropertyValue(`--cat-${k}`).trim();
      known.set(k, resolved(own || style.getPropertyValue(`--av-cat-${k % CATEGORY_COLOURS}`).trim()));
    }
    return known.get(k);
  };
  made.cost = (share) => mixed(made.good, made.bad, Math.min(1, Math.max(0, share)));
  return made;
};

function channels(colour) {
  if (colour.startsWith('#')) return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
  return colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number); // rgba(…)
}

function mixed(from, to, share) {
  const a = channels(from);
  const b = channels(to);
  return `rgb(${a.map((value, k) => Math.round(value + (b[k] - value) * share)).join(', ')})`;
}

/* Returns black or white, the one that is legible on a colour. */
accordViewer.on = function on(colour) {
  const [r, g, b] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
};

/* -- searching ----------------------------------------------------------------------------------------------- */

/* Returns a pattern that finds the typed text literally, ignoring case. */
accordViewer.pattern = function pattern(typed) {
  return new RegExp(typed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
};

/* -- a tooltip per view -------------------------------------------------------------------------------------- */

accordViewer.Tip = class Tip {
  constructor(root) {
    this.root = root;
    this.box = accordViewer.el('div', {class: 'av-tip', 'aria-hidden': 'true', hidden: true});
    root.append(this.box);
  }

  show(content, x, y) {
    this.box.replaceChildren(content);
    this.box.hidden = false;
    const around = this.root.getBoundingClientRect();
    const {offsetWidth: w, offsetHeight: h} = this.box;
    const left = Math.max(4, Math.min(x - around.left + 12, around.width - w - 4));
    const below = y - around.top + 16;
    const top = y + h + 24 > window.innerHeight ? Math.max(4, y - around.top - h - 12) : below;
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  hide() {
    this.box.hidden = true;
  }
};
