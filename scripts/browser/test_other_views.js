// The views Settings and Documents of the workbench, control by control.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { LARGE_ID, PAGES } = require('./stores.js');

// ---- Settings

async function testControls(bench) {
  const { page } = bench;
  await bench.open('#settings');
  const row = (name) => page.locator(`[id="setting-${name}"]`);
  const text = () => page.innerText('#proposal-text');
  bench.check(await page.locator('#dry-run').isDisabled() && /None yet/.test(await text()), 'without a change there is nothing to try');
  await row('alignment.threshold').locator('input[type=range]').focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
  bench.check(/\[alignment\]\s+threshold = 0\.75/.test(await text()), 'a slider', await text());
  await row('fuzzy.quant_rate').locator('input[type=number]').fill('0.05');
  await page.keyboard.press('Tab');
  bench.check(/\[fuzzy\]\s+quant_rate = 0\.05/.test(await text()), 'an exact value', await text());
  await row('near.min_words').locator('input').fill('5');
  await page.keyboard.press('Tab');
  await row('near.scope').locator('select').selectOption('host');
  bench.check(/min_words = 5\s+scope = host/.test(await text()), 'a number and a choice', await text());
  await row('verdict.relations').locator('input[value=copy]').uncheck();
  await row('verdict.order').locator('button[aria-label="fetched_at: up"]').click();
  bench.check(/relations = scheme www canonical redirect\norder = score origin fetched_at url_length/.test(await text()), 'relations and their order', await text());
  await row('near.detector').locator('select').selectOption('minhash');
  bench.check(await row('minhash.threshold').isVisible() && await page.evaluate(() => document.activeElement.closest('.setting').id) === 'setting-near.detector', 'another method has its own threshold, and the focus stays');
  const share = row('minhash.threshold').locator('input[type=number]');
  await share.fill('7');
  await page.keyboard.press('Tab');
  bench.check(!/\[minhash\]/.test(await text()) && await share.evaluate((i) => !i.validity.valid), 'a value out of range is not taken');
  const address = page.url();
  await page.reload();
  await page.waitForSelector('#settings:not([hidden])');
  bench.check(page.url() === address && /scope = host/.test(await text()) && /order = score origin fetched_at/.test(await text()), 'a link holds the changes');
  await page.click('#copy-settings');
  bench.check((await page.evaluate(() => navigator.clipboard.readText())).trim() === (await page.locator('#proposal-text pre').textContent()).trim(), 'the changes are copied');
  await page.click('#reset-settings');
  bench.check(/None yet/.test(await text()) && /#settings$/.test(page.url()), 'all changes are taken back');
}

// The values of a threshold, against what `sweep` prints, and answers about pairs.
async function testSweep(bench) {
  const { page, store, files } = bench;
  await bench.open('#settings');
  await page.click('button[aria-label="alignment.threshold: try values"]');
  await page.waitForSelector('.pairs', { state: 'attached', timeout: 60000 });
  await bench.quiet();
  const shell = bench.json('sweep', store, 'alignment.threshold', '--json'), near = bench.json('sweep', store, 'alignment.threshold', '--pairs', '0.8', '--json').pairs;
  const rows = await page.evaluate(() => [...document.querySelectorAll('#dry-run-result tbody tr')].map((r) => [...r.cells].map((c) => c.innerText)));
  bench.check(JSON.stringify(rows.map((r) => [parseFloat(r[0]), r[1], r[2], r[3]])) === JSON.stringify(shell.values.map((v) => [v.value, ...[v.near, v.hidden, v.clusters].map((n) => n.toLocaleString('en'))])), 'the values of a threshold are those of the shell', JSON.stringify(rows[0]));
  bench.check(rows.filter((r) => /now/.test(r[0])).length === 1 && await page.locator('.sweep .now').count() === 1, 'the value now is marked in the table and in the curve');
  bench.check(await page.locator('.pairs > li').count() === near.length && near.length > 0, 'the pairs nearest to it are those of the shell');
  await page.screenshot({ path: path.join(PAGES, `${bench.name}-sweep.png`), fullPage: true });
  const [first, second] = near, button = (i, text) => page.locator('.pairs > li').nth(i).getByRole('button', { name: text });
  await button(0, 'Same page').click();
  await page.waitForFunction(() => /Kept/.test(document.querySelector('.pairs').innerText));
  bench.check(fs.readFileSync(files.labels, 'utf8') === `${first.a.url}\t${first.b.url}\t1\n` && await button(0, 'Same page').isDisabled(), 'an answer becomes a label');
  if (second) {
    await button(1, 'Not the same').click();
    await button(1, 'Pin: separate').click();
    await page.waitForFunction(() => /Pinned/.test(document.querySelector('.pairs').innerText));
    bench.check(/\t0\n$/.test(fs.readFileSync(files.labels, 'utf8')) && (bench.name === 'hostile' ? /^separate http\S+ http\S+\n$/.test(fs.readFileSync(files.pins, 'utf8')) : fs.readFileSync(files.pins, 'utf8').includes(`separate ${second.a.url} ${second.b.url}`)), 'pages that are not the same can be pinned', fs.readFileSync(files.pins, 'utf8'));
    fs.writeFileSync(files.pins, '');
  }
  await page.getByRole('button', { name: 'Other pairs' }).click();
  await page.waitForFunction(() => !/ 0 of 12 answers|^0 of 12 answers/m.test(document.querySelector('#dry-run-result').innerText));
  bench.check((await page.innerText('#dry-run-result')).includes(`${second ? 2 : 1} of 12 answers`), 'the answers are counted', await page.innerText('#dry-run-result'));
}

// The dry run, against what `run --dry-run` prints with the same configuration file.
async function testDryRun(bench) {
  const { page, store, name } = bench;
  const before = bench.json('digest', '--json', store);
  await bench.open('#settings?verdict.relations=scheme');
  await page.click('#dry-run');
  await bench.quiet();
  await page.waitForSelector('#dry-run-result h2');
  const config = path.join(PAGES, `${name}-proposal.conf`);
  fs.writeFileSync(config, await page.locator('#proposal-text pre').textContent());
  const shell = bench.json('run', '--dry-run', '--list', '--limit', '0', '--json', '--config', config, store).changes;
  const found = await page.evaluate(() => [...document.querySelectorAll('#dry-run-result section')].map((s) => ({ title: s.querySelector('h3').innerText, urls: [...s.querySelectorAll('tbody tr')].map((r) => r.cells[0].dataset.v), reasons: [...s.querySelectorAll('tbody tr')].every((r) => r.cells[1].innerText.length > 3) })));
  const urls = (list) => JSON.stringify(list.map((r) => r.url).sort().slice(0, 500));
  bench.check(found.at(-1).reasons && shell.shown.documents > 0 && found.at(-1).title.includes(`(${shell.shown.documents.toLocaleString('en')})`), 'newly shown documents with reasons, as many as the shell counts', `${found.at(-1).title} ${shell.shown.documents}`);
  if (shell.shown.documents <= 500) bench.check(JSON.stringify([...found.at(-1).urls].sort()) === urls(shell.shown.rows), 'they are those that the shell lists');
  bench.check(JSON.stringify(bench.json('digest', '--json', store)) === JSON.stringify(before), 'nothing is written');
  const rows = () => page.locator('table.changes').last().locator('tbody tr:visible').count();
  const filter = page.locator('#dry-run-result .filter input').last();
  if (await filter.count()) {
    await filter.fill('no such document');
    bench.check(await rows() === 0, 'a filter that fits no document');
    await filter.fill('');
    bench.check(await rows() === found.at(-1).urls.length, 'without a filter all are back');
  }
  await page.locator('table.changes').last().locator('thead button').first().click();
  bench.check(await page.locator('table.changes').last().locator('thead th').first().getAttribute('aria-sort') === 'ascending', 'changes sorted by URL');
  await page.locator('#dry-run-result td a', { hasText: 'Compare' }).last().click();
  await bench.quiet();
  bench.check(await bench.shown('#document .texts, #document .compared'), 'a newly shown document is compared with the one that represented it');
}

// A long task: progress, and a button that cancels it. The answers about the task are the test's own, so that it lasts.
async function testProgress(bench) {
  const { page } = bench;
  await bench.open('#settings?verdict.relations=scheme');
  let cancelled = false;
  await page.route('**/api/task*', (route) => {
    if (route.request().method() === 'DELETE') cancelled = true;
    return route.fulfill({ json: cancelled ? { state: 'cancelled' } : { state: 'running', stage: 'group and judge', done: 30, total: 120 } });
  });
  await page.click('#dry-run');
  await page.waitForSelector('#dry-run-progress progress[value="30"]');
  bench.check(/group and judge: 30 of 120/.test(await page.innerText('#dry-run-progress')), 'a long request shows its progress');
  await page.focus('#dry-run-progress button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#dry-run-result .none');
  bench.check(cancelled && /Cancelled/.test(await page.innerText('#dry-run-result')) && await page.locator('#dry-run-progress').isHidden(), 'and is cancelled by its button');
  await page.unroute('**/api/task*');
  await bench.quiet();
}

// ---- Documents

async function testFinding(bench) {
  const { page, query } = bench;
  await bench.open('#documents');
  bench.check(/Find a document/.test(await page.innerText('#document')), 'the view begins with a hint');
  await page.focus('#find');
  await page.keyboard.type(query);
  await page.keyboard.press('Enter');
  await bench.quiet();
  bench.check(await bench.count('.found li') > 1, 'documents found by words');
  await page.focus('.found a');
  await page.keyboard.press('Enter');
  await bench.quiet();
  const id = await page.getAttribute('.found a[aria-current=true]', 'data-id'), url = await page.locator('.found a[aria-current=true] .u').textContent();
  const [shell] = bench.json('explain', '--json', bench.store, id);
  const shown = await page.evaluate(() => ({ flags: [...document.querySelectorAll('.flags dt')].map((d) => d.textContent), why: [...document.querySelectorAll('.why-list dd')].map((d) => d.textContent) }));
  const all = [...shown.flags, ...shown.why];
  bench.check(shown.flags.includes('http_unique_b') && Object.entries(shell).filter(([k]) => !['id', 'url', 'duplicate_of', 'alone_in', 'representative', 'parts'].includes(k)).every(([k, v]) => all.includes(k) || all.includes(String(v))), 'a document is explained, with all that twindex explain says', all.length);
  await page.fill('#find', url);
  await page.keyboard.press('Enter');
  await bench.quiet();
  bench.check((await page.locator('.found .u').allTextContents()).includes(url), 'a document found by its URL', url);
  await bench.open('#documents?id=99999999');
  bench.check(/no document/i.test(await page.innerText('#document-problem')), 'a document that is not there is reported in words', await page.innerText('#document-problem'));
}

// A decision takes two steps: what it would change, and writing it.
async function decide(page, text) {
  await page.locator('#document button', { hasText: text }).click();
  await page.locator('#document button', { hasText: 'Write this decision' }).click();
}

// A document whose id is larger than JavaScript's exact numbers: its links and its pins name this document and no other.
async function testLargeId(bench) {
  const { page, files, store } = bench;
  const [row] = JSON.parse(spawnSync('sqlite3', ['-json', store, `SELECT url FROM documents WHERE id = ${LARGE_ID}`], { encoding: 'utf8' }).stdout || '[]');
  if (!row) return; // a store that was made elsewhere
  await bench.open(`#documents?q=${encodeURIComponent(row.url)}`);
  await page.locator('.found a').first().click();
  await bench.quiet();
  bench.check(page.url().includes(`id=${LARGE_ID}`) && (await page.innerText('#document article .id')).endsWith(LARGE_ID), 'a document with an id of 54 bits', page.url());
  await decide(page, 'Never hide this one');
  await bench.quiet();
  const said = await page.locator('#document [role=group]').first().innerText();
  bench.check(said.includes('keep http') && fs.readFileSync(files.pins, 'utf8').includes('keep http'), 'it is pinned', said);
}

async function testComparing(bench) {
  const { page } = bench;
  await bench.open('#documents?id=1');
  await page.fill('#document form input', '2');
  await page.keyboard.press('Enter');
  await bench.quiet();
  const shell = bench.json('compare', '--json', '--limit', '0', bench.store, '1', '2');
  const shown = await page.evaluate(() => ({ methods: document.querySelectorAll('#document table tbody tr').length, del: [...document.querySelectorAll('.texts del')].map((e) => e.textContent), ins: [...document.querySelectorAll('.texts ins')].map((e) => e.textContent) }));
  bench.check(shown.methods === shell.detectors.length, 'what each method says', shown.methods);
  bench.check(JSON.stringify(shown.del) === JSON.stringify(shell.passages.filter((p) => p.a).map((p) => p.a)) && JSON.stringify(shown.ins) === JSON.stringify(shell.passages.filter((p) => p.b).map((p) => p.b)), 'the differences are marked', JSON.stringify(shown).slice(0, 300));
  bench.check(/#documents\?id=1&with=2/.test(page.url()), 'the address names both', page.url());
  await page.locator('#document thead button', { hasText: 'Similarity' }).click();
  const values = await page.evaluate(() => [...document.querySelectorAll('#document tbody tr')].map((r) => Number(r.cells[2].dataset.v)));
  bench.check(values.every((v, i) => i === 0 || values[i - 1] >= v), 'methods sorted by similarity, largest first', values.slice(0, 5));
}

async function testPins(bench) {
  const { page, files } = bench;
  await bench.open('#documents?id=1&with=2');
  const pins = () => fs.readFileSync(files.pins, 'utf8').trim().split('\n').filter(Boolean);
  for (const [text, kind] of [['Not duplicates', 'separate'], ['Prefer this one', 'prefer'], ['Never hide this one', 'keep']]) {
    const before = pins().length, group = page.locator('#document [role=group]', { has: page.locator('button', { hasText: text }) }).first();
    await group.locator('button', { hasText: text }).click();
    bench.check(pins().length === before, `"${text}" writes nothing before its effect is shown`);
    await group.locator('button', { hasText: 'Write this decision' }).click();
    await bench.quiet();
    const said = await group.innerText();
    if (bench.name === 'hostile' && pins().length === before) bench.check(await group.locator('.problem').count() === 1, `a URL that no pin can name is refused in words (${kind})`, said);
    else bench.check(pins().length === before + 1 && pins().at(-1).startsWith(`${kind} http`) && said.includes(kind), `"${text}" adds a line to the pins file`, `${said} | ${pins().join(' | ')}`);
  }
  if (bench.name !== 'hostile') await testDecisions(bench, pins); // some of its URLs cannot be pinned
}

// The list of decisions: the line that makes runs read the file, what a run with them would change, and undoing one here and one at its document.
async function testDecisions(bench, pins) {
  const { page, store, files } = bench, config = path.join(path.dirname(store), 'twindex.conf');
  await bench.open('#documents?id=1');
  await decide(page, 'Never hide this one');
  await bench.quiet();
  fs.writeFileSync(files.pins, fs.readFileSync(files.pins, 'utf8').replace(/keep (\S+)\n$/, 'Keep $1 # by hand\n'));
  await page.locator('#document [role=group] button', { hasText: 'Undo' }).click();
  await bench.quiet();
  bench.check(pins().at(-1).endsWith(' # by hand') && (await page.innerText('#document [role=group]')).includes('No longer in the file'), 'a line that was changed by hand is not undone, and nothing claims it', pins().join(' | '));
  await decide(page, 'Never hide this one');
  await bench.quiet();
  const before = pins().length, last = pins().at(-1);
  await page.locator('#document [role=group] button', { hasText: 'Undo' }).click();
  await bench.quiet();
  bench.check(pins().length === before - 1 && (await page.innerText('#document [role=group]')).includes('Removed: '), 'a decision is undone where it was made', pins().join(' | '));
  await decide(page, 'Never hide this one');
  await bench.quiet();
  await page.locator('#document a', { hasText: 'All decisions' }).click();
  await bench.quiet();
  const listed = await page.innerText('#document');
  bench.check(await page.locator('.decided li').count() === pins().length && listed.includes(`Decisions (${pins().length})`), 'all decisions are listed', listed);
  bench.check(listed.includes(config) && listed.includes(`[verdict]\npins = ${files.pins}`), 'with the lines that make runs read them', listed);
  await page.screenshot({ path: path.join(PAGES, `${bench.name}-decisions.png`), fullPage: true });
  await page.locator('#document button', { hasText: 'What a run with them would change' }).click();
  await page.locator('#document .tiles').waitFor();
  bench.check((await page.innerText('#document .tiles')).includes('Newly shown'), 'and what a run with them would change');
  await page.screenshot({ path: path.join(PAGES, `${bench.name}-decisions-tried.png`), fullPage: true });
  await page.locator('.decided button').first().click();
  await bench.quiet();
  bench.check(!pins().includes(last) && await page.locator('.decided li').count() === pins().length && (await page.innerText('#document [role=status]')).includes(last), 'one is undone in the list', pins().join(' | '));
  fs.writeFileSync(config, `[verdict]\npins = ${files.pins}\nno_such = 1\n`);
  await bench.open('#settings');
  await bench.open('#documents');
  const stopped = await page.innerText('#document');
  bench.check(/Runs stop at their configuration: .*no_such/.test(stopped) && !stopped.includes('Append'), 'a configuration with an error is named, not one without these lines', stopped);
  fs.writeFileSync(config, `[verdict]\npins = ${files.pins}\n`);
  await bench.open('#settings');
  await bench.open('#documents');
  const read = await page.innerText('#document');
  fs.unlinkSync(config);
  bench.check(read.includes('They count from the next run on') && !read.includes('[verdict]'), 'once the configuration names the file, they count', read);
}

async function testSettings(bench) {
  await testControls(bench);
  await testDryRun(bench);
  await testSweep(bench);
  await testProgress(bench);
}

async function testDocuments(bench) {
  await testFinding(bench);
  await testLargeId(bench);
  await testComparing(bench);
  await testPins(bench);
}

module.exports = { testDocuments, testSettings };
