// Elements, numbers and messages of all views. Whatever comes from a crawl is inserted as text, never as markup.

// el('p.by#id', {title: 'x', onclick: f}, 'text', node, [nodes]): an element. Attributes that are false or undefined are left out.
export function el(what, ...rest) {
  return made(document.createElement(what.match(/^[a-z0-9]+/)[0]), what, rest);
}

// The same for elements of SVG.
export function svg(what, ...rest) {
  return made(document.createElementNS('http://www.w3.org/2000/svg', what.match(/^[a-z]+/)[0]), what, rest);
}

function made(element, what, rest) {
  for (const name of what.match(/\.[\w-]+/g) || []) element.classList.add(name.slice(1));
  const id = /#([\w-]+)/.exec(what);
  if (id) element.id = id[1];
  const isNode = (x) => x === null || typeof x !== 'object' || x instanceof Node || Array.isArray(x);
  const attributes = rest.length && !isNode(rest[0]) && rest[0] !== undefined ? rest.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...rest.flat(Infinity).filter((x) => x !== null && x !== undefined && x !== false).map((x) => (x instanceof Node ? x : String(x))));
  return element;
}

export const byId = (id) => document.getElementById(id);

export function put(place, ...content) {
  place.replaceChildren(...content.flat(Infinity).filter((x) => x !== null && x !== undefined && x !== false));
}

export const number = (n) => Number(n).toLocaleString('en');
export const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
export const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;
// Up to four significant digits, as the shell prints scores.
export const score = (x) => String(Number(Number(x).toPrecision(4)));

// Announces a text to screen readers.
export function say(text) {
  byId('said').textContent = text;
}

// Shows an error in its place, or removes it (error: null). A request that a newer one has replaced is not an error.
export function problem(id, error) {
  const place = byId(id);
  if (error && error.name === 'AbortError') return;
  place.hidden = !error;
  place.textContent = error ? error.message : '';
}

export function later(milliseconds, f) {
  let timer = 0;
  return (...rest) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...rest), milliseconds);
  };
}

// A button that copies a text; where a browser forbids it, the text in `place` is selected.
export function copyButton(what, name, text, place) {
  const button = el(what, { type: 'button', onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
      say('Copied');
    } catch (error) {
      getSelection().selectAllChildren(place());
      say('Select and copy the text');
    }
    setTimeout(() => { button.textContent = name; }, 2000);
  } }, name);
  return button;
}

const URL_SHOWN = 200, URL_END = 70; // characters, as in the report

// A link only to what a browser loads as a page: a crawl may hold javascript: URLs. The middle of a long URL is left out.
export function pageLink(url) {
  const text = String(url ?? ''), all = [...text];
  const shown = all.length > URL_SHOWN ? `${all.slice(0, URL_SHOWN - URL_END).join('')}...${all.slice(-URL_END).join('')}` : text;
  return /^https?:\/\//i.test(text) ? el('a.u', { href: text, target: '_blank', rel: 'noopener noreferrer' }, shown) : el('span.u', { title: text }, shown);
}

// A horizontal bar of a share from 0 to 1.
export function shareBar(share, kind) {
  return svg('svg.bar', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect.bg', { width: 100, height: 10 }), svg(`rect.fg.${kind || 'hid'}`, { width: Math.max(0, Math.min(100, share * 100)), height: 10 }));
}

// Words between [ and ] are what a query found.
export function marked(text) {
  return String(text ?? '').split(/(\[[^\][]{1,80}\])/).map((part) => (/^\[.*\]$/.test(part) ? el('mark', part.slice(1, -1)) : part));
}

let lastId = 0;
export const newId = (name) => `${name}-${++lastId}`;
