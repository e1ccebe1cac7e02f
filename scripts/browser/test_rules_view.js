// The view Rules of the workbench, control by control.
'use strict';
const fs = require('fs');

const A = '.side:nth-child(1)', B = '.side:nth-child(2)';
const ranksOf = (page, side) => page.evaluate((s) => [...document.querySelectorAll(`.hit[data-side=${s}]`)].map((h) => h.dataset.id), side);

async function setRules(bench, side, text) {
  await bench.page.locator(`${side} textarea`).fill(text);
  await bench.quiet();
}

// One query by the keyboard, against what `twindex search` prints.
async function testQuery(bench) {
  const { page, query, files } = bench;
  await bench.open('#rules');
  await page.focus('#query');
  await page.keyboard.type(query);
  await page.keyboard.press('Enter');
  await bench.quiet();
  const [a, b] = [await ranksOf(page, 'A'), await ranksOf(page, 'B')];
  const shell = files.rules.map((f) => bench.json('search', '--json', '--limit', '20', '--rules', f, bench.store, query));
  bench.check(a.length > 0 && JSON.stringify(a) === JSON.stringify(shell[0].results.map((h) => String(h.id))), 'the hits by rules A are those of twindex search', a.join());
  bench.check(JSON.stringify(b) === JSON.stringify(shell[1].results.map((h) => String(h.id))), 'the hits by rules B are those of twindex search', b.join());
  const inOrder = await page.evaluate(() => [...document.querySelectorAll('.list')].every((l) => [...l.querySelectorAll('.rank')].every((r, i) => Number(r.textContent) === i + 1)));
  bench.check(inOrder, 'each side counts its hits from 1');
  const figures = await page.innerText('#figures');
  const percent = (share) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
  bench.check([0, 1].every((i) => figures.includes(percent(shell[i].a.duplicates_in_10)) && figures.includes(percent(shell[i].a.duplicates_in_100))), 'the shares of duplicates are those of twindex search', figures);
  bench.check(page.url().includes(`q=${query}`), 'the address holds the query', page.url());
  await page.waitForTimeout(100);
  const both = a.filter((id) => b.includes(id)).length, ends = a.length + b.length - 2 * both;
  const lines = await page.locator('svg.lines path.link[data-id]').count();
  bench.check(lines === both + ends, 'a line for each document: between its places, or a stub', `${lines} for ${both} and ${ends}`);
  bench.check(await bench.count('.hit .move') === a.length + b.length, 'each hit says in words where it is on the other side');
  const again = await bench.count('.hit.again');
  bench.check(again === (await bench.count('.hit .badge.warn')) && (await page.locator('.hit .badge.warn').allTextContents()).every((t) => /^copy of #\d/.test(t)), 'duplicates of a hit above are marked and named', again);
  const tall = await page.evaluate(() => [...document.querySelectorAll('.hit')].map((h) => Math.round(h.getBoundingClientRect().height / parseFloat(getComputedStyle(document.documentElement).fontSize) * 10) / 10));
  bench.check(bench.name === 'hostile' || Math.max(...tall) <= 5.7, 'a hit has three lines', tall.slice(0, 5).join());
  const lost = page.locator('#figures .tile').first(), gone = bench.json('search', '--json', '--rules', files.rules[0], '--compare', files.rules[1], bench.store, query).moves;
  bench.check((await lost.locator('b').innerText()) === gone.clusters_gone.toLocaleString('en') && await bench.shown('.tile.lost') === gone.clusters_gone > 0, 'pages no longer found are those that search counts', `${await lost.innerText()} | ${JSON.stringify(gone)}`);
  bench.check(await bench.count('.hit svg.score') === a.length + b.length && await bench.count('.legend code') > 0, 'scores are bars, with a legend');
}

async function testHits(bench) {
  const { page } = bench;
  const open = page.locator('.hit button[aria-expanded]').first();
  await open.focus();
  await page.keyboard.press('Enter');
  bench.check(await bench.shown('.hit .parts tr') && await bench.shown('.hit .all-flags code'), 'a hit opens by the keyboard: parts of the score and all flags');
  bench.check(await bench.count('.hit.marked') >= 1 && await bench.count('path.link.marked') === 1, 'the line of a hit with the focus stands out');
  await page.hover('.hit:nth-child(2) .rank');
  const id = await page.getAttribute('.hit:nth-child(2)', 'data-id');
  bench.check(await page.locator('.hit.marked').first().getAttribute('data-id') === id, 'the line of a hit below the pointer stands out');
  await page.locator('.hit .ti a').first().click();
  await bench.quiet();
  bench.check(/#documents\?id=/.test(page.url()) && await bench.shown('#document article'), 'the title of a hit leads to the document');
  await page.goBack();
  await bench.quiet();
  bench.check(await page.inputValue('#query') === bench.query && (await ranksOf(page, 'A')).length > 0, 'Back leads to the query');
}

// The message stands under the line that has the mistake, and nowhere on another text.
async function testMistake(bench) {
  const { page } = bench;
  await setRules(bench, B, '[boost]\nrepresentative_b:true^10\nhttp_uniqe_b:true^5\n\n[filter]\nwww_unique_b:true\n');
  const places = await page.evaluate((side) => {
    const area = document.querySelector(`${side} textarea`), style = getComputedStyle(area), text = document.querySelector(`${side} .bad-text`);
    const lineTop = area.getBoundingClientRect().top + parseFloat(style.paddingTop) + 2 * parseFloat(style.lineHeight);
    return { said: document.querySelector(`${side} .says`).textContent, message: text && text.textContent, top: text && text.getBoundingClientRect().top - lineTop, height: parseFloat(style.lineHeight), invalid: area.getAttribute('aria-invalid') };
  }, B);
  bench.check(/^Line 3, column 1: .*http_unique_b/.test(places.said) && places.message && places.said.endsWith(places.message), 'the parser\'s message', places.said);
  bench.check(places.top > places.height / 2 && places.top < places.height, 'the message stands under line 3', JSON.stringify(places));
  bench.check(places.invalid === 'true' && /mistake/.test(await page.innerText('#hits')) && (await ranksOf(page, 'A')).length > 0, 'the other side goes on, and the list says why it is empty');
  await setRules(bench, B, '');
  bench.check(await page.textContent(`${B} .says`) === '' && (await ranksOf(page, 'B')).length > 0, 'the message goes when the mistake does');
}

async function testSliders(bench) {
  const { page } = bench;
  await setRules(bench, B, '# ^7 in a comment\n[boost]\nrepresentative_b:true^10 (http_unique_b:true www_unique_b:true)^2.5\n[function]\nlog(exact_signature_copycount_i)^-3\n[fields]\ntitle^10 text^1\n');
  const names = await page.locator(`${B} .weight code`).allTextContents();
  bench.check(names.join('|') === 'representative_b:true|(http_unique_b:true www_unique_b:true)|log(exact_signature_copycount_i)|title|text', 'a slider for each weight', names.join('|'));
  const before = await page.locator('.hit[data-side=B] .scored b').first().innerText();
  await page.focus(`${B} .weight input[type=range]`);
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
  await bench.quiet();
  const text = await page.inputValue(`${B} textarea`), value = Number(/representative_b:true\^([\d.]+) /.exec(text)[1]);
  bench.check(value > 10 && text.includes('^2.5\n') && text.includes('# ^7 in'), 'a slider changes its number in the text and no other', text);
  bench.check(await page.locator('.hit[data-side=B] .scored b').first().innerText() !== before, 'and searches again');
  bench.check(await page.evaluate((s) => document.activeElement === document.querySelector(`${s} .weight input[type=range]`), B), 'the slider keeps the focus');
  await page.locator(`${B} .weight input[type=number]`).nth(2).fill('-1.25');
  await bench.quiet();
  bench.check((await page.inputValue(`${B} textarea`)).includes('copycount_i)^-1.25\n'), 'a number typed beside a slider, too');
}

async function testFiles(bench) {
  const { page, files } = bench;
  await page.locator(`${A} select`).selectOption(files.rules[0]);
  const before = fs.readFileSync(files.rules[0], 'utf8');
  bench.check(await page.inputValue(`${A} textarea`) === before, 'a file is opened');
  const save = page.locator(`${A} button`, { hasText: 'Save' });
  bench.check(await save.isDisabled(), 'there is nothing to save yet');
  await setRules(bench, A, `${before}# changed\n`);
  bench.check(fs.readFileSync(files.rules[0], 'utf8') === before && /not saved/.test(await page.innerText(A)), 'a changed text is not written by itself');
  await page.reload();
  await page.waitForSelector('#rules:not([hidden])');
  await bench.quiet();
  bench.check(await page.inputValue(`${A} textarea`) === `${before}# changed\n`, 'a changed text survives a reload');
  await save.click();
  await bench.quiet();
  bench.check(fs.readFileSync(files.rules[0], 'utf8') === `${before}# changed\n` && /Saved/.test(await page.innerText(A)), 'Save writes the file');
  fs.writeFileSync(files.rules[0], '# by another program\n');
  await setRules(bench, A, '[boost]\nrepresentative_b:true^3\n');
  await save.click();
  await bench.quiet();
  bench.check(fs.readFileSync(files.rules[0], 'utf8') === '# by another program\n' && /changed|disk/i.test(await page.innerText(`${A} > p.by`)), 'a file that another program has changed is not replaced', await page.innerText(`${A} > p.by`));
  await page.reload();
  await page.waitForSelector('#rules:not([hidden])');
  await bench.quiet();
  bench.check(await page.inputValue(`${A} textarea`) === '[boost]\nrepresentative_b:true^3\n' && /by another program: Save replaces/.test(await page.innerText(`${A} > p.by`)), 'after a reload the changed text is there, and what Save would do is said', await page.innerText(`${A} > p.by`));
  await page.locator(`${A} button`, { hasText: 'Revert' }).click();
  bench.check(await page.inputValue(`${A} textarea`) === '# by another program\n' && await page.innerText(`${A} > p.by`) === '', 'Revert shows what the other program wrote');
  await setRules(bench, A, `${before}# changed\n`);
  await save.click();
  await bench.quiet();
  await setRules(bench, A, '[boost]\nrepresentative_b:true^3\n');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`${A} button`, { hasText: 'Download' }).click()]);
  bench.check(fs.readFileSync(await download.path(), 'utf8') === '[boost]\nrepresentative_b:true^3\n', 'Download has the text');
  await page.locator(`${A} button`, { hasText: 'Revert' }).click();
  bench.check(await page.inputValue(`${A} textarea`) === `${before}# changed\n`, 'Revert goes back to what was saved');
  await page.locator(`${B} select`).selectOption('');
  await setRules(bench, B, '[boost]\nrepresentative_b:true^4\n');
  bench.check(await page.locator(`${B} button`, { hasText: 'Save' }).isDisabled() && /downloaded/.test(await page.innerText(B)), 'rules of no file are to be downloaded, and the reason is shown');
  await setRules(bench, B, '');
}

