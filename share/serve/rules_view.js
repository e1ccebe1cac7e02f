// The view Rules: a query or a list of queries, ranked by rules A and rules B.
import { byId, el, later, number, percent, plural, problem, put, say, score, shareBar } from './dom.js';
import { ask, askLong, saveFile } from './requests.js';
import { dotPlot } from './dot_plot.js';
import { gradesOf } from './grades.js';
import { showHits } from './hit_lists.js';
import { lossesOfRules } from './losses.js';
import { presets } from './presets.js';
import { rulesEditor } from './rules_editor.js';
import { showUse } from './use_rules.js';

const WAIT = 250; // milliseconds after the last change of a text
const SUGGESTED = 6, TITLES = 400; // queries of the store's own titles, from so many documents
const PRESET = 'preset/', DEFAULT_B = `${PRESET}hide-duplicates.rules`;
const WIDE = matchMedia('(min-width: 75rem)');
const state = { about: null, files: [], editors: [], running: null, ofList: '', grades: null, checked: [] };

export const rulesView = { start, show };

function start(about) {
  state.about = about;
  const why = about.read_only ? 'serve runs with --read-only' : '';
  state.files = [...about.rules, ...presets.map((f) => ({ name: PRESET + f.name, text: f.text, isPreset: true }))];
  state.editors = ['A', 'B'].map((side, i) => rulesEditor({ side, files: state.files, why, saveFile: save, changed: later(WAIT, () => { remember(); search(); }), copy: () => copyTo(1 - i) }));
  state.grades = gradesOf(about, later(WAIT, graded));
  state.grades.failed = (error) => problem('search-problem', error);
  byId('editors').addEventListener('input', showUseOf);
  byId('rail').open = WIDE.matches;
  WIDE.addEventListener('change', () => { byId('rail').open ||= WIDE.matches; });
  put(byId('editors'), state.editors.map((e) => e.element));
  if (about.queries) byId('list').value = queriesOf(about.queries.text).join('\n');
  suggest().catch(() => {});
  byId('query').addEventListener('keydown', (event) => {
    const first = event.key === 'ArrowDown' && document.querySelector('.hit a');
    if (first) { event.preventDefault(); first.focus(); }
  });
  byId('query-form').addEventListener('submit', (event) => { event.preventDefault(); remember(true); search(); });
  for (const id of ['is-list', 'with-b', 'raw', 'limit']) byId(id).addEventListener('change', () => { showControls(); remember(); search(); });
}

// ---- the fragment and the controls

function show(parameters) {
  const own = state.about.rules.map((f) => f.name), list = parameters.get('list') === '1';
  byId('query').value = parameters.get('q') || '';
  byId('is-list').checked = list;
  byId('with-b').checked = parameters.get('compare') !== '0';
  byId('raw').checked = parameters.get('raw') === '1';
  byId('limit').value = ['10', '20', '50', '100'].includes(parameters.get('limit')) ? parameters.get('limit') : '20';
  state.ofList = list ? parameters.get('q') || '' : '';
  const wanted = [parameters.get('a') ?? (own.length > 1 ? own[0] : ''), parameters.get('b') ?? own[own.length > 1 ? 1 : 0] ?? DEFAULT_B];
  state.editors.forEach((e, i) => { if (e.file !== wanted[i] || !e.opened) { e.open(wanted[i]); e.opened = true; } });
  showControls();
  search();
}

function showControls() {
  const list = byId('is-list').checked;
  byId('query-label').hidden = list;
  byId('list-label').hidden = !list;
  state.editors[1].element.hidden = !byId('with-b').checked;
  byId('editors').classList.toggle('two', byId('with-b').checked);
}

// Writes the state into the address: as a new step of the history for a new query, in its place for a changed option.
function remember(isNew) {
  const list = byId('is-list').checked, p = new URLSearchParams();
  const q = list ? state.ofList : byId('query').value.trim();
  if (q) p.set('q', q);
  if (list) p.set('list', '1');
  if (!byId('with-b').checked) p.set('compare', '0');
  if (byId('raw').checked) p.set('raw', '1');
  if (byId('limit').value !== '20') p.set('limit', byId('limit').value);
  p.set('a', state.editors[0].file);
  if (byId('with-b').checked) p.set('b', state.editors[1].file);
  const hash = `#rules?${p}`;
  if (hash !== location.hash) history[isNew ? 'pushState' : 'replaceState'](null, '', hash);
}

