// The view Documents: find a document, see why it is shown or hidden, compare it with another, and pin a decision.
import { byId, el, newId, number, pageLink, percent, plural, problem, put, say } from './dom.js';
import { ask, askLong } from './requests.js';
import { changesOf } from './settings_view.js';
import { textsSideBySide } from './text_passages.js';

const FOUND_MOST = 50, PINS_MOST = 500, TEXT_SHOWN = 400;
const state = { about: null, running: null, query: null, titles: new Map() }; // titles: of the documents found, by id

export const documentsView = { start, show };

function start(about) {
  state.about = about;
  byId('find-form').addEventListener('submit', (event) => {
    event.preventDefault();
    go({ q: byId('find').value.trim() });
  });
}

// #documents?q=WORDS&id=ID&with=ID-OR-URL
const fragmentOf = (p) => `#documents?${new URLSearchParams(Object.entries(p).filter(([, v]) => v !== null && v !== undefined && v !== ''))}`;
const go = (p) => { location.hash = fragmentOf(p); };

async function show(parameters) {
  const q = parameters.get('q') || '', id = parameters.get('id'), other = parameters.get('with');
  if (state.running) state.running.abort();
  const { signal } = state.running = new AbortController();
  byId('find').value = q;
  byId('documents').classList.toggle('with-list', q !== '');
  byId('documents').classList.toggle('with-one', id !== null);
  problem('document-problem', null);
  try {
    await find(q, id, signal);
    if (id && other) await compare(q, id, other, signal);
    else if (id) await explain(q, id, signal);
    else put(byId('document'), welcome(q), q === '' && state.about.pins && decisions(await ask('/api/pins', { signal })));
  } catch (error) {
    if (error.name === 'AbortError') return;
    problem('document-problem', error);
    put(byId('document'));
  }
}

const welcome = (q) => el('p.none', q ? 'Choose a document to see why it is shown or hidden.' : 'Find a document by words of its text or title, or by its URL.');

// ---- finding

async function find(q, id, signal) {
  if (q === '') {
    state.query = null;
    put(byId('found'));
    return;
  }
  if (q !== state.query) {
    const { documents } = await ask(`/api/documents?q=${encodeURIComponent(q)}&limit=${FOUND_MOST}`, { signal });
    state.query = q;
    for (const d of documents) state.titles.set(String(d.id), d.title);
    if (documents.length === 1 && id === null) location.replace(fragmentOf({ q, id: documents[0].id }));
    put(byId('found'), el('h2.unseen', 'Found'), documents.length ? el('ol.found', documents.map((d) => foundRow(q, d))) : el('p.none', 'No document has this URL or these words.'));
    say(plural(documents.length, 'document', 'documents'));
  }
  for (const a of byId('found').querySelectorAll('a')) a.setAttribute('aria-current', a.dataset.id === id);
}

const foundRow = (q, d) => el(`li${d.hidden ? '.again' : ''}`, el('a', { href: fragmentOf({ q, id: d.id }), 'data-id': String(d.id) },
  el('span.ti', d.title || 'Without a title'), el('span.u', d.url), d.hidden && el('span.badge.warn', 'hidden')));

// ---- one document

async function explain(q, id, signal) {
  const documents = await ask(`/api/explain?id=${encodeURIComponent(id)}`, { signal });
  await Promise.all(documents.map((d) => learnTitle(d.id, signal)));
  const texts = documents.map(() => el('div.its-text'));
  put(byId('document'), documents.map((d, i) => explained(q, d, texts[i])));
  await Promise.all(documents.map((d, i) => showText(texts[i], d.id, signal)));
}

async function learnTitle(id, signal) {
  if (state.titles.has(String(id))) return;
  const { documents } = await ask(`/api/documents?q=${encodeURIComponent(id)}&limit=5`, { signal });
  for (const d of documents) state.titles.set(String(d.id), d.title);
}

// A comparison of a document with itself has its whole text.
async function showText(place, id, signal) {
  const read = ask(`/api/compare?a=${encodeURIComponent(id)}&b=${encodeURIComponent(id)}&limit=0`, { signal });
  const { after, message } = await read.catch((error) => ({ message: error.message }));
  if (message !== undefined) return put(place, !signal.aborted && el('p.by', `Its text cannot be shown: ${message}`));
  const characters = [...(after || '')];
  const rest = characters.length - TEXT_SHOWN, text = el('p.text', rest > 0 ? `${characters.slice(0, TEXT_SHOWN).join('')}…` : after || 'It has no text.');
  const more = rest > 0 && el('button.as-link', { type: 'button', onclick: () => { text.textContent = after; more.remove(); } }, `${number(rest)} more characters`);
  return put(place, text, more);
}

