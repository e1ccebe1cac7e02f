// The view Rules: a query or a list of queries, ranked by rules A and rules B.
import { byId, el, later, number, percent, plural, problem, put, say, score, shareBar } from './dom.js';
import { ask, askLong } from './requests.js';
import { rulesEditor } from './rules_editor.js';
import { showHits } from './hit_lists.js';

const WAIT = 250; // milliseconds after the last change of a text
const state = { about: null, editors: [], running: null, ofList: '' };

export const rulesView = { start, show };

function start(about) {
  state.about = about;
  const why = about.read_only ? 'serve runs with --read-only' : '';
  state.editors = ['A', 'B'].map((side) => rulesEditor({ side, files: about.rules, why, saveFile, changed: later(WAIT, () => { remember(); search(); }) }));
  put(byId('editors'), state.editors.map((e) => e.element));
  if (about.queries && about.queries.length) byId('list').value = about.queries.map((q) => q.query ?? q).join('\n');
  byId('query-form').addEventListener('submit', (event) => { event.preventDefault(); remember(true); search(); });
  for (const id of ['is-list', 'with-b', 'raw', 'limit']) byId(id).addEventListener('change', () => { showControls(); remember(); search(); });
}

// ---- the fragment and the controls

function show(parameters) {
  const files = state.about.rules.map((f) => f.name), list = parameters.get('list') === '1';
  byId('query').value = parameters.get('q') || '';
  byId('is-list').checked = list;
  byId('with-b').checked = parameters.get('compare') !== '0';
  byId('raw').checked = parameters.get('raw') === '1';
  byId('limit').value = ['10', '20', '50', '100'].includes(parameters.get('limit')) ? parameters.get('limit') : '20';
  state.ofList = list ? parameters.get('q') || '' : '';
  const wanted = [parameters.get('a') ?? (files.length > 1 ? files[0] : ''), parameters.get('b') ?? files[files.length > 1 ? 1 : 0] ?? ''];
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

async function saveFile(file, text) {
  const saved = await ask('/api/rules', { method: 'PUT', body: { name: file.name, text, version: file.version } });
  file.text = text;
  file.version = saved.version;
  say(`${file.name} is saved`);
}

// ---- searching

const sides = () => state.editors.slice(0, byId('with-b').checked ? 2 : 1);
const queriesOf = (text) => text.split('\n').map((l) => l.trim()).filter((l) => l && !l.startsWith('#'));
const rulesOf = () => sides().map((e) => ({ name: e.name, text: e.text }));

async function search() {
  if (state.running) state.running.abort();
  const running = state.running = new AbortController();
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
  }
}

// Messages appear also while there is no query.
async function checkRules(signal) {
  await Promise.all(sides().map(async (editor) => {
    const { messages } = await ask('/api/rules/check', { method: 'POST', body: { text: editor.text }, signal });
    editor.showMessage(messages[0] || null);
  }));
}

async function searchOne(query, signal) {
  if (!query) {
    put(byId('figures'), el('p.none', 'Type a query to see what the rules do to its hits.'));
    put(byId('hits'));
    return;
  }
  const result = await resultOf(query, signal);
  showFigures(result);
  showHits(byId('hits'), result);
  say(result.sides.map((s) => `${s.name}: ${plural(s.hits || 0, 'hit', 'hits')}`).join(', '));
}

async function resultOf(query, signal) {
  const body = { query, rules: rulesOf(), limit: Number(byId('limit').value), raw: byId('raw').checked };
  const [result] = (await ask('/api/search', { method: 'POST', body, signal })).results;
  if (result.error) throw new Error(result.error);
  return resultWithFigures(result);
}

// The figures of a side stand in its member a, as `twindex search --json` names them.
const resultWithFigures = (result) => ({ ...result, sides: (result.sides || []).map((side) => ({ ...side, ...side.a })) });

// ---- the figures of one query

const FIGURES = [
  { name: 'Duplicates in the first 10', key: 'duplicates_in_10', isShare: true },
  { name: 'Duplicates in the first 100', key: 'duplicates_in_100', isShare: true },
  { name: 'nDCG@10', key: 'ndcg_10', isShare: false, isGood: true },
];