async function save(file, text) {
  await saveFile(file, text);
  say(`${file.name} is saved`);
  showUseOf();
}

function copyTo(side) {
  if (side === 1 && !byId('with-b').checked) byId('with-b').click();
  state.editors[side].take(state.editors[1 - side].text);
  say(`The rules are copied to ${'AB'[side]}`);
}

// Queries to begin with: titles that several documents have, spread over the store. An error page takes no part.
async function suggest() {
  if (!state.about.indexed) return;
  const { documents } = await ask(`/api/documents?q=${encodeURIComponent('://')}&limit=${TITLES}`), counts = new Map();
  for (const { title, judged, takes_part } of documents) {
    if (judged && !takes_part) continue;
    const words = (title || '').match(/[\p{L}\p{N}]+/gu) || [], query = words.slice(0, 5).join(' ');
    if (query.length > 3) counts.set(query, (counts.get(query) || 0) + 1);
  }
  const often = [...counts].sort(([, a], [, b]) => b - a).map(([query]) => query).slice(0, SUGGESTED);
  put(byId('suggested'), often.length > 0 && ['Titles of this store: ', often.map((query) => [el('button.as-link', { type: 'button', onclick: () => {
    byId('is-list').checked = false;
    byId('query').value = query;
    showControls();
    remember(true);
    search();
  } }, query), ' '])]);
}

// ---- searching

const sides = () => state.editors.slice(0, byId('with-b').checked ? 2 : 1);
const queriesOf = (text) => text.split('\n').map((l) => l.trim()).filter((l) => l && !l.startsWith('#'));
const rulesOf = () => sides().map((e) => ({ name: e.name, text: e.text }));

async function search() {
  if (state.running) state.running.abort();
  const running = state.running = new AbortController();
  const slow = setTimeout(() => busy(true), WAIT);
  try {
    await checkRules(running.signal);
    if (byId('is-list').checked) await searchList(running.signal);
    else await searchOne(byId('query').value.trim(), running.signal);
    problem('search-problem', null);
  } catch (error) {
    if (error.name === 'AbortError') return;
    problem('search-problem', error);
    put(byId('hits'));
    put(byId('figures'));
  } finally {
    clearTimeout(slow);
    if (state.running === running) busy(false);
  }
}

// The hits of the query before stay, dimmed, until those of this one are there.
function busy(isBusy) {
  byId('search-work').hidden = !isBusy;
  byId('hits').setAttribute('aria-busy', isBusy);
  byId('figures').setAttribute('aria-busy', isBusy);
}

// Messages appear also while there is no query.
async function checkRules(signal) {
  state.checked = await Promise.all(sides().map(async (editor) => {
    const { text } = editor, checked = await ask('/api/rules/check', { method: 'POST', body: { text }, signal });
    editor.showMessage(checked.messages[0] || null);
    return { ...checked, text };
  }));
  showUseOf();
}

function showUseOf() {
  const last = sides().length - 1;
  showUse(state.editors[last], state.checked[last], { store: state.about.store, query: byId('query').value.trim() });
}

async function searchOne(query, signal) {
  if (!query) {
    put(byId('figures'), el('p.none', 'Type a query to see what the rules do to its hits.'));
    put(byId('hits'));
    return;
  }
  const result = await resultOf(query, signal);
  showFigures(result);
  showHits(byId('hits'), result, state.grades);
  say(result.sides.map((s) => `${s.name}: ${plural(s.hits || 0, 'hit', 'hits')}`).join(', '));
}

// The figures of the query again, with the grades of now; the hits stay where they are.
async function graded() {
  try {
    if (byId('is-list').checked) await searchList(undefined, true);
    else showFigures(await resultOf(byId('query').value.trim(), undefined, 1));
    problem('search-problem', null);
  } catch (error) {
    problem('search-problem', error);
  }
}

