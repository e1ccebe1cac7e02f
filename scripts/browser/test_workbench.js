// The workbench of `twindex serve`: each view and each of its controls, by mouse and keyboard; what it writes, compared with the files and with
// what the commands print; light and dark, 360 to 1920 pixels, axe-core; and that a hostile crawl stays text.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { openBrowser } = require('./browser.js');
const { check, checkHeard, listen, openAll, overflow, testAxe } = require('./checks.js');
const { serveArguments, sessionFiles, startServe } = require('./serve.js');
const { PAGES } = require('./stores.js');
const { testRules } = require('./test_rules_view.js');
const { testDocuments, testSettings } = require('./test_other_views.js');

const QUERIES = { sample: 'chapter', hostile: 'found' };
const QUIET = 400, LONGEST = 60000; // milliseconds

// What the tests of views work with.
function benchOf(options, store, name, page, served, files) {
  const twindex = (...args) => spawnSync(path.join(options.build, 'twindex'), args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout;
  const bench = { options, store, name, page, files, query: QUERIES[name] || options.query || 'the', origin: served.origin };
  bench.json = (...args) => JSON.parse(twindex(...args));
  bench.check = (condition, what, why) => check(condition, `${name}: ${what}`, why);
  bench.open = async (hash) => {
    await page.evaluate((h) => { location.hash = h; }, hash);
    await bench.quiet();
  };
  const traffic = { under: 0, last: 0 };
  const count = (by) => () => { traffic.under += by; traffic.last = Date.now(); };
  page.on('request', count(1));
  page.on('requestfinished', count(-1));
  page.on('requestfailed', count(-1));
  // Waits until no request has been under way for longer than the page waits before it searches again.
  bench.quiet = async () => {
    const from = Date.now();
    while (traffic.under > 0 || Date.now() - Math.max(traffic.last, from) < QUIET) {
      if (Date.now() - from > LONGEST) throw new Error(`a request has no end: ${page.url()}`);
      await page.waitForTimeout(20);
    }
  };
  bench.shown = (selector) => page.locator(selector).first().isVisible();
  bench.count = (selector) => page.locator(selector).count();
  return bench;
}

// ---- how a session begins

async function testEntry(bench, served) {
  const { page } = bench;
  await page.goto(`${served.origin}/`);
  await page.waitForSelector('#entry:not([hidden])');
  bench.check(await page.locator('#tabs').isHidden() && /token/.test(await page.innerText('#entry')), 'without a token the page asks for it');
  await page.fill('#entry-token', 'deadbeef');
  await page.keyboard.press('Enter');
  await bench.quiet();
  bench.check(await bench.shown('#entry'), 'a wrong token opens nothing');
  await page.fill('#entry-token', served.url);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#rules:not([hidden])');
  bench.check(await page.locator('#entry').isHidden(), 'the printed address, pasted, opens the workbench');
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(served.url);
  await page.waitForSelector('#rules:not([hidden])');
  if (bench.name === 'sample') {
    await page.waitForSelector('#suggested button');
    const titles = await page.locator('#suggested button').allTextContents();
    bench.check(titles.length > 1 && !titles.includes('Page not found'), 'no title of error pages is suggested', titles);
  }
  const token = served.url.replace(/.*token=/, '');
  bench.check(!page.url().includes('token'), 'the token leaves the address bar', page.url());
  const [cookie] = await page.context().cookies(`${served.origin}/api/`);
  bench.check(cookie && cookie.httpOnly && cookie.sameSite === 'Strict' && cookie.value === token, 'it is kept in a cookie that no script reads and no other site sends', JSON.stringify(cookie));
  const kept = await page.evaluate(() => JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }, [...document.links].map((a) => a.href)]));
  bench.check(!kept.includes(token), 'no script and no link has it', kept);
  const other = await page.context().newPage();
  await other.goto(`${served.origin}/#documents?id=1`);
  await other.waitForSelector('#document article');
  bench.check(true, 'a link opens in another tab');
  await other.close();
  const run = bench.json('report', '--json', bench.store);
  const facts = await page.innerText('#facts');
  bench.check(facts.startsWith(`${run.documents.toLocaleString('en')} documents, ${run.hidden.toLocaleString('en')} hidden;`), 'the head has the figures of the run', `${facts} | ${run.documents} ${run.hidden}`);
}

