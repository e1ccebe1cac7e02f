// Four things that users come for, each with at most five actions, on the crawl of docs/tuning.md. An action is a click, a text that is typed with
// its Enter, or a run of keys on one element or one list.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { openBrowser } = require('./browser.js');
const { check, checkHeard, listen } = require('./checks.js');
const { startServe } = require('./serve.js');
const { PAGES, makeFerry, twindex } = require('./stores.js');

const ACTIONS = 5;

// A session with the arguments of serve; actions are counted from its start.
async function session(options, ferry, name, args, work) {
  const served = await startServe(options, ferry.store, args);
  const { browser, context, page } = await openBrowser({ scripts: true });
  const heard = listen(context, page, served.origin);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(served.url);
  await page.waitForSelector('#rules:not([hidden])');
  let actions = 0;
  const act = {
    click: async (what) => { actions++; await (typeof what === 'string' ? page.locator(what).first() : what).click(); },
    type: async (what, text) => { actions++; await page.fill(what, text); await page.keyboard.press('Enter'); },
    keys: async (list) => { actions++; for (const key of list) await page.keyboard.press(key); },
  };
  const say = (condition, what, why) => check(condition, `${name}: ${what}`, why);
  await work({ page, act, say });
  if (actions > 0) say(actions <= ACTIONS, `takes ${actions} actions`);
  await page.screenshot({ path: path.join(PAGES, `task-${name.replace(/\W+/g, '-')}.png`), fullPage: true });
  checkHeard({ ...heard, messages: heard.messages.filter((m) => !/status of [45]\d\d/.test(m)) }, name);
  await browser.close();
  await served.stop();
}

const hits = (page, side) => page.locator(`.hit[data-side=${side}]`);

// "The same page thrice: get rid of it without losing anything", with nothing but the store.
async function testThrice({ page, act, say }) {
  await page.waitForSelector('#suggested button');
  say(await page.locator('#suggested button').allTextContents().then((t) => t.includes('Ferry timetable')), 'titles of the store are suggested as queries');
  await act.click('#suggested button:has-text("Ferry timetable")');
  await hits(page, 'B').first().waitFor();
  const copies = await page.locator('.hit[data-side=A] .badge.warn').count();
  say(copies >= 2 && await page.locator('.hit[data-side=B] .badge.warn').count() === 0, 'B, without a file, is hide-duplicates.rules and shows no copy', copies);
  say(/^\s*Pages no longer found\s+0\s+of \d+/.test(await page.locator('.tile').first().innerText()), 'no page is lost by this query', await page.locator('.tile').first().innerText());
  await act.type('#query', 'lantern market');
  await page.waitForSelector('.tile.lost');
  say(await page.locator('.losses li').count() === 1 && (await page.innerText('.losses')).includes('https://visitskerry.example/getting-here/timetable'), 'one is lost by another, and is listed', await page.innerText('.losses'));
  const colour = await page.locator('.tile.lost b').evaluate((e) => getComputedStyle(e).color);
  say(/^rgb\((1[4-9]\d|2\d\d), [0-9]{1,2}, [0-9]{1,2}\)$/.test(colour), 'in a red tile', colour);
  await act.click(page.locator('.side').nth(1).locator('select'));
  await page.locator('.side').nth(1).locator('select').selectOption('preset/demote-duplicates.rules');
  await page.waitForSelector('.tile.lost', { state: 'detached' });
  say((await hits(page, 'B').count()) === (await hits(page, 'A').count()), 'demote-duplicates.rules loses none');
  await act.click('#use summary');
  const sql = await page.locator('#use pre').first().innerText();
  say(/^-- All documents/.test(sql) && /representative_b/.test(sql), 'and is there as SQL', sql);
}

