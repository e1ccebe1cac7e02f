#!/usr/bin/env node
// Compares our decoders with Chromium's TextDecoder: every label of the standard over all sequences of one and two bytes, and sampled
// longer ones. Usage: node scripts/browser/compare_encodings.js [BUILD]     (BUILD: where tests/read_page is, default build/dev)
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');
const { openBrowser, root } = require('./browser.js');
const build = process.argv[2] || path.join(root, 'build/dev');
const labels = fs.readFileSync(path.join(root, 'src/decode/encoding_labels.inc'), 'utf8').match(/\{"([^"]+)"/g).map((l) => l.slice(2, -1))
  .filter((l) => !/^(replacement|hz-gb-2312|iso-2022-cn|iso-2022-cn-ext|iso-2022-kr|csiso2022kr)$/.test(l));

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
  return Buffer.from(parts);
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