async function testTabs(bench) {
  const { page } = bench;
  const selected = () => page.evaluate(() => [...document.querySelectorAll('[role=tab][aria-selected=true]')].map((t) => t.getAttribute('aria-controls')).join());
  const panels = () => page.evaluate(() => [...document.querySelectorAll('[role=tabpanel]')].filter((p) => !p.hidden).map((p) => p.id).join());
  await bench.open('#rules');
  await page.focus('#tab-rules');
  for (const [key, view] of [['ArrowRight', 'settings'], ['End', 'report'], ['ArrowRight', 'rules'], ['ArrowLeft', 'report'], ['Home', 'rules'], ['ArrowRight', 'settings']]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
    bench.check(await selected() === view && await panels() === view && await page.evaluate(() => document.activeElement.id) === `tab-${view}`, `${key} leads to the tab ${view}`, await selected());
  }
  await bench.quiet();
  await page.goBack();
  await page.waitForTimeout(200);
  bench.check(await selected() === 'rules', 'Back leads to the view before', await selected());
  await page.click('#tab-documents');
  bench.check(await panels() === 'documents' && page.url().endsWith('#documents'), 'a click opens a view, and the address names it');
}

// ---- the report

async function testReportView(bench) {
  const { page } = bench;
  await bench.open('#report');
  const frame = page.frameLocator('#report-frame iframe');
  await frame.locator('h1').waitFor();
  bench.check(await frame.locator('section h2').count() === 10, 'the report is shown');
  const sandbox = await page.getAttribute('#report-frame iframe', 'sandbox');
  bench.check(sandbox === 'allow-scripts', 'the frame of the report may do nothing but run its script', sandbox);
  if (await frame.locator('#hosts-table tbody tr').count() > 1) {
    await frame.locator('#hosts-table thead button').first().click();
    bench.check(await frame.locator('#hosts-table thead th').first().getAttribute('aria-sort') === 'ascending', 'tables of the report sort in the frame');
  }
  const before = await page.getAttribute('#report-frame iframe', 'src');
  await page.click('#report-again');
  await bench.quiet();
  bench.check(await page.getAttribute('#report-frame iframe', 'src') !== before && await page.getAttribute('#report-alone', 'href') !== before, 'the report is made again');
}

// ---- all views

const fragments = (bench) => [`rules?q=${bench.query}`, `rules?q=${bench.query}&list=1`, 'settings?near.scope=host', `documents?q=${bench.query}&id=1`, `documents?q=${bench.query}&id=1&with=2`, 'documents', 'report'];

