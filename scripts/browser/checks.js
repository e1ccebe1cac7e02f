// What the tests of pages share: counting checks, and what can be looked for on any page.
'use strict';
const fs = require('fs');
const path = require('path');
const { root } = require('./browser.js');

const AXE = path.join(root, 'build/node/node_modules/axe-core/axe.min.js');
const counted = { failed: 0 };

function check(condition, what, why) {
  console.log(`${condition ? 'ok' : 'not ok'} - ${what}${condition || why === undefined ? '' : `: ${why}`}`);
  if (!condition) counted.failed++;
}

const overflow = () => {
  const wide = document.documentElement.clientWidth;
  const over = [...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll, .skip, .unseen, svg, pre') && e.getBoundingClientRect().right > wide + 1);
  return { page: document.documentElement.scrollWidth - wide, first: over.length ? over[0].outerHTML.slice(0, 120) : '' };
};
const openAll = () => {
  for (const d of document.querySelectorAll('details')) d.open = true;
  for (const b of document.querySelectorAll('button[aria-expanded=false]')) b.click();
};
// Text of a plot that is drawn outside of it.
const cutText = () => [...document.querySelectorAll('svg[role=img]')].filter((s) => s.getBoundingClientRect().width > 0).flatMap((svg) => {
  const room = svg.viewBox.baseVal;
  return [...svg.querySelectorAll('text')].filter((t) => {
    const b = t.getBBox();
    return !t.hasAttribute('transform') && (b.x < -1 || b.x + b.width > room.width + 1 || b.y + b.height > room.height + 1);
  }).map((t) => `${svg.id}: ${t.textContent}`);
});

// targets: are they to be 24 pixels large?
async function testAxe(page, name, { targets } = {}) {
  await page.evaluate(fs.readFileSync(AXE, 'utf8')); // past the page's policy
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(openAll);
    const found = await page.evaluate(async (enabled) => (await axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled } } })).violations
      .map((v) => ({ id: v.id, impact: v.impact, where: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)) })), Boolean(targets));
    check(found.length === 0, `${name}: axe-core finds nothing${targets ? ', also no target below 24 pixels' : ''} (${scheme})`, JSON.stringify(found, null, 1));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

// Collects what a page must not do: messages of the console, dialogs, and requests elsewhere than to `own`.
function listen(context, page, own) {
  const heard = { messages: [], requests: [] };
  page.on('console', (m) => heard.messages.push(m.text()));
  page.on('pageerror', (e) => heard.messages.push(String(e.stack || e)));
  page.on('dialog', (d) => { heard.messages.push(`dialog ${d.message()}`); d.dismiss(); });
  context.on('request', (r) => { if (!r.url().startsWith(own)) heard.requests.push(r.url()); });
  return heard;
}

function checkHeard(heard, name) {
  check(heard.requests.length === 0, `${name}: no request elsewhere`, heard.requests.slice(0, 3));
  check(heard.messages.length === 0, `${name}: no message of the console`, heard.messages.slice(0, 3));
}

module.exports = { AXE, check, checkHeard, counted, cutText, listen, openAll, overflow, testAxe };