// Narrow screens show either the list or a document.
const backToList = (q) => q && el('p.back', el('a', { href: fragmentOf({ q }) }, '← All that were found'));

const isFlag = (name) => /_(b|i|l|s|sl)$/.test(name) || name === 'duplicate_type';

function explained(q, d, text) {
  const { id, url, alone_in: alone, representative, parts, ...lines } = d, title = state.titles.get(String(id));
  const rules = Object.entries(lines).filter(([name]) => !isFlag(name)), flags = Object.entries(lines).filter(([name]) => isFlag(name));
  const survivorId = representative === null ? null : String(representative);
  return el('article', backToList(q), el('h2', title || url), el('p', title && pageLink(url), el('span.id', `document ${id}`)), text, verdict(q, id, d, survivorId),
    pinButtons({ a: id, url }, ['keep', 'prefer']), compareForm(q, id, survivorId),
    el('h3', 'Why'), reasons(q, rules.filter(([name]) => name !== 'duplicate_of' && !alone.includes(name)), parts, alone),
    el('details', el('summary', 'Flags and signatures'), el('dl.why-list.flags', flags.map(([name, value]) => flagRow(name, value)), rules.filter(([name]) => name !== 'duplicate_of').map(([name, value]) => el('div', el('dt', name), el('dd', String(value)))))));
}

// What joins the document with others, a sentence each; what does not stands in one sentence at the end.
const NAMES = { scheme: 'address (http or https)', www: 'address (with or without www.)', exact: 'text', fuzzy: 'text profile', near: 'nearly the same text', copy: 'text and name', title: 'title', description: 'description', edition: 'page in another edition' };

function reasons(q, said, parts, alone) {
  return el('ul.reasons', said.map(([name, text]) => el('li', el('strong', capital(name.replace(/_/g, ' '))), ': ', linked(q, readable(parts[name] || [text])), /[.!?]$/.test(text) ? '' : '.')),
    alone.length > 0 && el('li', `No other document has the same ${alone.map((name) => NAMES[name]).join(', ')}.`));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// The sentence without what only a program needs.
const readable = ([first, ...rest]) => (typeof first === 'string' ? [capital(first.replace(/^signature -?\d+: /, '').replace(/^(\d+) share/, '$1 documents share').replace('; represented by', ', represented by')), ...rest] : [first, ...rest]);

// Parts of a sentence: texts, and documents, which are links to what is said of them here.
const linked = (q, parts) => parts.map((part) => (typeof part === 'string' ? part : el('a', { href: fragmentOf({ q, id: part.id }) }, `${part.id} ${part.url ?? ''}`.trim())));

function verdict(q, id, { parts, ...lines }, survivorId) {
  if (survivorId !== null) return el('p.verdict.is-hidden', el('strong', 'Hidden'), ': represented by ', linked(q, parts.duplicate_of), '. ',
    el('a', { href: fragmentOf({ q, id, with: survivorId }) }, 'Compare the two'));
  if (/^0/.test(lines.indexable_b || '')) return el('p.verdict.is-out', el('strong', 'Takes no part'), `: ${String(lines.indexable_b).replace(/^0:?\s*/, '')}`);
  if (/^1/.test(lines.representative_b || '')) return el('p.verdict.is-shown', el('strong', 'Shown'), ': no other document represents it.');
  return null;
}

function flagRow(name, text) {
  const [, value, why] = /^([^:]*?)(?:: (.*))?$/s.exec(String(text)) || [null, text, ''];
  return el('div', el('dt', el('code', name)), el('dd', el('b', value), why && [' ', el('span.by', why)]));
}

function compareForm(q, id, survivorId) {
  const input = el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'Number or URL' });
  input.value = survivorId || '';
  return el('form.line', { onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) go({ q, id, with: input.value.trim() }); } },
    el('label.wide', 'Compare with ', input), el('button', { type: 'submit' }, 'Compare'));
}

// ---- pins

const PINS = {
  keep: { text: 'Never hide this one', done: 'Never hidden' },
  prefer: { text: 'Prefer this one', done: 'Preferred' },
  separate: { text: 'Not duplicates', done: 'Not duplicates' },
};

