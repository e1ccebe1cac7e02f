// What the values of one setting hide: a curve and a table, and for the threshold of the near-duplicate method pairs to answer for.
import { byId, el, newId, number, pageLink, percent, problem, put, say, svg } from './dom.js';
import { withLine } from './grades.js';
import { ask, askLong, changeFile } from './requests.js';

const WIDTH = 640, HEIGHT = 220, LEFT = 64, BOTTOM = 28, TOP = 12;
const state = { running: null, labels: null, pins: false, threshold: '' };

export function startSweeps(about) {
  state.labels = about.read_only ? null : about.labels;
  state.pins = Boolean(about.pins) && !about.read_only;
  state.threshold = `${about.settings.find((s) => s.name === 'near.detector').value}.threshold`; // pairs are compared by this method
}

// Values around the present one; the threshold of a method has a range of its own.
function rangeOf(setting) {
  if (setting.name === state.threshold) return setting.name;
  const now = Number(setting.value), share = setting.max <= 1;
  const low = Math.max(setting.min, share ? now - 0.2 : Math.floor(now / 2)), high = Math.min(setting.max, share ? now + 0.2 : Math.max(now * 2, low + 10));
  return `${setting.name}=${Number(low.toFixed(6))}..${Number(high.toFixed(6))}`;
}

export async function sweep(setting) {
  if (state.running) state.running.abort();
  const running = state.running = new AbortController(), place = byId('dry-run-result');
  problem('dry-run-problem', null);
  put(place);
  try {
    const result = await askLong('/api/sweep', { body: { setting: rangeOf(setting) }, place: byId('dry-run-progress'), name: `Values of ${setting.name}`, signal: running.signal });
    const title = el('h2', { tabindex: -1 }, 'What values of ', el('code', result.setting), ' hide'), pairs = el('div');
    put(place, title, curve(result), table(result), pairs);
    title.focus();
    say(`${number(result.values.length)} values of ${result.setting}`);
    if (result.setting === state.threshold) await showPairs(pairs, result.setting, result.present, running.signal);
  } catch (error) {
    if (error.name === 'AbortError') put(place, el('p.none', 'Cancelled. Nothing was written.'));
    else problem('dry-run-problem', error);
  }
}

// Near-duplicates and hidden documents by value; a line stands at the present one.
function curve({ values, present, setting }) {
  const lines = [{ name: 'near-duplicates', field: 'near', kind: 'near' }, { name: 'hidden by the verdict', field: 'hidden', kind: 'verdict' }];
  const all = lines.flatMap((l) => values.map((v) => v[l.field])), least = Math.min(...all), most = Math.max(...all, least + 1);
  const first = values[0].value, last = values[values.length - 1].value;
  const x = (v) => LEFT + ((v - first) / (last - first || 1)) * (WIDTH - LEFT - 16), y = (n) => TOP + (1 - (n - least) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const label = (text, at) => svg('text', at, text);
  return el('figure', svg('svg.sweep', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `Documents by ${setting}, from ${number(least)} to ${number(most)}` },
    svg('line.now', { x1: x(present), x2: x(present), y1: TOP, y2: HEIGHT - BOTTOM }), label(`now ${present}`, { x: x(present), y: HEIGHT - 8, 'text-anchor': 'middle' }),
    label(number(most), { x: LEFT - 8, y: TOP + 4, 'text-anchor': 'end' }), label(number(least), { x: LEFT - 8, y: HEIGHT - BOTTOM, 'text-anchor': 'end' }),
    [first, last].filter((v) => Math.abs(x(v) - x(present)) > 60).map((v) => label(String(v), { x: x(v), y: HEIGHT - 8, 'text-anchor': v === first ? 'start' : 'end' })),
    lines.map((l) => svg(`polyline.${l.kind}`, { points: values.map((v) => `${x(v.value)},${y(v[l.field])}`).join(' ') }))),
  el('figcaption', lines.map((l) => [el(`span.key.${l.kind}`), ` ${l.name} `])));
}

