// What the browser has to know of the rules language: where the weights stand. The parser of the server decides about everything else.

const SECTION = /^\s*\[(\w+)\]/;
const WEIGHT = /\^(=?)(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/gi;
const NAMED = /([a-z_]\w*)(\s+)(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?!\S)/gi; // of [numbers]; $name stands for it

// The weights of a text: {section, name, value, from, to}, where text.slice(from, to) is the number. A filter has none that count.
export function weightsOf(text) {
  const found = [];
  let section = '', at = 0;
  for (const line of text.split('\n')) {
    const code = withoutComment(line), bare = code.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => '_'.repeat(quoted.length));
    section = (SECTION.exec(code) || [null, section])[1];
    if (section === 'numbers') for (const named of bare.matchAll(NAMED)) found.push(namedAt(named, at));
    else if (section !== 'filter') for (const weight of bare.matchAll(WEIGHT)) found.push(weightAt(code, weight, section, at));
    at += line.length + 1;
  }
  return found;
}

function weightAt(code, weight, section, lineAt) {
  const to = weight.index + weight[0].length;
  return { section, name: nameBefore(code, weight.index), value: Number(weight[2]), from: lineAt + to - weight[2].length, to: lineAt + to };
}

function namedAt(match, lineAt) {
  const [, name, blanks, number] = match, from = lineAt + match.index + name.length + blanks.length;
  return { section: 'numbers', name: `$${name}`, value: Number(number), from, to: from + number.length };
}

// What stands before a '^': a clause, a call or a group in parentheses, without the blanks around it.
function nameBefore(code, end) {
  let depth = 0, quoted = false, at = end;
  while (at > 0) {
    const c = code[at - 1];
    if (c === '"') quoted = !quoted;
    else if (!quoted && (c === ')' || c === ']' || c === '}')) depth++;
    else if (!quoted && (c === '(' || c === '[' || c === '{') && --depth < 0) break;
    else if (!quoted && depth === 0 && /\s/.test(c)) break;
    at--;
  }
  return code.slice(at, end).replace(/^[+]/, '') || 'group';
}

function withoutComment(line) {
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\' && quoted) i++;
    else if (line[i] === '"') quoted = !quoted;
    else if (line[i] === '#' && !quoted) return line.slice(0, i);
  }
  return line;
}

// Slider positions are logarithmic: near 0 steps are small, at 1000 they are large. 60 positions on each side of 0.
export const SLIDER = 60;
export const positionOf = (value) => Math.round(Math.sign(value) * Math.min(SLIDER, 15 * Math.log10(Math.abs(value) + 1)));

export function weightAtPosition(position) {
  const size = 10 ** (Math.abs(position) / 15) - 1;
  return Math.sign(position) * Number(size.toPrecision(size < 1 ? 1 : 2)) || 0;
}

export const nameOfRule = (rule) => rule.replace(/\^=?(-?[\d.]+(e[+-]?\d+)?|\$\w+)$/i, '');