// The lines of the file, the latest first; number: as undoing names them.
const linesOf = (file) => file.text.split('\n').map((line, i) => ({ line: line.trim(), number: i + 1, words: line.trim().split(/\s+#/)[0].split(/\s+/) })).map((p) => ({ ...p, kind: PINS[p.words[0].toLowerCase()] })).filter((p) => p.kind).reverse();
const undo = (file, pin) => ask(`/api/pins?line=${pin.number}&version=${file.version}`, { method: 'DELETE' });

// Whether decisions reach the next run, else the lines that make them do so.
function reader({ read, reads, path, config, problem: why }) {
  if (why) return el('p.problem', 'Runs stop at their configuration: ', el('code', why));
  if (read) return el('p.by', 'They count from the next run on.');
  if (reads) return el('p.problem', 'Runs do not read this file: ', el('code', config), ' names ', el('code', reads), '. Start serve without --pins to write there.');
  return el('div.problem', el('p', 'Runs do not read this file yet. Append these lines to ', el('code', config), ' (or give runs ', el('code', `--set verdict.pins=${path}`), '):'), el('pre', `[verdict]\npins = ${path}`));
}

// A dry run with the file as it is now, or with one more pin, in its place.
function effectOf(pin, done) {
  const progress = el('div', { hidden: true }), result = el('div');
  const work = async () => {
    try {
      put(result, changesOf(await askLong('/api/dry-run', { body: { settings: {}, pin }, place: progress, name: 'Dry run' })));
    } catch (error) {
      put(result, error.name !== 'AbortError' && el('p.problem', error.message));
    }
    if (done) done();
  };
  return { work, places: [progress, result] };
}

function effectButton() {
  const { work, places } = effectOf(undefined, () => { button.disabled = false; });
  const button = el('button', { type: 'button', onclick: () => { button.disabled = true; work(); } }, 'What a run with them would change');
  return [el('div.actions', button), places];
}

function decisions(file) {
  const pins = linesOf(file), title = newId('decisions'), says = el('p.by', { role: 'status' });
  const section = el('section', { 'aria-labelledby': title }, el('h2', { id: title, tabindex: -1 }, `Decisions (${number(pins.length)})`),
    el('p', 'In ', el('code', file.path), pins.length ? '.' : ': none yet. A document and a comparison have buttons for them.'), reader(file), says, pins.length > 0 && effectButton(),
    el('ol.decided', pins.slice(0, PINS_MOST).map((pin) => el('li', el('span', el('strong', pin.kind.done), ' ', pin.words.slice(1).map((url, i) => [i > 0 && ' and ', el('a.u', { href: fragmentOf({ q: url }) }, url)])),
      el('button.small', { type: 'button', disabled: state.about.read_only, 'aria-label': `Undo: ${pin.line}`, onclick: async () => {
        try {
          const next = decisions(await undo(file, pin));
          section.replaceWith(next);
          next.querySelector('h2').focus();
          next.querySelector('[role=status]').append('Removed: ', el('code', pin.line));
        } catch (error) {
          put(says, el('span.problem', error.message));
        }
      } }, 'Undo')))),
    pins.length > PINS_MOST && el('p.by', `The latest ${number(PINS_MOST)}.`));
  return section;
}

// Decisions about documents. A button shows what a run with the decision would change; another one then writes it to the file of pins.
function pinButtons({ a, b, url }, kinds) {
  const { about } = state, why = about.read_only ? 'serve runs with --read-only' : about.pins ? '' : 'serve was started without a file of pins';
  const says = el('p.by', { role: 'status' }), follows = el('div'), attempt = (work) => work().catch((error) => put(says, el('span.problem', error.message)));
  const takeBack = (line) => async () => {
    const file = await ask('/api/pins'), pin = linesOf(file).find((p) => p.line === line);
    if (pin) await undo(file, pin);
    put(says, pin ? 'Removed: ' : 'No longer in the file as it was written here: ', el('code', line));
    put(follows);
  };
  const write = (kind, places) => async () => {
    const { line } = await ask('/api/pins', { method: 'POST', body: { kind, a, b } }), file = await ask('/api/pins');
    put(says, 'Added to ', el('code', about.pins), ': ', el('code', line));
    put(follows, reader(file), el('p', el('button.small', { type: 'button', onclick: () => attempt(takeBack(line)) }, 'Undo'), ' ', el('a', { href: '#documents' }, 'All decisions')), places);
  };
  const preview = (kind) => {
    const { work, places } = effectOf({ kind, a, b });
    const confirm = el('button.main', { type: 'button', disabled: !!why, onclick: () => attempt(write(kind, places)) }, 'Write this decision');
    put(says, el('strong', PINS[kind].text), ': what a run with this decision would change. ', why ? `It cannot be written: ${why}.` : ['Nothing is written to ', el('code', about.pins), ' yet.']);
    put(follows, why && !about.read_only && el('pre', `twindex serve ${about.store} --pins pins.txt\n\n# twindex.conf, so that runs read the file, too:\n[verdict]\npins = pins.txt`),
      el('div.actions', confirm, el('button', { type: 'button', onclick: () => { put(says); put(follows); } }, 'Leave it')), places);
    if (!why) confirm.focus();
    work();
  };
  return el('div', { role: 'group', 'aria-label': `Decisions about ${url}` }, el('div.actions', kinds.map((kind) => el('button', { type: 'button', onclick: () => preview(kind) }, PINS[kind].text))), says, follows);
}

// ---- two documents

async function compare(q, id, other, signal) {
  put(byId('document'), el('p.none', { role: 'status' }, 'Comparing…'));
  const c = await ask(`/api/compare?a=${encodeURIComponent(id)}&b=${encodeURIComponent(other)}&limit=0`, { signal });
  put(byId('document'), el('article', backToList(q), el('h2', 'Two documents'), el('div.two-heads', head(q, c.a, 'A'), head(q, c.b, 'B')),
    el('dl.compared', el('div', el('dt', 'Similarity of the texts'), el('dd', c.at_least ? 'at least ' : '', el('b', exactPercent(c.similarity))))),
    (c.copies || []).map((copy) => el('p.by', el('strong', { }, copy.behind.replace(/^a (.*) b$/, 'A $1 B').replace(/^b (.*) a$/, 'B $1 A')), `: ${copy.copy ? 'a copy' : 'not a copy'}; ${copy.reason || ''}`)),
    (c.set_aside || []).map((s) => el('p.by', el('strong', s.document.toUpperCase()), `, ${s.why}: ${plural(s.words, 'word', 'words')}: ${s.first}`)),
    pinButtons({ a: c.a.id, b: c.b.id, url: `${c.a.url} and ${c.b.url}` }, ['separate']),
    textsSideBySide(c), methods(c)));
  say(`Similarity ${exactPercent(c.similarity)}`);
}

const exactPercent = (x) => (typeof x === 'number' ? `${(x * 100).toFixed(x > 0.99 && x < 1 ? 2 : 1).replace(/\.0$/, '')} %` : 'unknown');

function head(q, d, letter) {
  const title = state.titles.get(String(d.id));
  return el('div', el('p.brand', letter), title && el('p.ti', title), el('p', pageLink(d.url)),
    el('p.by', `document ${d.id}, ${number(d.bytes)} bytes; `, el('a', { href: fragmentOf({ q, id: d.id }) }, 'why it is shown or hidden')), pinButtons({ a: d.id, url: d.url }, ['prefer', 'keep']));
}

function methods(c) {
  const list = c.detectors || [], title = newId('methods');
  const answer = (m) => (m.pair ? 'a pair' : m.keys_a && m.keys_b ? 'no pair' : 'no signature');
  const table = el('table.sort', el('caption.unseen', 'What each method finds'), el('thead', el('tr', el('th', { scope: 'col' }, 'Method'), el('th', { scope: 'col' }, 'Says'), el('th.n', { scope: 'col' }, 'Similarity'), el('th.n', { scope: 'col' }, 'Keys in common'))),
    el('tbody', list.map((m) => el('tr', el('th', { scope: 'row' }, el('code', m.detector)), el(`td${m.pair ? '.yes' : '.by'}`, answer(m)),
      el('td.n', { 'data-v': m.similarity ?? -1 }, typeof m.similarity === 'number' ? percent(m.similarity) : '–'), el('td.n', { 'data-v': m.shared_keys }, `${number(m.shared_keys)} of ${number(m.keys_a)} and ${number(m.keys_b)}`)))));
  sortableTable(table);
  return el('section', { 'aria-labelledby': title }, el('h3', { id: title }, 'What each method says'), el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': 'Methods: table' }, table),
    (c.left_out || []).length > 0 && el('p.by', `Not asked, because they read the whole store: ${c.left_out.join(', ')}.`));
}