function table({ values }) {
  const share = (v, name) => el(`td${v[name] > 0 ? '.bad' : ''}`, v[name] === null ? '' : percent(v[name]));
  return el('div', el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Values: table' }, el('table.values', el('thead', el('tr', ['Value', 'Near-duplicates', 'Hidden', 'Clusters', 'Title word lost', 'Words substituted'].map((t) => el('th', { scope: 'col' }, t)))),
    el('tbody', values.map((v) => el('tr', el('th', { scope: 'row' }, String(v.value), v.present && [' ', el('span.badge', 'now')]), [v.near, v.hidden, v.clusters].map((n) => el('td', number(n))), share(v, 'lost'), share(v, 'things')))))),
  el('p.by', 'Lost: hidden pages with a title word that the page which represents them does not have. Substituted: with words or numbers in the place of others. A search for these words no longer finds the page.'));
}

// ---- pairs

async function showPairs(place, setting, value, signal) {
  const result = await askLong('/api/sweep', { body: { setting, pairs: String(value), labels: Boolean(state.labels) }, place: byId('dry-run-progress'), name: 'Pairs', signal });
  const id = newId('pairs'), at = el('input', { type: 'number', min: 0, max: 1, step: 'any', 'aria-label': 'Similarity' });
  at.value = value;
  put(place, el('section', { 'aria-labelledby': id }, el('h3', { id }, `Pairs of similarity near ${value}`),
    state.labels ? recommendation(result.answers) : el('p.by', 'Start the workbench with --labels FILE to answer for pairs: from twelve answers on, a value is recommended.'),
    el('form.line', { onsubmit: (event) => { event.preventDefault(); again(place, setting, at.value, signal); } }, el('label', 'Similarity ', at), el('button', { type: 'submit' }, 'Other pairs')),
    el('ol.pairs', result.pairs.map(pair))));
}

async function again(place, setting, value, signal) {
  try {
    await showPairs(place, setting, value, signal);
  } catch (error) {
    problem('dry-run-problem', error);
  }
}

function recommendation({ labels, recommended: r }) {
  if (!r) return el('p', `${number(labels)} of 12 answers for a recommendation.`);
  const right = r.right === labels ? `all ${number(labels)} of yours are right` : `${number(r.right)} of your ${number(labels)} answers are right`;
  return el('p', `At ${r.value} ${right}; at the current value, ${number(r.right_now)}. `, el('b', `Recommended: ${r.value}`), `, between ${r.low} and ${r.high} with 80 %. More answers help most at ${r.next}.`);
}

function pair(p) {
  const said = el('span.by', { role: 'status' }), buttons = [];
  const attempt = async (work, done, used) => {
    try {
      await work();
      said.textContent = done;
      for (const button of used) button.disabled = true;
    } catch (error) {
      said.textContent = error.message;
    }
  };
  const pin = () => ask('/api/pins', { method: 'POST', body: { kind: 'separate', a: p.a.url, b: p.b.url } });
  const separate = el('button', { type: 'button', hidden: true, onclick: () => attempt(pin, 'Pinned: they stay separate.', [separate]) }, 'Pin: separate');
  const label = async (same) => {
    await changeFile('labels', state.labels, (text) => withLine(text, `${p.a.url}\t${p.b.url}`, Number(same)));
    separate.hidden = same || !state.pins;
  };
  for (const [text, same] of [['Same page', true], ['Not the same', false]])
    buttons.push(el('button', { type: 'button', disabled: !state.labels, onclick: () => attempt(() => label(same), `Kept: ${text.toLowerCase()}.`, buttons) }, text));
  const side = (page) => el('div', el('b', page.title || 'Without a title'), el('br'), pageLink(page.url));
  const part = (d, kind, text) => el('p', el('span', d.before.slice(-60)), ' ', text && el(kind, text.length > 400 ? `${text.slice(0, 400)} ...` : text));
  return el('li', el('div.two-heads', side(p.a), side(p.b)), el('div.texts', p.passages.map((d) => el('div.pair', part(d, 'del', d.a), part(d, 'ins', d.b)))),
    p.passages.length < p.differences && el('p.by', `${number(p.differences - p.passages.length)} more passages differ.`),
    el('p.actions', el('span.by', `${(100 * p.similarity).toFixed(1)} % `), buttons, separate, said));
}
