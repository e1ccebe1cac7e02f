// Stores that the pages are tested with: an ordinary crawl and a hostile one, both made here.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { root } = require('./browser.js');

const PAGES = path.join(root, 'build/pages');

const words = (n, seed) => Array.from({ length: n }, (_, i) => `word${(i * 7 + seed * 13) % 97}`).join(' ');

// A crawl with two mirrors, near-duplicates, a soft 404, one title on many pages, and parameters that do not matter.
function sampleCrawl() {
  const rows = [];
  const add = (url, title, text, more) => rows.push({ url, title, text, status: 200, ...more });
  for (let i = 0; i < 40; i++) {
    const text = `Chapter ${i}. ${words(120, i)}`;
    for (const host of ['www.docs.example', 'mirror.docs.example']) add(`https://${host}/chapter/${i}`, `Chapter ${i}`, text);
    if (i % 4 === 0) add(`https://old.docs.example/chapter/${i}`, `Chapter ${i}`, text.replace('word1 ', 'changed ').replace('word40', 'other'));
    for (const sort of ['up', 'down']) add(`https://www.docs.example/chapter/${i}?sort=${sort}`, `Chapter ${i}`, text);
  }
  for (let i = 0; i < 530; i++) add(`https://shop.example/missing/${i}`, 'Page not found', `Sorry, this page was not found. ${words(30, 1)}`);
  for (let i = 0; i < 12; i++) add(`https://shop.example/item/${i}`, 'The shop', `Item ${i}: ${Array.from({ length: 80 }, (_, k) => `item${i}part${k}`).join(' ')}`);
  for (let i = 0; i < 60; i++) add(`https://host${i}.example/`, `Host ${i}`, `Host ${i} ${Array.from({ length: 30 }, (_, k) => `h${i}w${k}`).join(' ')}`);
  for (let i = 0; i < 6; i++) add(`https://shop.example/gone/${i}`, 'Gone', 'gone', { status: 404 });
  return rows;
}

// What a crawl may hold to harm whoever looks at it.
function hostileCrawl() {
  const bad = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\'"--></style></script><svg onload=alert(1)>', '</title><base href=//evil.example>',
    '<meta http-equiv=refresh content="0;url=http://evil.example/">', '\u202egnp.exe', 'a\u0000b\u001b[31m', ']]>&lt;b&gt;', '<iframe srcdoc="<script>alert(1)</script>">',
    `<a href="javascript:alert(1)">${'x'.repeat(3000)}`];
  const rows = [];
  bad.forEach((b, i) => {
    for (let k = 0; k < 6; k++)
      rows.push({ url: `http://evil${i}.example/${k}/${k === 5 ? 'y'.repeat(5000) : ''}${b}`, title: b, status: 200, text: `${b} not found ${words(40, i)}${k % 2 ? ` but number ${k} differs ${b}` : ''}` });
  });
  for (const host of ['twin.example', 'www.twin.example']) rows.push({ url: `http://${host}/${bad[0]}`, title: bad[1], text: `${bad[2]} ${words(40, 50)}`, status: 200 });
  rows.push({ url: 'javascript:alert(1)', title: 'script', text: words(30, 99), status: 200 });
  rows.push({ url: 'http://e.example/" onmouseover=alert(1) x="', title: 'quote', text: words(30, 98), status: 200 });
  return rows;
}

function twindex(options, ...args) {
  const done = spawnSync(path.join(options.build, 'twindex'), args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`twindex ${args.join(' ')}: ${done.stderr}${done.error || ''}`);
}

// An id that JavaScript's numbers cannot hold: they have 53 bits.
const LARGE_ID = '9007199254740993';

// What the crawl brings before the last run: error pages, and a mirror.
const LATER = /\/missing\/|\/\/mirror\./;

function makeStore(options, name, rows) {
  const store = path.join(PAGES, `${name}.db`);
  const crawl = path.join(PAGES, `${name}.jsonl`);
  for (const file of fs.readdirSync(PAGES)) if (file.startsWith(`${name}.db`)) fs.rmSync(path.join(PAGES, file));
  const write = (some) => { fs.writeFileSync(crawl, some.map((r) => `${JSON.stringify(r)}\n`).join('')); twindex(options, 'import', '--quiet', store, crawl); };
  twindex(options, 'init', '--quiet', store);
  write(rows.filter((r) => !LATER.test(r.url)));
  spawnSync('sqlite3', [store, `UPDATE documents SET id = ${LARGE_ID} WHERE id = (SELECT max(id) FROM documents)`]);
  twindex(options, 'run', '--quiet', '--force', store);
  twindex(options, 'learn', '--quiet', store);
  twindex(options, 'run', '--quiet', '--force', '--set', 'verdict.relations=scheme www', store);
  write(rows);
  twindex(options, 'run', '--quiet', '--force', store);
  twindex(options, 'index', '--quiet', store);
  return store;
}

// The crawl of docs/tuning.md with the files of its session, in a folder of their own.
function makeFerry(options, folder) {
  const example = path.join(root, 'docs/examples/ferry'), file = (name) => path.join(folder, name);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  twindex(options, 'init', '--quiet', file('ferry.db'));
  twindex(options, 'import', '--quiet', file('ferry.db'), path.join(example, 'crawl.jsonl'));
  twindex(options, 'run', '--quiet', '--force', file('ferry.db'));
  twindex(options, 'index', '--quiet', file('ferry.db'));
  for (const name of ['queries.txt', 'judgements.tsv']) fs.copyFileSync(path.join(example, name), file(name));
  fs.copyFileSync(path.join(root, 'share/rules/hide-duplicates.rules'), file('hide-duplicates.rules'));
  for (const name of ['my.rules', 'pins.txt']) fs.writeFileSync(file(name), '');
  return { store: file('ferry.db'), file, example };
}

module.exports = { LARGE_ID, PAGES, sampleCrawl, hostileCrawl, makeFerry, makeStore, twindex };