// "Which threshold for my crawl?"
async function testThreshold({ page, act, say }) {
  await act.click('#tab-settings');
  await act.click('button[aria-label="alignment.threshold: try values"]');
  await page.waitForSelector('.pairs > li', { timeout: 60000 });
  say(await page.locator('.values tbody tr').count() > 5 && await page.locator('.sweep .now').count() === 1, 'a curve and a table of values, with the one now');
  await act.click(page.locator('.pairs > li').first().getByRole('button', { name: 'Same page' }));
  await page.waitForFunction(() => /Kept: same page/.test(document.querySelector('.pairs').innerText));
  await act.click(page.getByRole('button', { name: 'Other pairs' }));
  await page.waitForFunction(() => /1 of 12 answers/.test(document.querySelector('#dry-run-result').innerText));
  say(true, 'answers are kept and counted');
}

// "This page vanished; bring it back"
async function testVanished({ page, act, say }, ferry, options) {
  const url = 'https://visitskerry.example/getting-here/timetable', pins = ferry.file('pins.txt');
  await act.click('#tab-documents');
  await act.type('#find', url);
  await page.waitForSelector('#document .verdict.is-hidden');
  const order = await page.evaluate(() => [...document.querySelectorAll('#document article > h2, #document .u, #document .its-text, #document .verdict, #document .reasons, #document details')].map((e) => e.className || e.localName));
  say(order.join() === 'h2,u,its-text,verdict is-hidden,reasons,details' && await page.locator('#document article > details').evaluate((d) => !d.open), 'title, link, text, verdict, reasons; flags are folded', order.join());
  say((await page.innerText('.its-text')).includes('lantern market') && !/signature -?\d/.test(await page.innerText('.reasons')), 'the text is shown, and reasons have no hashes');
  await act.click('text=Never hide this one');
  await page.waitForSelector('#document .tiles');
  say(/Newly shown\s+1/.test(await page.innerText('#document .tiles')) && (await page.locator('#document .changes').innerText()).includes(url) && fs.readFileSync(pins, 'utf8') === '', 'what the decision changes is shown before anything is written', await page.innerText('#document'));
  await act.click('text=Write this decision');
  await page.waitForSelector('#document >> text=Added to');
  say(fs.readFileSync(pins, 'utf8') === `keep ${url}\n` && (await page.innerText('#document')).includes('pins = '), 'then the line is written, and the lines that make runs read it are said', fs.readFileSync(pins, 'utf8'));
  twindex(options, 'run', '--quiet', '--set', `verdict.pins=${pins}`, ferry.store);
  await page.reload();
  await page.waitForSelector('#document .verdict.is-shown');
  say(true, 'after the next run the page is back');
}

