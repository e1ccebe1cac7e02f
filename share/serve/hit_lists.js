// The hits of one query: one list for each side, and lines between the places of a document.
import { el, marked, newId, number, pageLink, put, score, svg } from './dom.js';
import { gradeButtons, showGrades } from './grades.js';
import { nameOfRule } from './rules_text.js';

const PARTS = 8; // colours of rules; more rules share them

// result: {query, sides: [{name, results, hits, error}]}; grades: of the user (grades.js)
export function showHits(place, result, grades) {
  const known = colourRules(result.sides);
  const mostOf = (side) => Math.max(1e-9, ...(side.results || []).map((h) => extent(h)));
  const lists = result.sides.map((side, i) => hitList(side, result.sides[1 - i], i, { known, most: mostOf(side), query: result.query, grades }));
  const lines = svg('svg.lines', { 'aria-hidden': 'true' });
  const board = el(`div.board${lists.length > 1 ? '.two' : ''}`, lists, lists.length > 1 && lines);
  put(place, grades.why ? el('p.by', grades.why) : el('p.by', el('kbd', '0'), ' to ', el('kbd', '3'), ' grade the hit that has the focus and lead to the next one, ', el('kbd', 'Delete'), ' removes a grade, ', el('kbd', '↓'), ' leads from the query to the hits.'),
    legend(known, lists.length), board);
  board.addEventListener('keydown', (event) => onKey(event, board, result.query, grades));
  if (lists.length < 2 || result.sides.some((s) => s.error)) return;
  followPointer(board);
  new ResizeObserver(() => drawLines(board, lines)).observe(board);
}

// ---- the colour of a rule, the same on both sides

function colourRules(sides) {
  const known = new Map();
  for (const hit of sides.flatMap((s) => s.results || []))
    for (const part of hit.parts || []) {
      const name = nameOfRule(part.rule);
      if (!known.has(name)) known.set(name, `p${known.size % PARTS}`);
    }
  return known;
}

// known: the colours. The bars of a side are scaled by its largest score: those of rules with other weights would be invisible.
function legend(known, sides) {
  if (known.size === 0) return null;
  return el('p.legend', el('span', el('i.swatch.text'), 'text'), [...known].map(([name, colour]) => el('span', el(`i.swatch.${colour}`), el('code', name))), sides > 1 && el('span', 'Each side has its own scale.'));
}

const partsOf = (hit) => [{ rule: 'text', adds: hit.text_score, colour: 'text' }, ...(hit.parts || [])];
const sum = (list) => list.reduce((a, b) => a + b, 0);
// The room that the bar of a hit needs: what is added, and what is subtracted, on the two sides of 0.
const extent = (hit) => sum(partsOf(hit).map((p) => Math.abs(p.adds)));

