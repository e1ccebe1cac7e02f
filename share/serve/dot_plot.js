// B - A by query: a dot for each, sorted, and a sentence that says on how many B is better.
import { el, number, percent, svg } from './dom.js';

const WIDTH = 640, ROW = 15, LEFT = 12, TOP = 8, BOTTOM = 24;
const DOTS_MOST = 60, NAMED = 3;

// values: [{query, change}], change > 0: B is better; name: of the measure; isShare: it is a share
export function dotPlot(values, { name, isShare }) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => b.change - a.change), shown = sorted.length <= DOTS_MOST ? sorted : [...sorted.slice(0, DOTS_MOST / 2), ...sorted.slice(-DOTS_MOST / 2)];
  const most = Math.max(...values.map((v) => Math.abs(v.change)), 1e-9), middle = WIDTH / 2, height = TOP + BOTTOM + shown.length * ROW;
  const x = (change) => middle + (change / most) * (middle - LEFT), text = (change) => (isShare ? percent(Math.abs(change)) : Math.abs(change).toFixed(3));
  return el('figure.dots', el('figcaption', `By ${isShare ? name.toLowerCase() : name}, `, sentence(sorted)),
    values.length > 1 && values.some((v) => v.change !== 0) && el('details', { open: shown.length <= 30 }, el('summary', `${name}, B − A, by query`),
      svg('svg.dot-plot', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': `${name}, B minus A, of ${number(shown.length)} queries` },
        svg('line.zero', { x1: middle, x2: middle, y1: 0, y2: height - BOTTOM }),
        shown.map((v, i) => dot(v, x(v.change), TOP + (i + 0.5) * ROW, middle)),
        svg('text', { x: LEFT, y: height - 6 }, `A better by ${text(most)}`), svg('text', { x: WIDTH - LEFT, y: height - 6, 'text-anchor': 'end' }, `B better by ${text(most)}`))));
}

// The name of the query stands on the side where the dot is not.
function dot({ query, change }, x, y, middle) {
  const kind = change > 0 ? 'better' : change < 0 ? 'worse' : 'equal', label = query.length > 40 ? `${query.slice(0, 39)}…` : query;
  return [svg(`line.${kind}`, { x1: middle, x2: x, y1: y, y2: y }), svg(`circle.${kind}`, { cx: x, cy: y, r: 4 }),
    svg('text', { x: middle + (change > 0 ? -10 : 10), y: y + 4, 'text-anchor': change > 0 ? 'end' : 'start' }, label)];
}

// "B is better on 14, worse on 1: parking; equal on 3."
function sentence(sorted) {
  const better = sorted.filter((v) => v.change > 0), worse = sorted.filter((v) => v.change < 0).reverse(), equal = sorted.length - better.length - worse.length;
  const names = (list) => (list.length ? `: ${list.slice(0, NAMED).map((v) => v.query).join(', ')}${list.length > NAMED ? ', …' : ''}` : '');
  return ['B is better on ', el('b', number(better.length)), ', worse on ', el('b', number(worse.length)), `${names(worse)}${equal ? `; equal on ${number(equal)}` : ''}.`];
}