function showFigures(result) {
  const used = result.sides.filter((s) => !s.error), figures = FIGURES.filter((f) => used.some((s) => typeof s[f.key] === 'number'));
  if (used.length === 0) return put(byId('figures'));
  return put(byId('figures'), el('dl.compared', el('div', el('dt', 'Hits'), used.map((s, i) => el('dd', el('b', number(s.hits)), letterOf(used, i)))),
    figures.map((f) => el('div', el('dt', f.name), used.map((s, i) => el('dd', shareBar(s[f.key] ?? 0, f.isGood ? 'good' : 'hid'), el('b', valueText(f, s[f.key])), letterOf(used, i)))))));
}

const letterOf = (used, i) => used.length > 1 && el('span.by', ` ${'AB'[i]}`);
const valueText = (figure, value) => (typeof value !== 'number' ? 'none' : figure.isShare ? percent(value) : value.toFixed(3));

// ---- a list of queries

async function searchList(signal) {
  const queries = queriesOf(byId('list').value);
  if (queries.length === 0) {
    put(byId('figures'), el('p.none', 'Write a query on each line. Lines that begin with # are comments.'));
    put(byId('hits'));
    return;
  }
  const answer = await askLong('/api/search', { body: { queries, rules: rulesOf(), limit: 1, raw: byId('raw').checked }, place: byId('search-progress'), name: `Searching ${plural(queries.length, 'query', 'queries')}`, signal });
  showList(answer.results.map(resultWithFigures));
  if (queries.includes(state.ofList)) await showOfList(state.ofList, signal);
  else put(byId('hits'), el('p.none', 'Choose a query to see its hits.'));
  say(`${plural(answer.results.length, 'query', 'queries')} searched`);
}

async function showOfList(query, signal) {
  const result = await resultOf(query, signal);
  for (const row of byId('figures').querySelectorAll('tbody tr')) row.classList.toggle('chosen', row.dataset.query === query);
  showHits(byId('hits'), result);
  byId('hits').prepend(el('h2', query));
}

function showList(results) {
  const letters = sides().map((_, i) => 'AB'[i]), figures = FIGURES.filter((f) => results.some((r) => (r.sides || []).some((s) => typeof s[f.key] === 'number')));
  const columns = figures.flatMap((f) => letters.map((letter, i) => ({ ...f, side: i, letter })));
  const value = (r, c) => (r.sides && r.sides[c.side] ? r.sides[c.side][c.key] : undefined);
  const head = el('tr', el('th', { scope: 'col' }, 'Query'), letters.map((l) => el('th.n', { scope: 'col' }, letters.length > 1 ? `Hits ${l}` : 'Hits')),
    columns.map((c) => el('th.n', { scope: 'col' }, `${shortName(c)}${letters.length > 1 ? ` ${c.letter}` : ''}`)));
  const rows = results.map((r) => el('tr', { 'data-query': r.query },
    el('th', { scope: 'row' }, el('button.as-link', { type: 'button', onclick: () => choose(r.query) }, r.query), r.error && el('span.by', ` ${r.error}`)),
    letters.map((_, i) => el('td.n', { 'data-v': r.sides && r.sides[i] ? r.sides[i].hits ?? '' : '' }, r.sides && r.sides[i] && r.sides[i].hits !== undefined ? number(r.sides[i].hits) : '')),
    columns.map((c) => el('td.n', { 'data-v': value(r, c) ?? '' }, typeof value(r, c) === 'number' ? valueText(c, value(r, c)) : ''))));
  const table = el('table.sort.queries', el('caption', letters.length > 1 ? `${plural(results.length, 'query', 'queries')} by rules A and B` : plural(results.length, 'query', 'queries')),
    el('thead', head), el('tbody', rows), el('tfoot', meansRow(results, letters, columns, value), letters.length > 1 && columns.length > 0 && differenceRow(results, figures, letters)));
  put(byId('figures'), el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Figures of the queries' }, table));
  sortableTable(table);
}

const shortName = (figure) => ({ duplicates_in_10: 'Dup. in 10', duplicates_in_100: 'Dup. in 100' }[figure.key] || figure.name);
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

function meansRow(results, letters, columns, value) {
  const meanOf = (c) => {
    const values = results.map((r) => value(r, c)).filter((v) => typeof v === 'number');
    return values.length ? valueText(c, mean(values)) : '';
  };
  return el('tr.sum', el('th', { scope: 'row' }, 'Mean'), letters.map(() => el('td')), columns.map((c) => el('td.n', meanOf(c))));
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
  return el('tr', el('th', { scope: 'row' }, 'B − A'), letters.map(() => el('td')), cells);
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