// "Judge ten results, tune, save, use it in SQL"
async function testJudged({ page, act, say }, ferry) {
  const judgements = ferry.file('mine.tsv'), rules = ferry.file('my.rules'), lines = () => fs.readFileSync(judgements, 'utf8').trim().split('\n');
  await act.type('#query', 'timetable');
  await hits(page, 'A').first().waitFor();
  say(!fs.existsSync(judgements) && /nDCG@10 appears here/.test(await page.innerText('#figures')), 'without a grade the page says how to give one');
  await act.keys(['ArrowDown', ...'3321000011']);
  await page.waitForFunction(() => document.querySelectorAll('.hit[data-side=A] .grades :checked').length === 10);
  const urls = await hits(page, 'A').evaluateAll((list) => list.map((h) => h.dataset.url));
  await page.waitForFunction(() => /nDCG@10/.test(document.querySelector('#figures dl').innerText));
  for (let i = 0; i < 100 && lines().length < 10; i++) await page.waitForTimeout(50);
  say(JSON.stringify(lines()) === JSON.stringify([...'3321000011'].map((g, i) => `timetable\t${urls[i]}\t${g}`)), 'ten keys are ten lines of the file, in the order of the hits', lines().join(' | '));
  await page.waitForTimeout(600);
  const quality = () => page.evaluate(() => [...document.querySelectorAll('#figures dl > div')].find((d) => /nDCG/.test(d.innerText)).innerText);
  const before = await quality();
  await page.focus('.side:nth-child(2) .weight input[type=range]');
  await act.keys(Array(20).fill('ArrowRight'));
  await page.waitForFunction((was) => { const d = [...document.querySelectorAll('#figures dl > div')].find((x) => /nDCG/.test(x.innerText)); return d && document.querySelector('.side:nth-child(2) textarea').value.includes('copies') && !document.querySelector('#figures').matches('[aria-busy=true]') && was; }, before);
  const text = await page.inputValue('.side:nth-child(2) textarea');
  say(/copies (?!0\.5\n)[\d.]+\n/.test(text), 'a slider changes the weight', text);
  await act.click('.side:nth-child(2) button:has-text("Save")');
  await page.waitForFunction(() => /Saved/.test(document.querySelector('.side:nth-child(2)').innerText));
  say(fs.readFileSync(rules, 'utf8') === text, 'Save writes the rules');
  await act.click('#use summary');
  await page.waitForSelector('#use pre');
  const parts = await page.locator('#use pre').allTextContents(), number = /copies ([\d.]+)/.exec(text)[1];
  say(new RegExp(`,${number}(\\.0)?\\*log10`).test(parts[0]) && parts[1].includes('WHERE ((f.http_unique_b = 1)') && parts[2].includes(`--rules ${rules}`), 'SQL, condition and command have the saved weight', parts.join('\n'));
  const ids = spawnSync('sqlite3', [ferry.store], { input: parts[1], encoding: 'utf8' }).stdout.trim().split('\n'), shown = await hits(page, 'B').evaluateAll((list) => list.map((h) => h.dataset.id));
  say(ids.length > shown.length && shown.every((id) => ids.includes(id)), 'SQLite shows by the condition what B shows', ids.join());
}

// What follows a judgement: it is taken back, changed, refused; the difference to the file; the keys of hits.
async function testGrades({ page, say }, ferry) {
  const judgements = ferry.file('mine.tsv'), text = () => fs.readFileSync(judgements, 'utf8'), before = '# by hand\ntimetable\thttps://www.skerryferries.example/timetable\t3\r\nother query\thttp://x.example/\t2\n';
  const settle = () => page.waitForTimeout(700);
  fs.writeFileSync(judgements, before);
  await page.reload();
  await page.fill('#query', 'timetable');
  await page.keyboard.press('Enter');
  await hits(page, 'A').first().waitFor();
  const group = page.locator('.hit[data-side=A] .grades[data-url="https://www.skerryferries.example/timetable"]');
  say(await group.locator(':checked').inputValue() === '3', 'a grade of the file is shown');
  await group.locator('input[value="3"]').click();
  await settle();
  say(text() === '# by hand\nother query\thttp://x.example/\t2\n' && await group.locator(':checked').count() === 0, 'a click on it takes it back, and other lines keep their bytes', JSON.stringify(text()));
  await group.locator('input[value="1"]').click();
  await settle();
  fs.appendFileSync(judgements, 'third\thttp://y.example/\t1\n');
  await group.locator('input[value="2"]').click();
  await settle();
  say(text().includes('third\thttp://y.example/\t1\n') && text().includes('timetable\thttps://www.skerryferries.example/timetable\t2\n') && text().startsWith('# by hand\n'), 'what another program has written meanwhile is kept', JSON.stringify(text()));
  say(await page.locator('.hit[data-side=B] .grades[data-url="https://www.skerryferries.example/timetable"] :checked').inputValue() === '2', 'the same hit on the other side has the same grade');
  await page.locator('.hit[data-side=A] a').first().focus();
  await page.keyboard.press('ArrowDown');
  say(await page.evaluate(() => document.activeElement.closest('.hit').querySelector('.rank').textContent) === '2', 'an arrow leads to the next hit');
  await page.keyboard.press('Delete');
  await settle();
  say(!text().includes('skerryferries.example/timetable\t') || !text().includes('\t2\ntimetable'), 'Delete removes a grade', JSON.stringify(text()));
  fs.writeFileSync(judgements, Buffer.from('caf\xe9\thttp://x.example/\t2\n', 'latin1'));
  await page.reload();
  await hits(page, 'A').first().waitFor();
  await group.locator('input[value="1"]').click();
  await settle();
  say(/not UTF-8/.test(await page.innerText('#search-problem')) && text().length > 5 && fs.readFileSync(judgements, 'latin1') === 'caf\xe9\thttp://x.example/\t2\n', 'a file that is not UTF-8 is left as it is', await page.innerText('#search-problem'));
  fs.writeFileSync(judgements, '');
  await page.reload();
  await hits(page, 'A').first().waitFor();
  fs.rmSync(judgements);
  fs.mkdirSync(judgements); // cannot be read or replaced
  await page.locator('.hit[data-side=A] a').nth(2).focus();
  await page.keyboard.press('3');
  await settle();
  say(/not a regular file/.test(await page.innerText('#search-problem')) && await page.locator('.grades :checked').count() === 0 && fs.statSync(judgements).isDirectory(), 'a file that cannot be written is an error in words, and no grade is shown as given', await page.innerText('#search-problem'));
  await page.locator('.side:nth-child(2) textarea').fill('[boost]\nrepresentative_b:true^3\n');
  await settle();
  await page.locator('#use').evaluate((d) => { d.open = true; });
  const pre = await page.locator('#use pre').last().innerText();
  say(/^--- .*my\.rules\n\+\+\+ .*my\.rules\n@@ -1,\d+ \+1,2 @@/.test(pre) && pre.includes('+representative_b:true^3'), 'the difference to the file, as patch reads it', pre);
  await page.locator('#use button').first().click();
  say((await page.evaluate(() => navigator.clipboard.readText())).startsWith('-- All documents'), 'is copied by a button');
  fs.rmSync(judgements, { recursive: true });
}

