// The view Settings: controls for what a run judges by, and a dry run that lists what other values would hide and show.
import { byId, copyButton, el, newId, number, pageLink, plural, problem, put, say } from './dom.js';
import { showLossesOfSettings } from './losses.js';
import { askLong } from './requests.js';
import { startSweeps, sweep } from './sweep_view.js';

// The controls that are shown first, by heading. $ stands for the near-duplicate method that is chosen. All others follow by section.
const FIRST = [
  { title: 'Near-duplicates', names: ['near.detector', '$.threshold', '$.distance', '$.tolerance', 'near.min_words', 'near.join'] },
  { title: 'Text profile', names: ['fuzzy.quant_rate', 'fuzzy.min_token_len'] },
  { title: 'Scopes', names: ['exact.scope', 'fuzzy.scope', 'near.scope', 'title.scope', 'description.scope'] },
  { title: 'What is hidden', names: ['verdict.relations', 'copy.margin', 'edition.find', 'edition.threshold', 'parameters.threshold'] },
  { title: 'Which document survives', names: ['verdict.order', 'search.ranking.uniqueheuristic.preferhttps', 'search.ranking.uniqueheuristic.preferwwwprefix'] },
];
// Sections that say how documents are read and how a run works, not what is a duplicate.
const NOT_JUDGED = ['store', 'import', 'index', 'run', 'guard', 'mirrors'];
const state = { settings: [], chosen: new Map(), running: null };

export const settingsView = { start, show };

function start(about) {
  state.settings = about.settings.map((s) => ({ ...s, section: s.name.includes('.') ? s.name.split('.')[0] : '' })).filter((s) => s.section && s.dry_run !== false && !NOT_JUDGED.includes(s.section)).map((s) => ({ ...s, ...kindOf(s) }));
  startSweeps(about);
  byId('settings-form').addEventListener('submit', (event) => event.preventDefault());
  byId('dry-run').addEventListener('click', dryRun);
  byId('copy-settings').replaceWith(copyButton('button#copy-settings', 'Copy as configuration', configuration, () => byId('proposal-text')));
  byId('reset-settings').addEventListener('click', () => { state.chosen.clear(); showControls(); changed(); });
}

// The fragment holds the changed settings: #settings?near.scope=host
function show(parameters) {
  state.chosen = new Map([...parameters].filter(([name, value]) => settingOf(name) && value !== settingOf(name).value));
  showControls();
  showProposal();
}

// The control of a setting follows from the values that `twindex settings` names: yes|no, a|b|c, 0..1, list of a b c.
function kindOf({ values, choices }) {
  const range = /^(-?[\d.]+)\.\.(-?[\d.]+)$/.exec(values), list = /^list of ((?:[\w-]+ ?){2,})$/.exec(values);
  if (range) return { kind: 'number', min: Number(range[1]), max: Number(range[2]) };
  if (list && !/words/.test(values)) return { kind: 'list', choices: list[1].split(' ') };
  if (choices || /\|/.test(values)) return { kind: 'choice', choices: choices || values.split('|') };
  return { kind: 'text' };
}

const settingOf = (name) => state.settings.find((s) => s.name === name);
const valueOf = (setting) => state.chosen.get(setting.name) ?? setting.value;

function choose(setting, value) {
  if (value === setting.value) state.chosen.delete(setting.name);
  else state.chosen.set(setting.name, value);
  const row = byId(`setting-${setting.name}`);
  row.classList.toggle('changed', state.chosen.has(setting.name));
  row.querySelector('.was').textContent = state.chosen.has(setting.name) ? `was ${setting.value || 'not set'}` : '';
  if (setting.name === 'near.detector') showControls(row.querySelector('select').id);
  changed();
}

function changed() {
  const p = new URLSearchParams([...state.chosen]);
  history.replaceState(null, '', state.chosen.size ? `#settings?${p}` : '#settings');
  showProposal();
}

// ---- controls

function showControls(focus) {
  const near = settingOf('near.detector'), method = near ? valueOf(near) : '';
  const placed = new Set(), groups = FIRST.map((g) => ({ title: g.title, settings: g.names.map((n) => settingOf(n.replace('$', method))).filter(Boolean) }));
  for (const s of groups.flatMap((g) => g.settings)) placed.add(s.name);
  const rest = new Map();
  for (const s of state.settings.filter((x) => !placed.has(x.name))) rest.set(s.section, [...(rest.get(s.section) || []), s]);
  const open = [...rest.values()].flat().some((s) => state.chosen.has(s.name));
  put(byId('settings-form'), groups.filter((g) => g.settings.length).map((g) => fields(g.title, g.settings)),
    rest.size > 0 && el('details', { open }, el('summary', 'More settings'), [...rest].map(([section, list]) => fields(section, list))));
  if (focus && byId(focus)) byId(focus).focus();
}

