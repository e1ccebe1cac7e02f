// Two texts side by side. The common passages and the differences, in their order, are the whole texts.
import { el, newId, number } from './dom.js';

const CONTEXT = 240; // characters of a long common passage that are shown at its ends

// c: passages [{before, a, b}], after, differences
export function textsSideBySide(c) {
  const title = newId('texts');
  const rows = c.passages.map((p, i) => row(p.before || '', p.a && el('del', p.a), p.b && el('ins', p.b), { isFirst: i === 0 }));
  if (c.after) rows.push(row(c.after, null, null, { isFirst: rows.length === 0, isLast: true }));
  return el('section', { 'aria-labelledby': title }, el('h3', { id: title }, 'Texts'),
    el('p.by', differences(c), c.differences > 0 && [' ', el('del', 'only in A'), ' ', el('ins', 'only in B')],
      c.coarse && ' Too much differs to separate all of it: long passages also contain what both have.'),
    rows.length > 0 && el('div.texts', rows));
}

function differences(c) {
  if (c.differences === 0) return 'The texts do not differ.';
  const shown = c.passages.length < c.differences ? `; the first ${number(c.passages.length)} are shown` : '';
  return `${number(c.differences)} ${c.differences === 1 ? 'passage differs' : 'passages differ'}${shown}.`;
}

// A row has a common passage and the difference after it. The common passage stands in both columns, but once for screen readers and on
// narrow screens; a long one is shortened until its button is pressed.
function row(common, a, b, { isFirst, isLast }) {
  const left = el('span'), right = el('span.copy', { 'aria-hidden': 'true' });
  const fill = (l, r) => { left.replaceChildren(...l); right.replaceChildren(...r); };
  const characters = [...common];
  if (characters.length <= 3 * CONTEXT) {
    fill([common], [common]);
  } else {
    const start = isFirst && !isLast ? '' : `${characters.slice(0, CONTEXT).join('')} … `, end = isLast ? '' : ` … ${characters.slice(-CONTEXT).join('')}`;
    const hidden = `${number(characters.length - (start ? CONTEXT : 0) - (end ? CONTEXT : 0))} more characters`;
    const button = el('button.as-link', { type: 'button', onclick: () => fill([common], [common]) }, `${hidden} that both have`);
    fill([start, button, end], [start, hidden, end]);
  }
  return el('div.pair', el('p', left, a), el('p', right, b));
}
