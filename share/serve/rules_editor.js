// An editor of ranking rules: line numbers, the parser's message under the line with the mistake, and a slider for each weight.
import { el, newId, put } from './dom.js';
import { SLIDER, positionOf, weightAtPosition, weightsOf } from './rules_text.js';

const LINES_LEAST = 4, LINES_MOST = 12;
const UNNAMED = ''; // rules that are in no file

// options: side ('A'), files ([{name, text, version, isPreset}]), saveFile(file, text), why (the reason if none can be saved), changed(), copy()
export function rulesEditor(options) {
  const editor = { options, drafts: readDrafts(options.side), file: UNNAMED, message: null };
  makeElements(editor);
  editor.weights.addEventListener('input', (event) => moveSlider(editor, event.target));
  editor.area.addEventListener('input', () => { textChanged(editor); showWeights(editor); });
  editor.area.addEventListener('scroll', () => { placeMarks(editor); });
  editor.select.addEventListener('change', () => { open(editor, editor.select.value); options.changed(); });
  return {
    element: editor.element,
    get text() { return editor.area.value; },
    get file() { return editor.file; },
    get saved() { return savedText(editor); },
    get isOwn() { return editor.file !== UNNAMED && !fileOf(editor).isPreset; },
    get name() { return (editor.file && shortName(editor.file, options.files)) || (editor.area.value.trim() ? 'unsaved rules' : 'the text alone'); },
    open: (file) => open(editor, file),
    take: (text) => { setText(editor, text); options.changed(); },
    showMessage: (message) => showMessage(editor, message),
  };
}

function makeElements(editor) {
  const { side, files } = editor.options, title = newId('rules'), says = newId('message');
  editor.select = el('select', { 'aria-label': `File of rules ${side}` },
    el('option', { value: UNNAMED }, 'No file: the text alone'), files.map((f) => el('option', { value: f.name }, shortName(f.name, files))));
  editor.gutter = el('div.gutter', { 'aria-hidden': 'true' });
  editor.marks = el('div.marks', { 'aria-hidden': 'true' });
  editor.area = el('textarea', { 'aria-labelledby': title, 'aria-describedby': says, spellcheck: 'false', wrap: 'off', autocapitalize: 'off', autocomplete: 'off' });
  editor.says = el('p.says', { id: says, role: 'status' });
  editor.state = el('p.by', { role: 'status' });
  editor.weights = el('div.weights');
  editor.folder = el('details', { open: true }, el('summary', 'Weights'), editor.weights);
  editor.save = el('button', { type: 'button', onclick: () => save(editor) }, 'Save');
  editor.revert = el('button', { type: 'button', onclick: () => revert(editor) }, 'Revert');
  editor.element = el('section.side', { 'aria-labelledby': title },
    el('div.side-head', el('h2', { id: title }, `Rules ${side}`), editor.select,
      el('div.actions', editor.save, editor.revert, el('button', { type: 'button', onclick: () => download(editor) }, 'Download'),
        el('button', { type: 'button', onclick: () => editor.options.copy() }, side === 'A' ? 'Copy A to B' : 'Copy B to A'))),
    el('div.editor', editor.gutter, el('div.sheet', editor.marks, editor.area)), editor.says, editor.state, editor.folder);
}

// The last part of a file's name, where that is enough to tell it from the others.
function shortName(name, files) {
  const last = (path) => path.split('/').pop();
  const own = files.filter((f) => !f.isPreset);
  if (own.length < files.length && !own.some((f) => f.name === name)) return `${last(name)} (preset)`;
  return own.filter((f) => last(f.name) === last(name)).length === 1 ? last(name) : name;
}

// ---- the text

const fileOf = (editor) => editor.options.files.find((f) => f.name === editor.file) || { text: '' };
const savedText = (editor) => fileOf(editor).text;

function open(editor, file) {
  editor.file = editor.options.files.some((f) => f.name === file) ? file : UNNAMED;
  editor.select.value = editor.file;
  setText(editor, editor.drafts[editor.file]?.text ?? savedText(editor));
}

function setText(editor, text) {
  editor.area.value = text;
  textChanged(editor, true);
  showWeights(editor);
}

function textChanged(editor, isOpened) {
  const text = editor.area.value, isDraft = text !== savedText(editor);
  if (isDraft) editor.drafts[editor.file] = { text, version: (editor.drafts[editor.file] || fileOf(editor)).version };
  else delete editor.drafts[editor.file];
  sessionStorage.setItem(`drafts ${editor.options.side}`, JSON.stringify(editor.drafts));
  showState(editor, isDraft);
  const lines = text.split('\n').length;
  editor.area.rows = Math.max(LINES_LEAST, Math.min(LINES_MOST, lines + 1));
  editor.gutter.textContent = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
  showMessage(editor, null);
  if (!isOpened) editor.options.changed();
}