const fields = (title, settings) => el('fieldset', el('legend', title), settings.map(settingRow));

function settingRow(setting) {
  const id = `control-${setting.name}`, helps = newId('help'), isChanged = state.chosen.has(setting.name);
  const { control, isGroup } = controlOf(setting, id, helps);
  return el(`div.setting${isChanged ? '.changed' : ''}`, { id: `setting-${setting.name}`, role: isGroup ? 'group' : false, 'aria-labelledby': isGroup ? `name-${setting.name}` : false, 'aria-describedby': isGroup ? helps : false },
    el('div.name', isGroup ? el('span', { id: `name-${setting.name}` }, el('code', setting.name)) : el('label', { for: id }, el('code', setting.name)),
      el('span.was', isChanged ? `was ${setting.value || 'not set'}` : '')),
    control, el('p.by', { id: helps }, setting.help, ' ', setting.kind === 'number' && el('button.small', { type: 'button', 'aria-label': `${setting.name}: try values`, onclick: () => sweep(setting) }, 'Try values')));
}

function controlOf(setting, id, helps) {
  const value = valueOf(setting), describe = { id, 'aria-describedby': helps };
  if (setting.kind === 'choice') {
    const select = el('select', { ...describe, onchange: () => choose(setting, select.value) }, setting.choices.map((c) => el('option', { value: c, selected: c === value }, c)));
    return { control: select };
  }
  if (setting.kind === 'list') return { control: listControl(setting, value), isGroup: true };
  if (setting.kind === 'number' && setting.max - setting.min <= 1) return { control: shareControl(setting, describe, value) };
  const input = el('input', { ...describe, type: setting.kind === 'number' ? 'number' : 'text', min: setting.min, max: setting.max, step: 'any', spellcheck: 'false', onchange: () => { if (input.checkValidity()) choose(setting, input.value.trim()); else input.reportValidity(); } });
  input.value = value;
  return { control: input };
}

// A share from 0 to 1: a slider for the coarse value, a box for the exact one.
function shareControl(setting, describe, value) {
  const move = (from, to) => () => {
    if (from.value === '' || !from.checkValidity()) return from.reportValidity();
    to.value = from.value;
    return choose(setting, String(Number(from.value)));
  };
  const range = el('input', { ...describe, type: 'range', min: setting.min, max: setting.max, step: 0.01 });
  const box = el('input', { type: 'number', min: setting.min, max: setting.max, step: 'any', 'aria-label': `${setting.name}, exact value` });
  range.value = box.value = value;
  range.addEventListener('input', move(range, box));
  box.addEventListener('change', move(box, range));
  return el('div.exact', range, box);
}

// Choices to tick, with buttons that change their order where the order counts.
function listControl(setting, value) {
  const taken = value.split(/[\s,]+/).filter(Boolean), isOrdered = /order/.test(setting.name);
  const names = isOrdered ? [...taken, ...setting.choices.filter((c) => !taken.includes(c))] : setting.choices;
  const place = el('ul.choices');
  const take = () => choose(setting, [...place.querySelectorAll('input:checked')].map((i) => i.value).join(' '));
  const move = (row, by) => {
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(row);
    else other.after(row);
    take();
    say(`${row.querySelector('input').value} is number ${[...place.children].indexOf(row) + 1}`);
  };
  put(place, names.map((name) => {
    const row = el('li', el('label.tick', el('input', { type: 'checkbox', value: name, checked: taken.includes(name), onchange: take }), ` ${name}`),
      isOrdered && el('span', el('button.small', { type: 'button', 'aria-label': `${name}: up`, onclick: (e) => { move(row, -1); e.target.focus(); } }, '↑'),
        el('button.small', { type: 'button', 'aria-label': `${name}: down`, onclick: (e) => { move(row, 1); e.target.focus(); } }, '↓')));
    return row;
  }));
  return place;
}

// ---- the proposal