async function testOptions(bench) {
  const { page, query } = bench;
  await page.uncheck('#with-b');
  await bench.quiet();
  bench.check(await bench.count('.board .list') === 1 && await page.locator(B).isHidden(), 'without B there is one list');
  await page.check('#with-b');
  await page.selectOption('#limit', '10');
  await bench.quiet();
  bench.check((await ranksOf(page, 'A')).length <= 10 && page.url().includes('limit=10'), 'the number of hits');
  await page.check('#raw');
  await page.fill('#query', `${query} AND (`);
  await page.keyboard.press('Enter');
  await bench.quiet();
  bench.check(await bench.shown('#search-problem') && (await page.innerText('#search-problem')).length > 10, 'a mistake in a query of FTS5 is reported in its place', await page.innerText('#search-problem'));
  await page.uncheck('#raw');
  await page.fill('#query', 'nosuchwordanywhere');
  await page.keyboard.press('Enter');
  await bench.quiet();
  bench.check(/No hits/.test(await page.innerText('#hits')) && await page.locator('#search-problem').isHidden(), 'a query without hits says so');
}

async function testList(bench) {
  const { page, files } = bench;
  await bench.open('#rules');
  await page.check('#is-list');
  await bench.quiet();
  const queries = fs.readFileSync(files.queries, 'utf8').trim().split('\n');
  bench.check(await page.inputValue('#list') === queries.join('\n'), 'the list begins with the queries of --queries');
  const cells = (column) => page.evaluate((i) => [...document.querySelectorAll('.queries tbody tr')].map((r) => r.cells[i].innerText), column);
  bench.check(JSON.stringify(await cells(0)) === JSON.stringify(queries), 'a row for each query', await cells(0));
  bench.check(/Mean/.test(await page.innerText('.queries tfoot')), 'the means stand below');
  await page.focus('.queries thead th button');
  await page.keyboard.press('Enter');
  bench.check(JSON.stringify(await cells(0)) === JSON.stringify([...queries].sort()), 'queries sorted by the keyboard', await cells(0));
  await page.locator('.queries tbody button').nth(1).click();
  await bench.quiet();
  const chosen = (await cells(0))[1];
  bench.check(await page.innerText('#hits h2') === chosen && await bench.count('.queries tr.chosen') === 1 && (await ranksOf(page, 'A')).length > 0, 'a query of the list shows its hits', chosen);
  await page.reload();
  await page.waitForSelector('#rules:not([hidden])');
  await bench.quiet();
  bench.check(await page.isChecked('#is-list') && await page.innerText('#hits h2') === chosen, 'a link to a query of the list leads there');
}

async function testRules(bench) {
  await testQuery(bench);
  await testHits(bench);
  await testMistake(bench);
  await testSliders(bench);
  await testFiles(bench);
  await testOptions(bench);
  await testList(bench);
}

module.exports = { testRules };
