// The report page of `twindex report --html`: every section, what is new first, plots with their tables, no request, no message of the console, no overflow from
// 360 to 1920 pixels, the page without scripts, sorting and filtering by mouse and keyboard, disclosures, light and dark, print, axe-core.
'use strict';
const fs = require('fs');
const path = require('path');
const { openBrowser } = require('./browser.js');
const { check, checkHeard, cutText, listen, openAll, overflow, testAxe } = require('./checks.js');
const { PAGES, twindex } = require('./stores.js');

const SECTIONS = ['since', 'suspects', 'part', 'relations', 'sizes', 'hosts', 'mirrors', 'groups', 'runs'];

async function testSections(page, name) {
  for (const id of SECTIONS) {
    const seen = await page.evaluate((i) => { const h = document.getElementById(i); return h && h.closest('section').innerText.length > h.innerText.length + 20; }, id);
    check(seen, `${name}: section ${id}`);
  }
  const bare = await page.evaluate(() => [...document.querySelectorAll('svg[role=img]')].filter((s) => !s.querySelector('title') || !s.closest('figure').querySelector('table')).map((s) => s.id));
  check(bare.length === 0, `${name}: each plot has a name and a table of its numbers`, bare);
  const sources = await page.evaluate(() => [...document.querySelectorAll('figure')].filter((f) => !f.querySelector('.how code')).length);
  check(sources === 0, `${name}: each figure names its command or SQL`, sources);
}