// By file: {text, version}; version: of the file when the text was first changed.
function readDrafts(side) {
  try {
    return JSON.parse(sessionStorage.getItem(`drafts ${side}`)) || {};
  } catch (error) {
    return {};
  }
}

function showState(editor, isDraft) {
  const { why } = editor.options, reason = why || (!editor.file ? 'these rules are in no file that serve was started with' : fileOf(editor).isPreset ? 'this is a preset' : '');
  let text = '';
  if (isDraft && reason) text = `Changed. To be downloaded, not saved: ${reason}.`;
  else if (isDraft && editor.drafts[editor.file].version !== fileOf(editor).version) text = 'Changed here, and in the file by another program: Save replaces the file, Revert shows it.';
  else if (isDraft) text = 'Changed, not saved.';
  if (editor.state.textContent !== text) editor.state.textContent = text;
  editor.save.disabled = !!reason || !isDraft;
  editor.revert.disabled = !isDraft;
}

// ---- the message under a line

// message: {line, column, message} or null
function showMessage(editor, message) {
  editor.message = message;
  editor.area.setAttribute('aria-invalid', message ? 'true' : 'false');
  const text = message ? `Line ${message.line}${message.column ? `, column ${message.column}` : ''}: ${message.message}` : '';
  if (editor.says.textContent !== text) editor.says.textContent = text;
  placeMarks(editor);
}

function placeMarks(editor) {
  const { message, area } = editor;
  editor.gutter.style.transform = `translateY(${-area.scrollTop}px)`;
  put(editor.marks);
  if (!message || !message.line) return;
  const style = getComputedStyle(area), height = parseFloat(style.lineHeight), column = Math.max(0, (message.column || 1) - 1);
  const top = parseFloat(style.paddingTop) + (message.line - 1) * height - area.scrollTop;
  if (top < -height || top > area.clientHeight) return;
  const band = el('div.bad-line'), text = el('div.bad-text', message.message);
  band.style.top = `${top}px`;
  text.style.top = `${top + height}px`;
  editor.marks.append(band, text);
  const left = parseFloat(style.paddingLeft) + column * characterWidth(style) - area.scrollLeft;
  text.style.left = `${Math.max(4, Math.min(left, editor.marks.clientWidth - text.offsetWidth - 4))}px`;
}

let widths = {};
function characterWidth(style) {
  if (!widths[style.font]) {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.font = style.font;
    widths = { [style.font]: canvas.measureText('0'.repeat(100)).width / 100 };
  }
  return widths[style.font];
}

// ---- sliders

function showWeights(editor) {
  const found = weightsOf(editor.area.value);
  editor.folder.hidden = found.length === 0;
  put(editor.weights, found.map((w, i) => {
    const id = newId('weight'), range = el('input', { id, type: 'range', min: -SLIDER, max: SLIDER, step: 1, 'data-at': i, 'aria-valuetext': w.value });
    range.value = positionOf(w.value);
    const box = el('input.n', { type: 'number', step: 'any', 'data-at': i, 'aria-label': `Weight of ${w.name}` });
    box.value = w.value;
    return el('div.weight', el('label', { for: id, title: `[${w.section}] ${w.name}` }, el('code', w.name)), range, box);
  }));
}

function moveSlider(editor, input) {
  const weight = weightsOf(editor.area.value)[Number(input.dataset.at)];
  const value = input.type === 'range' ? weightAtPosition(Number(input.value)) : Number(input.value);
  if (!weight || input.value === '' || !Number.isFinite(value)) return;
  const text = editor.area.value;
  editor.area.value = text.slice(0, weight.from) + String(value) + text.slice(weight.to);
  const [range, box] = input.closest('.weight').querySelectorAll('input');
  range.setAttribute('aria-valuetext', value);
  if (input === range) box.value = value;
  else range.value = positionOf(value);
  textChanged(editor);
}

// ---- files

async function save(editor) {
  const file = editor.options.files.find((f) => f.name === editor.file);
  try {
    await editor.options.saveFile(file, editor.area.value);
    textChanged(editor, true);
    editor.state.textContent = `Saved to ${editor.file}.`;
  } catch (error) {
    editor.state.textContent = error.message;
  }
}

function revert(editor) {
  setText(editor, savedText(editor));
  editor.options.changed();
  editor.area.focus();
}

function download(editor) {
  const url = URL.createObjectURL(new Blob([editor.area.value], { type: 'text/plain' }));
  const link = el('a', { href: url, download: (editor.file.split('/').pop() || 'my.rules') });
  link.click();
  URL.revokeObjectURL(url);
}