async function resultOf(query, signal, limit = Number(byId('limit').value)) {
  const body = { query, rules: rulesOf(), limit, raw: byId('raw').checked };
  const [result] = (await ask('/api/search', { method: 'POST', body, signal })).results;
  if (result.error) throw new Error(result.error);
  return resultWithFigures(result);
}

// The figures of a side stand in its member a, as `twindex search --json` names them.
const resultWithFigures = (result) => ({ ...result, sides: (result.sides || []).map((side) => ({ ...side, ...side.a })) });

// ---- the figures of one query

const FIGURES = [
  { name: 'nDCG@10', key: 'ndcg_10', isShare: false, isGood: true },
  { name: 'Duplicates in the first 10', key: 'duplicates_in_10', isShare: true },
  { name: 'Duplicates in the first 100', key: 'duplicates_in_100', isShare: true },
];

function showFigures(result) {
  const used = result.sides.filter((s) => !s.error), figures = FIGURES.filter((f) => used.some((s) => typeof s[f.key] === 'number'));
  if (used.length === 0) return put(byId('figures'));
  const losses = lossesOfRules([result]), judged = figures.some((f) => f.key === 'ndcg_10');
  return put(byId('figures'), el('dl.compared', losses && losses.tile, el('div', el('dt', 'Hits'), used.map((s, i) => el('dd', el('b', number(s.hits)), letterOf(used, i)))),
    figures.map((f) => el('div', el('dt', f.name), used.map((s, i) => el('dd', shareBar(s[f.key] ?? 0, f.isGood ? 'good' : 'hid'), el('b', valueText(f, s[f.key])), letterOf(used, i)))))),
    !judged && !state.grades.why && el('p.by', 'No hit of this query has a grade yet: with the first one nDCG@10 appears here.'), losses && losses.list);
}

const letterOf = (used, i) => used.length > 1 && el('span.by', ` ${'AB'[i]}`);
const valueText = (figure, value) => (typeof value !== 'number' ? 'none' : figure.isShare ? percent(value) : value.toFixed(3));

// ---- a list of queries

async function searchList(signal, isAgain) {
  const queries = queriesOf(byId('list').value);
  if (queries.length === 0) {
    put(byId('figures'), el('p.none', 'Write a query on each line. Lines that begin with # are comments.'));
    put(byId('hits'));
    return;
  }
  const answer = await askLong('/api/search', { body: { queries, rules: rulesOf(), limit: 1, raw: byId('raw').checked }, place: byId('search-progress'), name: `Searching ${plural(queries.length, 'query', 'queries')}`, signal });
  showList(answer.results.map(resultWithFigures));
  if (isAgain) return;
  if (queries.includes(state.ofList)) await showOfList(state.ofList, signal);
  else put(byId('hits'), el('p.none', 'Choose a query to see its hits.'));
  say(`${plural(answer.results.length, 'query', 'queries')} searched`);
}

async function showOfList(query, signal) {
  const result = await resultOf(query, signal);
  for (const row of byId('figures').querySelectorAll('tbody tr')) row.classList.toggle('chosen', row.dataset.query === query);
  showHits(byId('hits'), result, state.grades);
  byId('hits').prepend(el('h2', query));
}

