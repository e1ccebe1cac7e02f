// Grades of hits, from 0 to 3, which a person gives in place. They are lines of the file of --judgements: query TAB URL TAB grade.
import { el, say } from './dom.js';
import { changeFile } from './requests.js';

export const GRADES = [0, 1, 2, 3];
const fieldsOf = (line) => line.split('\t').map((field) => field.trim());

// A text of lines "key TAB value" with this value for the key; null removes it. All other lines keep their bytes.
export function withLine(text, key, value) {
  const same = (line) => fieldsOf(line).slice(0, -1).join('\t') === key, lines = text.split('\n');
  const at = lines.findIndex(same), line = value === null ? [] : [`${key}\t${value}`];
  const kept = lines.filter((l) => !same(l));
  if (at < 0 && value === null) return text;
  if (at >= 0) kept.splice(at, 0, ...line);
  else if (kept.at(-1) === '') kept.splice(-1, 0, ...line);
  else kept.push(...line, '');
  return kept.join('\n');
}

// about: of the server. why: the reason if no grade can be saved. changed: called after one was.
export function gradesOf(about, changed) {
  const file = about.judgements;
  const why = !file ? 'To grade hits here, start serve with --judgements FILE; the file need not exist yet.' : about.read_only ? 'Grades cannot be saved: serve runs with --read-only.' : '';
  let known = null;
  const read = () => {
    if (known && known.text === file.text) return known.map;
    const rows = file.text.split('\n').map(fieldsOf).filter((f) => f.length === 3 && !f[0].startsWith('#'));
    known = { text: file.text, map: new Map(rows.map(([query, url, grade]) => [`${query}\t${url}`, Number(grade)])) };
    return known.map;
  };
  const of = (query, url) => (file ? read().get(`${query}\t${url}`) : undefined);
  const set = async (query, url, grade) => {
    if (/[\t\n]/.test(query + url)) throw new Error('A query or URL with a tab cannot be graded.');
    await changeFile('judgements', file, (text) => withLine(text, `${query}\t${url}`, grade));
    say(grade === null ? 'No grade' : `Grade ${grade}`);
    changed();
  };
  return { file, why, of, set };
}

// The four grades of a hit: one stop of the tab key; a click on the one that is set removes it.
export function gradeButtons(grades, query, hit, name, done) {
  if (!grades || grades.why) return null;
  const given = grades.of(query, hit.url);
  const choose = (grade) => done(grade);
  return el('span.grades', { role: 'radiogroup', 'aria-label': `Grade of hit ${hit.rank}`, 'data-url': hit.url }, GRADES.map((grade) => el('label', { title: ['not an answer', 'a poor answer', 'a good answer', 'the best answer'][grade] },
    el('input', { type: 'radio', name, value: grade, checked: grade === given, onclick: (event) => choose(event.target.dataset.was === '1' ? null : grade), 'data-was': grade === given ? '1' : '0' }), el('span', grade))),
  given > 3 && el('span.by', `grade ${given}`));
}

// Shows the grades of the file in the buttons that are there.
export function showGrades(place, grades, query) {
  for (const group of place.querySelectorAll('.grades')) {
    const given = grades.of(query, group.dataset.url);
    for (const input of group.querySelectorAll('input')) {
      input.checked = Number(input.value) === given;
      input.dataset.was = input.checked ? '1' : '0';
    }
  }
}