function scoreBar(hit, { known, most }) {
  const down = sum(partsOf(hit).map((p) => Math.max(0, -p.adds)));
  const bar = svg('svg.score', { viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect.bg', { width: 1000, height: 10 }));
  let right = (down / most) * 1000, left = right;
  for (const part of partsOf(hit)) {
    const width = (Math.abs(part.adds) / most) * 1000;
    if (width === 0) continue;
    if (part.adds < 0) left -= width;
    bar.append(svg(`rect.${part.colour || known.get(nameOfRule(part.rule))}${part.adds < 0 ? '.minus' : ''}`, { x: part.adds < 0 ? left : right, width, height: 10 }));
    if (part.adds > 0) right += width;
  }
  return bar;
}

// ---- a list

function hitList(side, other, index, scale) {
  const title = newId('side'), letter = 'AB'[index];
  const head = el('h3', { id: title }, other ? `${letter}: ` : '', side.name);
  if (side.error) return el('section.list', { 'aria-labelledby': title }, head, el('p.none', 'These rules have a mistake: see the message in the editor.'));
  const hits = side.results || [], seen = new Map();
  if (hits.length === 0) return el('section.list', { 'aria-labelledby': title }, head, el('p.none', 'No hits.'));
  const rows = hits.map((hit) => {
    const cluster = clusterOf(hit), above = cluster === null ? undefined : seen.get(cluster);
    if (cluster !== null && above === undefined) seen.set(cluster, hit.rank);
    return hitRow(hit, { above, other, letter, scale });
  });
  const rest = side.hits - hits.length;
  return el('section.list', { 'aria-labelledby': title }, head, el('ol', rows), rest > 0 && el('p.none', `and ${number(rest)} more`));
}

const clusterOf = (hit) => {
  const flags = hit.flags || {};
  if (flags.duplicate_of !== undefined && flags.duplicate_of !== null) return String(flags.duplicate_of);
  return flags.representative_b === 1 ? String(hit.id) : null;
};

function hitRow(hit, { above, other, letter, scale }) {
  const move = other ? moveOf(hit, other, letter) : null, badge = badgeOf(hit, above), more = el('div.more', { id: newId('more'), hidden: true });
  const open = el('button.as-link', { type: 'button', 'aria-expanded': 'false', 'aria-controls': more.id, 'aria-label': `Details of hit ${hit.rank}: excerpt, score and flags`, onclick: () => {
    more.hidden = !more.hidden;
    open.setAttribute('aria-expanded', !more.hidden);
    if (!more.firstChild) put(more, details(hit, scale));
  } }, 'Details');
  return el(`li.hit${above === undefined ? '' : '.again'}${move ? `.${move.kind}` : ''}`, { 'data-id': String(hit.id), 'data-url': hit.url, 'data-kind': move ? move.kind : false, 'data-side': letter },
    el('div.rank', number(hit.rank)),
    el('div.what',
      el('div.head', el('p.ti', el('a', { href: `#documents?id=${encodeURIComponent(hit.id)}` }, marked(hit.title || hit.url))), move && el(`span.move.${move.kind}`, move.text)),
      el('p', pageLink(hit.url)),
      el('div.row', gradeButtons(scale.grades, scale.query, hit, newId('grade'), (grade) => gradeHit(hit.url, grade, scale)), badge && el(`span.badge${badge.kind}`, { title: badge.why }, badge.text),
        el('span.scored', el('b.n', { title: 'score' }, score(hit.score)), open)),
      more),
    scoreBar(hit, scale));
}

// One badge says why a hit may be one too many; the flags follow in the details.
function badgeOf(hit, above) {
  const flags = hit.flags || {};
  if (above !== undefined) return { kind: '.warn', text: `copy of #${number(above)}`, why: 'The verdict joins it with that hit' };
  if (flags.duplicate_of !== undefined && flags.duplicate_of !== null) return { kind: '', text: 'copy', why: `Represented by document ${flags.duplicate_of}, which is not above` };
  return flags.indexable_b === 0 ? { kind: '', text: 'takes no part', why: 'An error, a redirect or noindex' } : null;
}

// ---- grades

async function gradeHit(url, grade, { query, grades }) {
  const board = document.querySelector('.board');
  try {
    await grades.set(query, url, grade);
  } catch (error) {
    grades.failed(error);
  }
  if (board) showGrades(board, grades, query);
}

// Keys of the hit that has the focus. Radio buttons keep their arrow keys.
function onKey(event, board, query, grades) {
  const hit = event.target.closest('.hit');
  if (!hit || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], grades03 = /^[0-3]$/.test(event.key);
  if (grades03 && !grades.why) gradeHit(hit.dataset.url, Number(event.key), { query, grades });
  else if (event.key === 'Delete' && !grades.why) gradeHit(hit.dataset.url, null, { query, grades });
  else if (step === undefined || event.target.type === 'radio') return;
  event.preventDefault();
  const next = step === -1 ? hit.previousElementSibling : step === 1 || grades03 ? hit.nextElementSibling : null;
  if (next) next.querySelector('a').focus();
}

// Where the document is on the other side.
function moveOf(hit, other, letter) {
  if (other.error) return null;
  const there = (other.results || []).find((h) => String(h.id) === String(hit.id));
  const rank = there ? there.rank : hit.rank_other;
  const there_ = letter === 'A' ? 'B' : 'A';
  if (rank) {
    const up = letter === 'A' ? hit.rank - rank : rank - hit.rank; // from A to B
    const kind = up > 0 ? 'up' : up < 0 ? 'down' : 'same';
    return { kind, text: up === 0 ? 'same' : letter === 'A' ? `${up > 0 ? '↑' : '↓'} ${number(rank)} in B` : `${up > 0 ? '↑' : '↓'} from ${number(rank)}` };
  }
  if (rank === undefined && (other.results || []).length < other.hits) return { kind: letter === 'A' ? 'down' : 'up', text: `below ${number(other.results.length)} in ${there_}` };
  return letter === 'A' ? { kind: 'vanished', text: 'vanished' } : { kind: 'fresh', text: 'new' };
}

function details(hit, { known, most }) {
  const parts = partsOf(hit).filter((p) => p.adds !== 0);
  return [hit.snippet && el('p.snippet', marked(hit.snippet)),
    el('div.scroll', el('table.parts', el('caption', `Score ${score(hit.score)}`), el('tbody', parts.map((p) => el('tr',
      el('th', { scope: 'row' }, p.colour ? 'text' : el('code', p.rule)), el('td.n', score(p.adds)),
      el('td', svg('svg.bar', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect.bg', { width: 100, height: 10 }),
        svg(`rect.${p.colour || known.get(nameOfRule(p.rule))}`, { width: (Math.abs(p.adds) / most) * 100, height: 10 })))))))),
    el('p.all-flags', Object.entries(hit.flags || {}).map(([name, value]) => [el('code', `${name}:${value === null ? 'NULL' : value}`), ' ']))];
}

// ---- lines

function drawLines(board, lines) {
  const room = board.getBoundingClientRect();
  const byId = (letter) => new Map([...board.querySelectorAll(`.hit[data-side=${letter}]`)].map((h) => [h.dataset.id, h]));
  const from = byId('A'), to = byId('B');
  lines.setAttribute('viewBox', `0 0 ${room.width} ${room.height}`);
  const place = (hit, side) => {
    const box = hit.getBoundingClientRect();
    return { x: (side === 'A' ? box.right : box.left) - room.left, y: box.top - room.top + Math.min(26, box.height / 2) };
  };
  const drawn = [];
  for (const [id, hit] of from) {
    const a = place(hit, 'A'), partner = to.get(id);
    if (partner) drawn.push(lineBetween(a, place(partner, 'B'), id, hit.dataset.kind));
    else drawn.push(svg(`path.link.${hit.dataset.kind || 'same'}`, { d: `M${a.x} ${a.y}h18`, 'data-id': id }), hit.dataset.kind === 'vanished' && cross(a.x + 18, a.y));
  }
  for (const [id, hit] of to) if (!from.has(id)) {
    const b = place(hit, 'B');
    drawn.push(svg(`path.link.${hit.dataset.kind || 'same'}`, { d: `M${b.x - 18} ${b.y}h18`, 'data-id': id }), hit.dataset.kind === 'fresh' && svg('circle.fresh', { cx: b.x - 18, cy: b.y, r: 4 }));
  }
  put(lines, drawn);
  markOne(board, board.dataset.marked);
}

const cross = (x, y) => svg('path.link.vanished', { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` });

function lineBetween(a, b, id, kind) {
  const middle = (a.x + b.x) / 2;
  return svg(`path.link.${kind || 'same'}`, { d: `M${a.x} ${a.y}C${middle} ${a.y} ${middle} ${b.y} ${b.x} ${b.y}`, 'data-id': id });
}

// The two places of a document and the line between them stand out while the pointer or the focus is there.
function followPointer(board) {
  const mark = (event) => {
    const hit = event.target.closest('.hit');
    markOne(board, hit ? hit.dataset.id : undefined);
  };
  board.addEventListener('pointerover', mark);
  board.addEventListener('focusin', mark);
  board.addEventListener('pointerleave', mark);
}

function markOne(board, id) {
  for (const e of board.querySelectorAll('.hit, .link')) e.classList.toggle('marked', id !== undefined && e.dataset.id === id);
  board.classList.toggle('pointed', id !== undefined);
  if (id === undefined) delete board.dataset.marked;
  else board.dataset.marked = id;
}