async function testHosts(page, name) {
  const names = () => page.evaluate(() => [...document.querySelectorAll('#hosts-table tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[0].innerText));
  const more = page.locator('#hosts-table').locator('xpath=../following-sibling::p[1]/button[1]');
  const rows = await page.locator('#hosts-table tbody tr').count();
  if (rows > 25) {
    check((await names()).length === 25 && await more.innerText() === `${rows - 25} more`, `${name}: 25 hosts, and a button that says how many more there are`, await more.innerText());
    await more.click();
    check((await names()).length === rows && await more.isHidden(), `${name}: the button shows all hosts`);
  }
  const sortState = (i) => page.evaluate((k) => document.querySelectorAll('#hosts-table thead th')[k].getAttribute('aria-sort'), i);
  const all = await names();
  if (all.length < 2) return;
  await page.click('#hosts-table thead th:nth-child(1) button');
  const up = await names();
  check(JSON.stringify(up) === JSON.stringify([...all].sort().slice(0, up.length)) && await sortState(0) === 'ascending', `${name}: hosts sorted by name`);
  await page.focus('#hosts-table thead th:nth-child(6) button');
  await page.keyboard.press('Enter');
  const most = await page.evaluate(() => [...document.querySelectorAll('#hosts-table tbody tr')].map((r) => Number(r.cells[5].textContent.replace(/,/g, ''))));
  check(most.every((v, i) => i === 0 || most[i - 1] >= v) && await sortState(5) === 'descending' && await sortState(0) === null, `${name}: hosts sorted by number with the keyboard, largest first`);
  await page.keyboard.press('Space');
  check(await sortState(5) === 'ascending', `${name}: the same key again turns the order around`);
  await page.fill('#hosts-filter', all[0].slice(0, 6).toUpperCase());
  const some = await names();
  const said = await page.textContent('#hosts-count');
  check(some.length > 0 && some.every((h) => h.toLowerCase().includes(all[0].slice(0, 6))) && said.startsWith(`${some.length} of ${all.length}`), `${name}: hosts filtered, and the number is announced`, said);
  await page.fill('#hosts-filter', 'no such host');
  check((await names()).length === 0, `${name}: a filter that fits no host`);
  await page.fill('#hosts-filter', '');
  check((await names()).length === all.length, `${name}: without a filter all hosts are back`);
}

// Each table can be saved as CSV: all of its rows, also those that are not shown.
async function testCsv(page, name) {
  const tables = await page.locator('.scroll > table').count(), buttons = page.locator('.tools button[aria-label^="CSV of"]');
  check(await buttons.count() === tables && tables > 5, `${name}: ${tables} tables, each with a button for CSV`);
  const saved = page.waitForEvent('download');
  await page.locator('.tools button[aria-label*="Hosts, those"]').click();
  const download = await saved, lines = fs.readFileSync(await download.path(), 'utf8').replace(/\r\n$/, '').split('\r\n');
  const rows = await page.locator('#hosts-table tbody tr').count();
  check(download.suggestedFilename() === 'hosts.csv' && lines.length === rows + 1 && lines[0].startsWith('\uFEFF"Host","Hidden share",'), `${name}: hosts.csv has ${rows} hosts`, lines.slice(0, 2));
  check(lines.slice(1).every((l) => /^"[^"=+@-][^"]*",-?[\d.]+(,\d+){4}$/.test(l)), `${name}: names are quoted, numbers plain, and nothing is a formula`, lines.slice(1, 3));
}

// On a phone a row of a table is a card, whose cells are named.
async function testCards(page, name) {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.reload();
  const seen = await page.evaluate(() => {
    const row = document.querySelector('#hosts-table tbody tr'), cell = row.cells[2];
    return { height: document.documentElement.scrollHeight, display: getComputedStyle(row).display, label: getComputedStyle(cell, '::before').content + cell.dataset.name,
      wide: [...document.querySelectorAll('.cards')].filter((t) => t.getBoundingClientRect().width > innerWidth).length };
  });
  check(seen.display === 'grid' && seen.label.endsWith('Hidden') && seen.wide === 0, `${name}: on a phone rows are cards with named cells`, JSON.stringify(seen));
  check(seen.height < 20000, `${name}: the page is ${seen.height} pixels long on a phone`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
}

// What the last run changed, and why, is what the first screen shows.
async function testFirstScreen(page, name) {
  await page.setViewportSize({ width: 1280, height: 800 });
  const order = await page.evaluate(() => [...document.querySelectorAll('main h2')].map((h) => h.id).slice(0, 3).join(' '));
  check(order === 'since suspects part', `${name}: what is new comes first, then suspects, then figures`, order);
  const causes = page.locator('.causes + ul li');
  if (await causes.count()) {
    const box = await causes.first().boundingBox(), tiles = await page.locator('#since ~ .tiles, section:has(#since) .tiles').first().boundingBox();
    check(box.y < 800 && tiles.y + tiles.height < 800, `${name}: the cause and the counts of the last run are on the first screen`, `${box.y} ${tiles.y}`);
    const said = await causes.allInnerTexts();
    if (name === 'sample') {
      const news = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.since-tiles .tile')].map((t) => [t.querySelector('dt').textContent, Number(t.querySelector('dd').textContent.replace(/,/g, ''))])));
      check(news['Newly hidden'] === 120 && news['New error pages'] === 530 && news['New mirrors'] === 1, `${name}: newly hidden documents, new error pages and mirrors are counted`, JSON.stringify(news));
      const text = await page.evaluate(() => document.querySelector('section:has(#since)').textContent);
      check(/shop\.example: 530 documents of class error/.test(text) && /mirror\.docs\.example is a mirror of www\.docs\.example, which shows the pages/.test(text), `${name}: they are named with their hosts`, text.slice(-600));
      check(said.some((t) => /the crawl: 570 documents new/.test(t)), `${name}: so is the crawl that brought them`, said);
    }
    check(said.some((t) => /the setting verdict.relations: scheme www -> scheme www canonical redirect copy/.test(t)), `${name}: a setting that was changed is named with its values`, said);
  } else check(/first complete result/.test(await page.innerText('section:has(#since)')), `${name}: a store with one result says so`);
}

async function testKeyboard(page, name) {
  await page.reload();
  await page.keyboard.press('Tab');
  const first = await page.evaluate(() => document.activeElement.className);
  await page.keyboard.press('Enter');
  check(first === 'skip' && await page.evaluate(() => document.activeElement.id) === 'main', `${name}: the first stop skips to the figures`, first);
  const unseen = await page.evaluate(() => {
    const bad = [];
    for (const e of document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')) {
      e.focus();
      const box = e.getBoundingClientRect();
      if (e.checkVisibility() && (document.activeElement !== e || box.width === 0)) bad.push(e.outerHTML.slice(0, 80));
    }
    return bad;
  });
  check(unseen.length === 0, `${name}: everything that can be operated takes the focus`, unseen.slice(0, 3));
  const summary = page.locator('.group > summary').nth(1);
  if (await summary.count()) {
    const open = () => summary.evaluate((s) => s.parentElement.open);
    const before = await open();
    await summary.focus();
    await page.keyboard.press('Enter');
    check(await open() !== before, `${name}: a group opens and closes with the keyboard`);
  }
}

async function testWidths(page, name) {
  for (const width of [360, 480, 768, 1024, 1366, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(openAll);
    const over = await page.evaluate(overflow);
    check(over.page <= 0 && !over.first, `${name}: nothing overflows at ${width} pixels`, `${over.page} ${over.first}`);
    const wide = await page.evaluate(() => [...document.querySelectorAll('.scroll')].filter((s) => s.scrollWidth > s.clientWidth + 1).map((s) => s.firstElementChild.id));
    check(width < 1024 || wide.length === 0, `${name}: no table scrolls sideways at ${width} pixels`, wide);
    const cut = await page.evaluate(cutText);
    check(cut.length === 0, `${name}: no text of a plot is cut at ${width} pixels`, cut.slice(0, 3));
  }
}

async function testPrint(page, name) {
  await page.reload();
  const before = await page.evaluate(() => document.querySelectorAll('details[open]').length);
  await page.emulateMedia({ media: 'print' });
  const printed = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const shown = (s) => [...document.querySelectorAll(s)].some((e) => e.getClientRects().length);
    return { open: document.querySelectorAll('details:not([open])').length, nav: shown('nav'), filter: shown('.filter'), wide: shown('.plot.wide'), narrow: shown('.plot.narrow') };
  });
  check(printed.open === 0 && !printed.nav && !printed.filter && printed.wide && !printed.narrow, `${name}: print shows everything and no controls`, JSON.stringify(printed));
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  check(await page.evaluate(() => document.querySelectorAll('details[open]').length) === before, `${name}: after printing the page is as before`);
  await page.pdf({ path: path.join(PAGES, `${name}.pdf`), format: 'A4', margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' } });
  check(fs.statSync(path.join(PAGES, `${name}.pdf`)).size > 10000, `${name}: printed to build/pages/${name}.pdf`);
}

async function pictures(page, name) {
  for (const [width, scheme] of [[1280, 'light'], [1280, 'dark'], [360, 'light'], [360, 'dark'], [768, 'light'], [1920, 'light']]) {
    await page.setViewportSize({ width, height: width < 500 ? 900 : 1500 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.reload();
    for (const id of ['top', ...SECTIONS]) {
      await page.evaluate((i) => (i === 'top' ? scrollTo(0, 0) : document.getElementById(i).scrollIntoView()), id);
      await page.screenshot({ path: path.join(PAGES, `${name}-${width}-${scheme}-${id}.png`) });
    }
  }
}

async function testPage(file, name) {
  const { browser, context, page } = await openBrowser({ scripts: true });
  const heard = listen(context, page, `file://${file}`);
  await page.goto(`file://${file}`);
  await testSections(page, name);
  await testFirstScreen(page, name);
  await testHosts(page, name);
  await testCsv(page, name);
  await testCards(page, name);
  await testKeyboard(page, name);
  await testWidths(page, name);
  await testPrint(page, name);
  await pictures(page, name);
  checkHeard(heard, name);
  const strange = await page.evaluate(() => [document.scripts.length - 1, document.querySelectorAll('img, iframe, base, object, embed, form, style ~ style, [onload], [onerror], [onmouseover]').length,
    [...document.links].filter((a) => !/^(https?|file):$/.test(a.protocol)).length]);
  check(strange.every((n) => n === 0), `${name}: no element or attribute of the crawl`, strange);
  await browser.close();
  await testAside(file, name);
}

// axe-core is injected past the page's policy, so it has a context of its own; so has the page without scripts.
async function testAside(file, name) {
  const plain = await openBrowser({ scripts: false });
  await plain.page.goto(`file://${file}`);
  check(await plain.page.locator('#hosts-filter').isHidden() && await plain.page.locator('#hosts-table tbody tr').first().isVisible(), `${name}: without scripts the tables are there, and no dead controls`);
  await plain.browser.close();
  const aside = await openBrowser({ scripts: true });
  await aside.page.goto(`file://${file}`);
  await testAxe(aside.page, name, { targets: true });
  await aside.page.setViewportSize({ width: 360, height: 800 });
  await testAxe(aside.page, `${name} at 360 pixels`, { targets: true });
  await aside.browser.close();
}

async function testReport(options, store, name) {
  const file = path.join(PAGES, `${name}.html`);
  const began = Date.now();
  twindex(options, 'report', '--html', file, store);
  const seconds = (Date.now() - began) / 1000, bytes = fs.statSync(file).size;
  check(seconds < 5 && bytes < 1e6, `${name}: made in ${seconds.toFixed(1)} s, ${bytes} bytes`);
  await testPage(file, name);
}

module.exports = { testReport };
