// Pages that a change makes impossible to find, in a red tile with their list.
import { ask } from './requests.js';
import { el, newId, number, pageLink, plural, put } from './dom.js';

const LOOKED_AT = 60; // pairs of texts that are compared

// pages: {id, url, title, why}; total: all of them; of: what they are counted among
export function lossesTile(total, of) {
  return el(`div.tile${total > 0 ? '.lost' : '.alone'}`, el('dt', 'Pages no longer found'), el('dd', el('b', number(total)), el('span', of)));
}

export function lossesList(pages, total, about) {
  if (total === 0) return null;
  const title = newId('losses');
  return el('section.losses', { 'aria-labelledby': title }, el('h3', { id: title }, `Pages no longer found (${number(total)})`), el('p.by', about),
    el('ul', pages.map((p) => el('li', el('a.ti', { href: `#documents?id=${encodeURIComponent(p.id)}` }, p.title || 'Without a title'), ' ', pageLink(p.url), p.why && [' ', el('span.by', p.why)]))),
    pages.length < total && el('p.by', `and ${number(total - pages.length)} more`));
}

// ---- of rules: clusters with a hit of A and none of B

// results: of /api/search
export function lossesOfRules(results) {
  const compared = results.filter((r) => r.gone);
  if (compared.length === 0) return null;
  const sum = (key) => compared.reduce((n, r) => n + r.gone[key], 0), total = sum('gone');
  const pages = compared.flatMap((r) => r.gone.hits.map((hit) => ({ ...hit, why: compared.length > 1 ? `by “${r.query}”` : '' })));
  return { tile: lossesTile(total, `of ${number(sum('clusters'))} that A finds`),
    list: lossesList(pages, total, 'A finds each of them, or a copy of it; B finds neither. demote-duplicates.rules hides nothing.') };
}

// ---- of settings: words that a hidden page has and the page that represents it has not

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{M}]{3,}/gu) || []);

async function wordsLost(row, signal) {
  const c = await ask(`/api/compare?a=${encodeURIComponent(row.id)}&b=${encodeURIComponent(row.representative)}&limit=0`, { signal });
  const text = (side) => c.passages.map((p) => `${p.before} ${p[side]}`).join(' ') + (c.after || '');
  const kept = wordsOf(text('b'));
  return [...wordsOf(`${row.title || ''} ${text('a')}`)].filter((word) => !kept.has(word));
}

// rows: newly hidden documents of a dry run. The places are filled in when the texts have been compared.
export async function showLossesOfSettings(tile, list, { rows, documents }, signal) {
  const pages = [], some = rows.slice(0, LOOKED_AT);
  for (const row of some) {
    if (!tile.isConnected) return;
    const words = row.representative ? await wordsLost(row, signal).catch(() => []) : [];
    if (words.length) pages.push({ ...row, why: `by ${words.slice(0, 6).map((w) => `“${w}”`).join(', ')}${words.length > 6 ? ` and ${number(words.length - 6)} more` : ''}` });
  }
  tile.replaceWith(lossesTile(pages.length, some.length === 0 ? 'nothing is newly hidden' : `by a word of theirs; ${some.length < documents ? `the first ${number(some.length)} of ${number(documents)} looked at` : `${plural(documents, 'page', 'pages')} looked at`}`));
  put(list, lossesList(pages, pages.length, 'Newly hidden pages with words that the page which represents them does not have: a search for these words finds neither.'));
}