function showList(results) {
  const letters = sides().map((_, i) => 'AB'[i]), figures = FIGURES.filter((f) => results.some((r) => (r.sides || []).some((s) => typeof s[f.key] === 'number')));
  const columns = figures.flatMap((f) => letters.map((letter, i) => ({ ...f, side: i, letter })));
  const value = (r, c) => (r.sides && r.sides[c.side] ? r.sides[c.side][c.key] : undefined);
  const head = el('tr', el('th', { scope: 'col' }, 'Query'), letters.map((l) => el('th.n', { scope: 'col' }, letters.length > 1 ? `Hits ${l}` : 'Hits')), letters.length > 1 && el('th.n', { scope: 'col' }, 'Lost'),
    columns.map((c) => el('th.n', { scope: 'col' }, `${shortName(c)}${letters.length > 1 ? ` ${c.letter}` : ''}`)));
  const rows = results.map((r) => el('tr', { 'data-query': r.query },
    el('th', { scope: 'row' }, el('button.as-link', { type: 'button', onclick: () => choose(r.query) }, r.query), r.error && el('span.by', ` ${r.error}`)),
    letters.map((_, i) => el('td.n', { 'data-v': r.sides && r.sides[i] ? r.sides[i].hits ?? '' : '' }, r.sides && r.sides[i] && r.sides[i].hits !== undefined ? number(r.sides[i].hits) : '')), letters.length > 1 && el(`td.n${r.gone && r.gone.gone > 0 ? '.bad' : ''}`, { 'data-v': r.gone ? r.gone.gone : '' }, r.gone ? number(r.gone.gone) : ''),
    columns.map((c) => el('td.n', { 'data-v': value(r, c) ?? '' }, typeof value(r, c) === 'number' ? valueText(c, value(r, c)) : ''))));
  const table = el('table.sort.queries', el('caption', letters.length > 1 ? `${plural(results.length, 'query', 'queries')} by rules A and B` : plural(results.length, 'query', 'queries')),
    el('thead', head), el('tbody', rows), el('tfoot', meansRow(results, letters, columns, value), letters.length > 1 && columns.length > 0 && differenceRow(results, figures, letters)));
  const losses = lossesOfRules(results), chosen = state.ofList;
  put(byId('figures'), losses && el('dl.compared', losses.tile), letters.length > 1 && plotOf(results, figures), el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Figures of the queries' }, table), losses && losses.list);
  for (const row of table.tBodies[0].rows) row.classList.toggle('chosen', row.dataset.query === chosen);
  sortableTable(table);
}

// By grades if there are any, else by duplicates, of which fewer are better.
function plotOf(results, figures) {
  const both = (f) => results.filter((r) => r.sides && r.sides.length > 1 && r.sides.every((s) => typeof s[f.key] === 'number'));
  const figure = figures.find((f) => both(f).length > 0);
  return figure && dotPlot(both(figure).map((r) => ({ query: r.query, change: (r.sides[1][figure.key] - r.sides[0][figure.key]) * (figure.isGood ? 1 : -1) })), figure);
}

const shortName = (figure) => ({ duplicates_in_10: 'Dup. in 10', duplicates_in_100: 'Dup. in 100' }[figure.key] || figure.name);
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

function meansRow(results, letters, columns, value) {
  const meanOf = (c) => {
    const values = results.map((r) => value(r, c)).filter((v) => typeof v === 'number');
    return values.length ? valueText(c, mean(values)) : '';
  };
  return el('tr.sum', el('th', { scope: 'row' }, 'Mean'), letters.map(() => el('td')), letters.length > 1 && el('td'), columns.map((c) => el('td.n', meanOf(c))));
}

// Quantiles of Student's t for 95 % intervals, by degrees of freedom from 1.
const T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
  2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042];
const tOf = (freedom) => T[freedom - 1] || 1.96 + 2.4 / freedom;

// The mean of the differences of each query, B minus A, with its 95 % interval.
function differenceRow(results, figures, letters) {
  const cells = figures.map((f) => {
    const differences = results.filter((r) => r.sides && r.sides.length > 1 && r.sides.every((s) => typeof s[f.key] === 'number')).map((r) => r.sides[1][f.key] - r.sides[0][f.key]);
    if (differences.length === 0) return el('td.n', { colspan: 2 });
    const m = mean(differences), n = differences.length;
    const half = n > 1 ? tOf(n - 1) * Math.sqrt(differences.reduce((a, d) => a + (d - m) ** 2, 0) / (n - 1) / n) : NaN;
    const text = (x) => `${x < 0 ? '−' : '+'}${f.isShare ? percent(Math.abs(x)) : Math.abs(x).toFixed(3)}`;
    return el('td.n', { colspan: 2 }, text(m), n > 1 && el('span.by', ` (${text(m - half)} to ${text(m + half)})`));
  });
  return el('tr', el('th', { scope: 'row' }, 'B − A'), letters.map(() => el('td')), el('td'), cells);
}

async function choose(query) {
  state.ofList = query;
  remember(true);
  try {
    await showOfList(query);
    byId('hits').querySelector('h2').scrollIntoView({ block: 'nearest' });
  } catch (error) {
    problem('search-problem', error);
  }
}
