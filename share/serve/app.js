// Starts the workbench: takes the token from the address, and shows the view that the fragment names: #rules?q=tide&a=my.rules
import { byId, el, number, put, say } from './dom.js';
import { ask, setToken } from './requests.js';
import { rulesView } from './rules_view.js';
import { settingsView } from './settings_view.js';
import { documentsView } from './documents_view.js';
import { reportView } from './report_view.js';

const views = { rules: rulesView, settings: settingsView, documents: documentsView, report: reportView };
const names = Object.keys(views);
const lastFragment = {}; // of each view: a tab leads back to where it was

function takeToken() {
  const token = /^#token=([0-9A-Za-z_-]+)(?:&to=(.*))?$/.exec(location.hash);
  if (!token) return;
  setToken(token[1]);
  history.replaceState(null, '', token[2] ? `#${decodeURIComponent(token[2])}` : location.pathname);
}

function fragment() {
  const [, name, query] = /^#?([a-z]*)(?:\?(.*))?$/.exec(location.hash) || [];
  return { name: views[name] ? name : 'rules', parameters: new URLSearchParams(query || '') };
}

function showView() {
  if (location.hash === '#main') return;
  const { name, parameters } = fragment();
  lastFragment[name] = location.hash;
  for (const other of names) {
    const tab = byId(`tab-${other}`), selected = other === name;
    tab.setAttribute('aria-selected', selected);
    tab.tabIndex = selected ? 0 : -1;
    byId(other).hidden = !selected;
  }
  document.title = `${byId(`tab-${name}`).textContent}: ${byId('store').textContent}`;
  views[name].show(parameters);
}

function startTabs() {
  const go = (name) => {
    lastFragment[fragment().name] = location.hash;
    location.hash = lastFragment[name] || `#${name}`;
  };
  byId('tabs').addEventListener('click', (event) => {
    const tab = event.target.closest('[role=tab]');
    if (tab) go(tab.getAttribute('aria-controls'));
  });
  byId('tabs').addEventListener('keydown', (event) => {
    const at = names.indexOf(fragment().name), last = names.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(names[to]);
    byId(`tab-${names[to]}`).focus();
  });
}

function showAbout(about) {
  const { run } = about;
  byId('store').textContent = about.store.split('/').pop();
  byId('store').title = about.store;
  const counts = run && run.summary ? `${number(run.summary.documents)} documents, ${number(run.summary.hidden)} hidden; ` : '';
  const result = run ? `${counts}run ${run.id}, ${new Date(run.published_at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'no run yet';
  put(byId('facts'), `${result} `, about.read_only && el('span.badge.warn', 'read-only'), ' ',
    !about.indexed && el('span.badge.warn', 'no text index: run twindex index'));
}

async function start() {
  byId('entry').hidden = true;
  try {
    const about = await ask('/api/about');
    about.pins = about.settings.find((s) => s.name === 'verdict.pins').value || null;
    showAbout(about);
    byId('tabs').hidden = false;
    for (const name of names) views[name].start(about);
    addEventListener('hashchange', showView);
    showView();
  } catch (error) {
    byId('tabs').hidden = true;
    byId('entry').hidden = false;
    if (error.status !== 401) byId('entry-why').textContent = error.message;
    byId('entry-form').hidden = error.status !== 401;
    if (error.status !== 401 && error.status !== 0) throw error;
    say(byId('entry-why').textContent);
  }
}

byId('entry-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = byId('entry-token').value.trim();
  setToken((/token=([0-9A-Za-z_-]+)/.exec(text) || ['', text.replace(/[^0-9A-Za-z_-]/g, '')])[1]);
  start();
});
takeToken();
startTabs();
start();