function configuration() {
  const sections = new Map();
  for (const [name, value] of state.chosen) {
    const at = name.lastIndexOf('.'), section = name.slice(0, Math.max(0, at));
    sections.set(section, [...(sections.get(section) || []), `${name.slice(at + 1)} = ${value}`]);
  }
  return [...sections].sort(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : 0)).map(([section, lines]) => `${section ? `[${section}]\n` : ''}${lines.join('\n')}\n`).join('\n');
}

function showProposal() {
  put(byId('proposal-text'), state.chosen.size ? el('pre', configuration()) : el('p.none', 'None yet. Change a setting, then see what a run with it would hide.'));
  for (const id of ['dry-run', 'copy-settings', 'reset-settings']) byId(id).disabled = state.chosen.size === 0;
}

// ---- the dry run

async function dryRun() {
  if (state.running) state.running.abort();
  const running = state.running = new AbortController();
  problem('dry-run-problem', null);
  put(byId('dry-run-result'));
  try {
    const result = await askLong('/api/dry-run', { body: { settings: Object.fromEntries(state.chosen) }, place: byId('dry-run-progress'), name: 'Dry run', signal: running.signal });
    put(byId('dry-run-result'), el('h2', { tabindex: -1 }, 'Result of the dry run'), changesOf(result));
  } catch (error) {
    if (error.name === 'AbortError') put(byId('dry-run-result'), el('p.none', 'Cancelled. Nothing was written.'));
    else problem('dry-run-problem', error);
  }
}

// result: what `twindex run --dry-run --list --json` prints
export function changesOf(result) {
  const { hidden, shown, moved } = result.changes, difference = result.hidden - result.hidden_before;
  const tile = (kind, name, n, more) => el(`div.tile.${kind}`, el('dt', name), el('dd', el('b', n), more && el('span', more)));
  say(`${plural(hidden.documents, 'document', 'documents')} newly hidden, ${number(shown.documents)} newly shown`);
  const losses = el('div.tile', el('dt', 'Pages no longer found'), el('dd', el('span', 'The texts are being compared'))), list = el('div');
  setTimeout(() => showLossesOfSettings(losses, list, hidden), 0);
  return [el('dl.tiles', losses, tile('hid', 'Hidden', `${number(result.hidden_before)} → ${number(result.hidden)}`, `${difference > 0 ? '+' : difference < 0 ? '−' : '±'}${number(Math.abs(difference))}`),
    tile('hid', 'Newly hidden', number(hidden.documents)), tile('alone', 'Newly shown', number(shown.documents))),
  el('p.by', 'Nothing was written.'), list,
  moved.documents > 0 && listOf('Hidden by another document', moved, 'representative', 'Represented by'), listOf('Newly hidden', hidden, 'representative', 'Represented by'), listOf('Newly shown', shown, 'representative_before', 'Was represented by')];
}

function listOf(title, { documents: total, rows: documents }, other, otherTitle) {
  if (total === 0) return el('section', el('h3', title), el('p.none', 'None.'));
  const id = newId('changes'), filter = el('input', { type: 'search', 'aria-label': `Filter ${title.toLowerCase()}`, placeholder: 'Part of a URL or title' }), output = el('output');
  const table = el('table.sort.changes', el('caption', documents.length < total ? `The first ${number(documents.length)} of ${number(total)}` : plural(total, 'document', 'documents')),
    el('thead', el('tr', el('th', { scope: 'col' }, 'Document'), el('th', { scope: 'col' }, 'Reason'), el('th', { scope: 'col' }, otherTitle))),
    el('tbody', documents.map((d) => el('tr', el('td', { 'data-v': d.url }, el('a.ti', { href: `#documents?id=${encodeURIComponent(d.id)}` }, d.title || 'Without a title'), el('br'), pageLink(d.url)),
      el('td', (d.why || '').replace(/ ?\(\/proc\/self\/fd\/\d+:\d+\)/, '')), el('td', { 'data-v': d[other] || '' }, d[other] && [pageLink(d[other]), el('br'), el('a.by', { href: `#documents?id=${encodeURIComponent(d.id)}&with=${encodeURIComponent(d[other])}` }, 'Compare')])))));
  sortableTable(table);
  filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
      shown += !row.hidden;
    }
    output.textContent = wanted ? `${number(shown)} of ${number(documents.length)}` : '';
  });
  return el('section', { 'aria-labelledby': id }, el('h3', { id }, `${title} (${number(total)})`), documents.length > 5 && el('p.filter', filter, output),
    el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': `${title}: table` }, table));
}