// Six queries by two sets of rules: the dots, the sentence, and what is lost, beside what the shell counts.
async function testDots({ page, say }, ferry, options) {
  await page.check('#is-list');
  await page.waitForSelector('.dots');
  const shell = JSON.parse(spawnSync(path.join(options.build, 'twindex'), ['search', ferry.store, '--queries', ferry.file('queries.txt'), '--judgements', ferry.file('judgements.tsv'), '--compare', ferry.file('hide-duplicates.rules'), '--json'], { encoding: 'utf8' }).stdout);
  const changes = shell.queries.map((q) => ({ query: q.query, change: q.b.ndcg_10 - q.a.ndcg_10 })), worse = changes.filter((c) => c.change < 0).map((c) => c.query);
  const said = await page.innerText('.dots figcaption');
  say(said.startsWith(`By nDCG@10, B is better on ${changes.filter((c) => c.change > 0).length}, worse on ${worse.length}${worse.length ? `: ${worse[0]}` : ''}`), 'a sentence says on how many queries B is better', said);
  say(await page.locator('.dot-plot circle').count() === changes.length && await page.locator('.dot-plot circle.worse').count() === worse.length, 'a dot for each query');
  const lost = await page.locator('.queries tbody tr').evaluateAll((rows) => rows.map((r) => [r.dataset.query, Number(r.cells[3].innerText)]));
  say(JSON.stringify(lost) === JSON.stringify(shell.queries.map((q) => [q.query, q.moves.clusters_gone])) && (await page.locator('.tile.lost b').innerText()) === String(shell.moves.clusters_gone), 'pages no longer found by query, and of all', JSON.stringify(lost));
}