async function testWidths(bench) {
  const { page } = bench;
  for (const fragment of fragments(bench)) {
    await bench.open(`#${fragment}`);
    if (fragment.startsWith('settings')) { await page.click('#dry-run'); await bench.quiet(); }
    await page.evaluate(openAll);
    for (const width of [360, 480, 768, 1024, 1366, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(overflow);
      bench.check(over.page <= 0 && !over.first, `#${fragment}: nothing overflows at ${width} pixels`, `${over.page} ${over.first}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function testViewsWithAxe(bench) {
  for (const fragment of fragments(bench)) {
    await bench.open(`#${fragment}`);
    if (fragment.startsWith('settings')) { await bench.page.click('#dry-run'); await bench.quiet(); }
    await testAxe(bench.page, `${bench.name}: #${fragment}`, { targets: true });
  }
}

// Everything that can be operated can be reached, and shows that it has the focus.
async function testFocus(bench) {
  const { page } = bench;
  for (const fragment of fragments(bench).filter((f) => f !== 'report')) {
    await bench.open(`#${fragment}`);
    const unseen = await page.evaluate(() => {
      const bad = [];
      const look = (e) => { const s = getComputedStyle(e); return `${s.outlineStyle} ${s.outlineWidth}`; };
      for (const e of document.querySelectorAll('a[href], button:not(:disabled), input, select, textarea, summary, [tabindex="0"]')) {
        if (!e.checkVisibility()) continue;
        e.focus({ focusVisible: true });
        const ringed = e.closest('.editor') || e;
        if (document.activeElement !== e || /^none|0px/.test(look(ringed))) bad.push(e.outerHTML.slice(0, 90));
      }
      return bad;
    });
    bench.check(unseen.length === 0, `#${fragment}: what has the focus is visible`, unseen.slice(0, 3));
  }
}

// Nothing of a crawl became an element or an attribute.
async function testForeign(bench) {
  for (const fragment of fragments(bench)) {
    await bench.open(`#${fragment}`);
    await bench.page.evaluate(openAll);
    const strange = await bench.page.evaluate(() => [...document.querySelectorAll('main img, main script, main base, main object, main embed, main style, main meta, main iframe:not([sandbox])'),
      ...[...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))),
      ...[...document.links].filter((a) => !/^https?:$/.test(a.protocol))].map((e) => e.outerHTML.slice(0, 100)));
    bench.check(strange.length === 0 && await bench.page.evaluate(() => document.scripts.length) === 2, `#${fragment}: no element or attribute of the crawl`, strange.slice(0, 3));
  }
}

async function pictures(bench) {
  const { page } = bench;
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [360, 'light'], [1920, 'light']]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const [i, fragment] of fragments(bench).entries()) {
      await bench.open(`#${fragment}`);
      if (fragment.startsWith('settings')) { await page.click('#dry-run'); await bench.quiet(); }
      await page.screenshot({ path: path.join(PAGES, `${bench.name}-workbench-${width}-${colorScheme}-${i}-${/^[a-z]+/.exec(fragment)[0]}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function testReadOnly(options, store, name, files) {
  const served = await startServe(options, store, serveArguments(files, ['--read-only']));
  const { browser, page } = await openBrowser({ scripts: true });
  const bench = benchOf(options, store, name, page, served, files);
  await page.goto(served.url);
  await page.waitForSelector('#rules:not([hidden])');
  bench.check(/read-only/.test(await page.innerText('#facts')), '--read-only is shown');
  await page.locator('.side textarea').first().fill('[boost]\nrepresentative_b:true^2\n');
  bench.check(await page.locator('.side button', { hasText: 'Save' }).first().isDisabled() && /--read-only/.test(await page.innerText('.side')), 'read-only: rules are not to be saved, and the reason is shown');
  await bench.open('#documents?id=1');
  await page.locator('#document .actions button').first().click();
  bench.check(await page.locator('#document button', { hasText: 'Write this decision' }).isDisabled() && /--read-only/.test(await page.innerText('#document')), 'read-only: pins are not to be written, and the reason is shown');
  const status = await page.evaluate(async () => {
    const answer = await fetch('/api/pins', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"kind":"keep","a":1}' });
    await answer.text();
    return answer.status;
  });
  bench.check(status === 403 && fs.readFileSync(files.pins, 'utf8') === '', 'read-only: the server refuses it, too', status);
  await served.stop();
  await bench.open(`#rules?q=${bench.query}`);
  bench.check(/does not answer/.test(await page.innerText('#search-problem')), 'a server that has ended is reported in words');
  await browser.close();
}

async function testWorkbench(options, store, name) {
  const query = QUERIES[name] || options.query || 'the';
  const first = spawnSync('sqlite3', [store, 'SELECT url FROM documents ORDER BY id LIMIT 1'], { encoding: 'utf8' }).stdout.trim();
  const files = sessionFiles(name, [query, `${query} ${query}`, `${query} OR shop`], /^https?:/.test(first) && !/\s/.test(first) ? [[query, first, 3]] : []);
  const served = await startServe(options, store, serveArguments(files));
  const { browser, context, page } = await openBrowser({ scripts: true });
  const heard = listen(context, page, served.origin);
  const bench = benchOf(options, store, name, page, served, files);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await testEntry(bench, served);
  heard.messages = heard.messages.filter((m) => !/status of 401/.test(m)); // the browser notes each refusal, here the wrong token
  await testTabs(bench);
  await testRules(bench);
  heard.messages = heard.messages.filter((m) => !/status of 4\d\d/.test(m)); // a query of FTS5 with a mistake, and a file that has changed
  await testSettings(bench);
  await testDocuments(bench);
  heard.messages = heard.messages.filter((m) => !/status of 404/.test(m)); // a document that is not there
  await testReportView(bench);
  await testWidths(bench);
  await testFocus(bench);
  await testForeign(bench);
  await pictures(bench);
  checkHeard({ ...heard, requests: heard.requests.filter((r) => !/^(about|blob|data):/.test(r)) }, `${name} workbench`);
  await testViewsWithAxe(bench);
  await browser.close();
  await served.stop();
  fs.writeFileSync(files.pins, '');
  await testReadOnly(options, store, name, files);
}

module.exports = { testWorkbench };
