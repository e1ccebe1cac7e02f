// Two texts side by side. The common passages and the differences, in their order, are the whole texts.
import { el, newId, number } from './dom.js';

const CONTEXT = 240; // characters of a common passage that are shown at its ends

// c: passages [{before, a, b}], after, differences
export function textsSideBySide(c) {
  const title = newId('texts'), rows = [];
  for (const p of c.passages) {
    rows.push(common(p.before || '', rows.length === 0));
    rows.push(el('div.pair.differs', el('p', p.a ? el('del', p.a) : el('span.by', 'nothing here')), el('p', p.b ? el('ins', p.b) : el('span.by', 'nothing here'))));
  }
  if (c.after) rows.push(common(c.after, rows.length === 0, true));
  const note = c.differences === 0 ? 'The texts do not differ.' : `${number(c.differences)} ${c.differences === 1 ? 'passage differs' : 'passages differ'}${c.passages.length < c.differences ? `; the first ${number(c.passages.length)} are shown` : ''}.`;
  return el('section', { 'aria-labelledby': title }, el('h3', { id: title }, 'Texts'), el('p.by', note,
    c.differences > 0 && [' ', el('del', 'only in A'), ' ', el('ins', 'only in B')], c.coarse && ' Too much differs to separate all of it: long passages also contain what both have.'),
  rows.length > 0 && el('div.texts', rows));
}

// What both texts have stands in both columns (once for screen readers and on narrow screens); a long passage is shortened until its button is
// pressed.
function common(text, isFirst, isLast) {
  if (text === '') return '';
  const row = el('div.pair.both');
  const fill = (left, right) => row.replaceChildren(el('p', left), el('p', { 'aria-hidden': 'true' }, right));
  const characters = [...text];
  if (characters.length <= 3 * CONTEXT) {
    fill(text, text);
    return row;
  }
  const start = isFirst ? '' : characters.slice(0, CONTEXT).join(''), end = isLast ? '' : characters.slice(-CONTEXT).join('');
  const hidden = number(characters.length - (start ? CONTEXT : 0) - (end ? CONTEXT : 0));
  const button = el('button.as-link', { type: 'button', onclick: () => fill(text, text) }, `${hidden} more characters that both have`);
  const around = (middle) => [start, start && ' … ', middle, end && ' … ', end];
  fill(around(button), around(`${hidden} more characters`));
  return row;
}
