// What comes of rules: as SQL, as a condition, as a command, and as a difference to the file that they are in.
import { byId, copyButton, el, put } from './dom.js';

// editor: of the rules; checked: the answer of /api/rules/check with the text that it is about; store, query: as of the workbench
export function showUse(editor, checked, { store, query }) {
  const place = byId('use-these'), file = editor.isOwn ? editor.file : 'my.rules';
  byId('use-name').textContent = `Use ${editor.name}`;
  if (!checked || checked.text !== editor.text) return put(place, el('p.none', 'The rules are being checked.'));
  if (checked.messages.length) return put(place, el('p.none', 'The rules have a mistake.'));
  const none = 'These rules ask for more than flags (host, fetched_at, …), which only twindex search can do.';
  const parts = [['SQL', checked.sql, none], ['WHERE', checked.sql && condition(checked.where), none],
    ['Command', `twindex search ${quoted(store)} ${quoted(query || 'QUERY')} --rules ${quoted(file)}\ntwindex rules --sql ${quoted(file)}`, ''],
    ['Difference to the file', editor.isOwn ? difference(editor.file, editor.saved, editor.text) : '', editor.isOwn ? 'The file has these rules.' : 'These rules are in no file of yours: download them, or start serve with --rules FILE.']];
  return put(place, parts.map(([name, text, instead]) => {
    const pre = el('pre', { tabindex: 0, role: 'region', 'aria-label': name }, text);
    return el('section', el('h3', name), text ? [pre, copyButton('button.small', 'Copy', () => text, () => pre)] : el('p.none', instead));
  }));
}

const condition = (where) => `-- documents that the filter shows\nSELECT f.id FROM document_flags AS f\nWHERE ${where};\n`;
const quoted = (word) => (/^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

// In the form that patch reads, with the whole file around the changes: rules are short. '' if nothing has changed.
export function difference(file, before, after) {
  if (before === after) return '';
  const linesOf = (text) => (text ? text.replace(/\n$/, '').split('\n') : []);
  const a = linesOf(before), b = linesOf(after), n = a.length, m = b.length, rows = [];
  const longest = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1)); // common subsequence of the rests
  for (let i = n - 1; i >= 0; i--) for (let k = m - 1; k >= 0; k--) longest[i][k] = a[i] === b[k] ? longest[i + 1][k + 1] + 1 : Math.max(longest[i + 1][k], longest[i][k + 1]);
  for (let i = 0, k = 0; i < n || k < m;) {
    if (i < n && k < m && a[i] === b[k]) { rows.push(` ${a[i++]}`); k++; }
    else if (i < n && (k === m || longest[i + 1][k] >= longest[i][k + 1])) rows.push(`-${a[i++]}`);
    else rows.push(`+${b[k++]}`);
  }
  return `--- ${file}\n+++ ${file}\n@@ -${n ? 1 : 0},${n} +${m ? 1 : 0},${m} @@\n${rows.join('\n')}\n`;
}
