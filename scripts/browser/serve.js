// Starts `twindex serve` for a test and stops it.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');
const { PAGES } = require('./stores.js');
const { root } = require('./browser.js');

// Copies of what a session may write to, so that each test begins with the same files.
function sessionFiles(name, queries, judgements) {
  const file = (end) => path.join(PAGES, `${name}-${end}`);
  const files = { rules: [file('a.rules'), file('b.rules')], pins: file('pins.txt'), labels: file('labels.tsv'), queries: file('queries.txt'), judgements: file('judgements.tsv') };
  fs.copyFileSync(path.join(root, 'share/rules/demote-duplicates.rules'), files.rules[0]);
  fs.copyFileSync(path.join(root, 'share/rules/hide-duplicates.rules'), files.rules[1]);
  fs.writeFileSync(files.pins, '');
  fs.writeFileSync(files.labels, '');
  fs.writeFileSync(files.queries, queries.map((q) => `${q}\n`).join(''));
  fs.writeFileSync(files.judgements, judgements.map((j) => `${j.join('\t')}\n`).join(''));
  return files;
}

// Resolves with {url, origin, stop} when the server has printed its address.
function startServe(options, store, args) {
  const child = spawn(path.join(options.build, 'twindex'), ['serve', store, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL')); // after a test that ended early
  const stopped = new Promise((done) => { child.on('exit', done); });
  const stop = async () => { child.kill('SIGTERM'); return stopped; };
  return new Promise((done, failed) => {
    let said = '';
    const read = (bytes) => {
      said += bytes;
      const address = /http:\/\/127\.0\.0\.1:\d+\/#token=\w+/.exec(said);
      if (address) done({ url: address[0], origin: address[0].replace(/\/#.*/, ''), stop });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', failed);
    stopped.then((code) => failed(new Error(`twindex serve ended with ${code}: ${said}`)));
  });
}

function serveArguments(files, more = []) {
  return ['--port', '0', ...files.rules.flatMap((f) => ['--rules', f]), '--pins', files.pins, '--labels', files.labels, '--queries', files.queries, '--judgements', files.judgements, ...more];
}

module.exports = { serveArguments, sessionFiles, startServe };
