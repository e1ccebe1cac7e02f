#!/usr/bin/env node
// Writes tests/golden/trees.dat: random sequences of tags and letters, and the text and title of the tree that Chromium's DOMParser makes of
// each, in the format of html5lib-tests (without elements). tests/unit/page/test_html5lib_trees.c reads it.
// Usage: node scripts/browser/make_trees.js [COUNT [SEED]] >tests/golden/trees.dat
'use strict';
const { openBrowser } = require('./browser.js');
const count = Number(process.argv[2] || 1500), seed = Number(process.argv[3] || 1);

let state = BigInt(seed);
function next(n) { // splitmix64
  state = (state + 0x9E3779B97F4A7C15n) & 0xFFFFFFFFFFFFFFFFn;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n) & 0xFFFFFFFFFFFFFFFFn;
  z = ((z ^ (z >> 27n)) * 0x94D049BB133111EBn) & 0xFFFFFFFFFFFFFFFFn;
  return Number((z ^ (z >> 31n)) % BigInt(n));
}
const pick = (list) => list[next(list.length)];

// Families of elements that have rules for each other. A case takes most tags from one or two of them.
const FAMILIES = [
  'html head body title base link meta style script noscript template frameset frame noframes body html head br p bgsound basefont',
  'table caption colgroup col tbody thead tfoot tr td th table tr td form input select template script style b p',
  'table caption colgroup col tbody thead tfoot tr td th body html template',
  'select option optgroup hr input textarea button table tr td div p template keygen selectedcontent datalist',
  'p div a b i nobr font em strong code u small big tt s strike center address',
  'a b i nobr p div table td applet marquee object button',
  'form input button textarea isindex label fieldset form div p table template',
  'li ul ol dl dd dt menu dir p div li dd dt address',
  'h1 h2 h6 pre listing plaintext xmp iframe noembed textarea hr br img image embed wbr area param source track keygen p',
  'svg foreignObject desc title math mi mo mn ms mtext annotation-xml mglyph malignmark p div b font table br span svg math',
  'ruby rb rt rtc rp p span div',
  'template table tr td col colgroup caption tbody select option div body html head title template frameset',
  'applet marquee object p div td button a section article aside nav main search hgroup details summary dialog figure figcaption header footer',
].map((line) => line.split(' '));
const ATTRIBUTES = { input: ['', ' type=hidden', ' type=HIDDEN', ' type=text'], font: ['', ' color=x', ' face=y', ' size=1', ' id=z'],
  'annotation-xml': ['', ' encoding=text/html', ' encoding=application/xhtml+xml', ' encoding=x'], a: ['', ' href=x'] };
const SELF_CLOSING = /^(svg|math|mi|mo|path|p|desc|title|script|br|annotation-xml)$/;

function token(families, letters) {
  const tag = pick(pick(families)), kind = next(20);
  if (kind < 9) return `<${tag}${pick(ATTRIBUTES[tag] || [''])}${next(12) === 0 && SELF_CLOSING.test(tag) ? '/' : ''}>`;
  if (kind < 13) return `</${tag}>`;
  if (kind < 18) return letters.shift() || '';
  return pick([' ', '<!--c-->', '<!doctype html>', '\t', '&amp;', '</x>', '<x>']);
}

function make() {
  const families = [pick(FAMILIES), pick(FAMILIES), pick(FAMILIES)].slice(0, 1 + next(3)), letters = [...'abcdefghijklmnopqrstuvw'];
  const parts = [pick(['', '', '<!doctype html>', '<!doctype html><body>', '<head>', '<p>', '<table>', '<!doctype html><table>'])];
  for (let n = 3 + next(18); n > 0; n--) parts.push(token(families, letters));
  parts.push(letters.shift());
  return parts.join('');
}

// In the browser: the text nodes in document order, those of templates among them; whether each is in the first title.
function texts(html) {
  const document = new DOMParser().parseFromString(html, 'text/html');
  const found = [], title = { node: null };
  const walk = (node, fragment) => {
    if (!fragment && !title.node && node.localName === 'title' && node.namespaceURI === 'http://www.w3.org/1999/xhtml') title.node = node;
    if (node.nodeType === 3) found.push([node.data, node.parentNode === title.node]);
    const inside = node.localName === 'template' && node.content ? [node.content] : [];
    for (const child of [...inside, ...node.childNodes]) walk(child, fragment || inside.includes(child));
  };
  walk(document, false);
  return found;
}

(async () => {
  const { browser, page } = await openBrowser({ scripts: true });
  const cases = new Set();
  while (cases.size < count) cases.add(make());
  const found = await page.evaluate(`(${(list, fn) => list.map(eval(fn))})(${JSON.stringify([...cases])}, ${JSON.stringify('(' + texts + ')')})`);
  [...cases].forEach((html, i) => {
    process.stdout.write(`#data\n${html}\n#errors\n#document\n`);
    for (const [text, title] of found[i]) process.stdout.write(title ? `| <title>\n|   "${text}"\n` : `| "${text}"\n`);
    process.stdout.write('\n');
  });
  await browser.close();
})();