// Copy A to B, presets, and the sign of work.
async function testEditors({ page, say }) {
  const [a, b] = [page.locator('.side').nth(0), page.locator('.side').nth(1)];
  await a.locator('select').selectOption('preset/prefer-mirrored.rules');
  const text = await a.locator('textarea').inputValue();
  await a.locator('button', { hasText: 'Copy A to B' }).click();
  say(await b.locator('textarea').inputValue() === text && text.includes('copycount'), 'Copy A to B');
  await a.locator('textarea').fill(`${text}# changed\n`);
  say(await a.locator('button', { hasText: 'Save' }).isDisabled() && /this is a preset/.test(await a.innerText()), 'a preset cannot be saved, and the reason is shown');
  await page.route('**/api/search', async (route) => { await new Promise((done) => { setTimeout(done, 900); }); await route.continue(); });
  await page.fill('#query', 'timetable');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#search-work:not([hidden])');
  say(await page.getAttribute('#hits', 'aria-busy') === 'true', 'a search that takes long shows that it works');
  await page.waitForSelector('#search-work', { state: 'hidden' });
  await page.unroute('**/api/search');
  say(await page.getAttribute('#hits', 'aria-busy') === 'false' && await hits(page, 'A').count() > 0, 'and its end');
  await page.evaluate(() => scrollTo(0, 600));
  say(await a.locator('select').evaluate((e) => e.getBoundingClientRect().top >= -1), 'the editors stay beside the hits');
}

// A new setting that hides more: which words are no longer found.
async function testSettingLosses({ page, say }) {
  await page.evaluate(() => { location.hash = '#settings?verdict.relations=scheme www canonical redirect copy near'; });
  await page.click('#dry-run');
  await page.waitForSelector('#dry-run-result .tile.lost');
  const list = await page.innerText('.losses');
  say(list.includes('https://visitskerry.example/bus/2') && list.includes('“sandvik”'), 'a dry run lists pages with the words by which they are no longer found', list);
}

// Each line of figures in docs/tuning.md is one that its commands print after its decision.
function testFigures(options, ferry) {
  const page = fs.readFileSync(path.join(__dirname, '../../docs/tuning.md'), 'utf8'), example = (name) => path.join(ferry.example, name);
  const judged = ['--queries', example('queries.txt'), '--judgements', example('judgements.tsv')];
  twindex(options, 'run', '--quiet', '--set', `verdict.pins=${example('pins.txt')}`, ferry.store);
  const printed = [['search', ferry.store, ...judged, '--compare', example('my.rules')], ['tune', ferry.store, '--rules', example('my.rules'), '--vary', 'copies=0,0.05,0.5,2,5', ...judged]]
    .map((args) => spawnSync(path.join(options.build, 'twindex'), args, { encoding: 'utf8' }).stdout).join('\n').split('\n');
  const lines = [...page.matchAll(/\n```(\w*)\n([\s\S]*?)\n```/g)].filter((m) => m[1] === '').flatMap((m) => m[2].split('\n')).filter((line) => !/^twindex serve|^    --queries/.test(line)), other = lines.filter((line) => !printed.includes(line));
  check(lines.length > 15 && other.length === 0, 'docs/tuning.md has the figures that its commands print', other[0]);
  check(printed.some((line) => / 0  lantern market$/.test(line)), 'and no page is lost after its decision');
}

async function testUserTasks(options) {
  const ferry = makeFerry(options, path.join(PAGES, 'tasks'));
  const own = ['--rules', ferry.file('my.rules'), '--judgements', ferry.file('mine.tsv')];
  await session(options, ferry, 'the same page thrice', [], testThrice);
  await session(options, ferry, 'which threshold', ['--labels', ferry.file('labels.tsv')], testThreshold);
  fs.copyFileSync(path.join(ferry.example, 'my.rules'), ferry.file('my.rules'));
  await session(options, ferry, 'judge, tune, save, use', own, (s) => testJudged(s, ferry));
  await session(options, ferry, 'grades', own, (s) => testGrades(s, ferry));
  await session(options, ferry, 'dots', ['--queries', ferry.file('queries.txt'), '--judgements', ferry.file('judgements.tsv')], (s) => testDots(s, ferry, options));
  await session(options, ferry, 'editors', [], testEditors);
  await session(options, ferry, 'losses of settings', [], testSettingLosses);
  await session(options, ferry, 'this page vanished', ['--pins', ferry.file('pins.txt')], (s) => testVanished(s, ferry, options));
  testFigures(options, ferry);
}

module.exports = { testUserTasks };
