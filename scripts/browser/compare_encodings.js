#!/usr/bin/env node
// Compares our decoders with Chromium's TextDecoder: every label of the standard over all sequences of one and two bytes, and sampled
// longer ones, and lines of random bytes. Usage: node scripts/browser/compare_encodings.js [BUILD [SEED [LINES [LABEL,...]]]]
//   BUILD: where tests/decode_bytes is, default build/dev; SEED and LINES: of the random bytes, default 7 and 60000; LABEL: default all
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');
const { openBrowser, root } = require('./browser.js');
const build = process.argv[2] || path.join(root, 'build/dev');
const seedOfLines = Number(process.argv[3] || 7), lines = Number(process.argv[4] || 60000);
const labels = fs.readFileSync(path.join(root, 'share/tables/encodings.tsv'), 'utf8').split('\n').filter((row) => row && row[0] !== '#')
  .flatMap((row) => row.split('\t')[2].split(' '))
  .filter((l) => !process.argv[5] || process.argv[5].split(',').includes(l))
  .filter((l) => !/^(replacement|hz-gb-2312|iso-2022-cn|iso-2022-cn-ext|iso-2022-kr|csiso2022kr)$/.test(l));

// Lines of 1 to 40 random bytes: all values, mostly large ones, lead bytes before ASCII, escapes and digits among two-byte characters.
function randomLines() {
  const parts = [];
  let state = BigInt(seedOfLines);
  const next = (n) => { // splitmix64
    state = (state + 0x9E3779B97F4A7C15n) & 0xFFFFFFFFFFFFFFFFn;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n) & 0xFFFFFFFFFFFFFFFFn;
    z = ((z ^ (z >> 27n)) * 0x94D049BB133111EBn) & 0xFFFFFFFFFFFFFFFFn;
    return Number((z ^ (z >> 31n)) % BigInt(n));
  };
  const kinds = [() => next(256), () => 0x80 + next(128), () => (next(2) ? 0x81 + next(126) : 0x20 + next(96)),
    () => [0x8e, 0x8f, 0xa0, 0xa1, 0xfe, 0xff, 0x80, 0x81, 0x7f, 0x39][next(10)], () => [0x1b, 0x24, 0x28, 0x42, 0x4a, 0x40, 0x49, 0x30 + next(10)][next(8)]];
  for (let i = 0; i < lines; i++) {
    const kind = next(kinds.length), n = 1 + next(40);
    for (let k = 0; k < n; k++) parts.push(next(4) ? kinds[kind]() : kinds[next(kinds.length)]());
    parts.push(0x2e, 0x0a);
  }
  return parts;
}

// Bytes of which every sequence ends with two letters, so that each is seen by itself: all pairs, then random triples and quadruples.
function sample() {
  const parts = [];
  for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) parts.push(a, b, 0x2e, 0x0a);
  let seed = 7;
  const next = () => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return seed >>> 16 & 255; };
  for (let i = 0; i < 200000; i++) {
    const high = () => 0x80 | next();
    parts.push(high(), i % 3 ? high() : 0x30 + next() % 10, high(), i % 2 ? 0x30 + next() % 10 : next(), 0x2e, 0x0a);
  }
  for (let i = 0; i < 50000; i++) parts.push(0x8f, 0x80 | next(), 0x80 | next(), 0x2e, 0x0a);
  for (const e of ['(B', '(J', '(I', '$@', '$B', '(X', '']) for (let i = 0; i < 3000; i++) parts.push(0x1b, ...Buffer.from(e), next() & 127, next() & 127, next(), 0x1b, 0x28, 0x42, 0x2e, 0x0a);
  // no '<' or '&' and no control that HTML treats in its own way: texts are compared after decoding, through <plaintext>
  return Buffer.from(parts.concat(randomLines()));
}

(async () => {
  const bytes = sample();
  const { browser, page } = await openBrowser({ scripts: true });
  const program = path.join(build, 'tests/decode_bytes');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'twindex-encodings-'));
  const file = path.join(folder, 'bytes');
  fs.writeFileSync(file, bytes);
  await page.evaluate((base64) => { window.bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)); }, bytes.toString('base64'));
  let wrong = 0;
  for (const label of labels) {
    const theirs = await page.evaluate((l) => new TextDecoder(l, { ignoreBOM: true }).decode(window.bytes), label);
    const done = spawnSync(program, [label, file], { maxBuffer: 2 ** 30 });
    const ours = done.stdout.toString('utf8');
    if (ours === theirs) continue;
    wrong++;
    let at = 0;
    while (ours[at] === theirs[at]) at++;
    console.log(`${label}: ours ${JSON.stringify(ours.slice(at - 4, at + 12))}, browser ${JSON.stringify(theirs.slice(at - 4, at + 12))} at ${at}`);
  }
  await browser.close();
  fs.rmSync(folder, { recursive: true });
  console.log(`${labels.length} labels, ${bytes.length} bytes each: ${wrong} differ`);
  process.exit(wrong ? 1 : 0);
})().catch((e) => { console.error(String(e.stack || e)); process.exit(1); });
