// Opens Debian's Chromium through playwright-core, which is installed in build/node and never committed.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const root = path.join(__dirname, '..', '..');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];

function playwright() {
  try {
    return require(path.join(root, 'build/node/node_modules/playwright-core'));
  } catch (e) {
    throw new Error('no playwright-core: run scripts/compare-browser --install (npm installs it into build/node)');
  }
}

// scripts: may pages run JavaScript? Returns the browser, a context and a page in it.
async function openBrowser({ scripts }) {
  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
  if (!fs.existsSync(executablePath)) throw new Error(`no ${executablePath}: apt-get install chromium, or set CHROMIUM`);
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'twindex-browser-'));
  const context = await playwright().chromium.launchPersistentContext(profile, {
    executablePath, args: FLAGS, headless: true, javaScriptEnabled: scripts, serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
  });
  const browser = {
    close: async () => {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
  return { browser, context, page: await context.newPage() };
}

module.exports = { openBrowser, root };
