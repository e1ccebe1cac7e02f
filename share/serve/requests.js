// Requests to the server. The first carries the token that the printed address had in its fragment; from then on the browser sends a cookie
// that no script can read, so that links in other tabs work without the token.
import { el, number, put } from './dom.js';

const POLL = 200; // milliseconds between questions about a task
let token = null;

export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export function setToken(text) {
  token = text;
}

// options: method, body (an object), signal, isTask (asks the server to answer with a task)
export async function ask(path, { method = 'GET', body, signal, isTask } = {}) {
  const headers = {};
  if (token) headers['X-Twindex-Token'] = token;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (isTask) headers.Prefer = 'respond-async';
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal('The server does not answer. Is twindex serve still running?', 0);
  }
  const text = await answer.text();
  let value = null;
  try {
    value = parsed(text);
  } catch (error) {
    throw new Refusal(`The server answered with status ${answer.status} and something that is not JSON.`, answer.status);
  }
  if (answer.ok) token = null;
  if (!answer.ok) throw new Refusal(sentence(value.error) || `The server answered with status ${answer.status}.`, answer.status);
  return value;
}

// file: {name, text, version} as the server sent it; it is not replaced if it has changed since.
export async function saveFile(file, text) {
  const { version } = await ask('/api/files', { method: 'PUT', body: { name: file.name, text, version: file.version } });
  Object.assign(file, { text, version });
}

// Changes a file of lines, one change at a time; if another program has written to it, what that wrote is kept. kind: its name in /api/about
let changes = Promise.resolve();
export function changeFile(kind, file, change) {
  const attempt = async (isFirst) => {
    if (file.text.includes('\uFFFD')) throw new Refusal(`${file.name} has bytes that are not UTF-8: it is left as it is.`, 0);
    try {
      await saveFile(file, change(file.text));
    } catch (error) {
      if (error.status !== 409 || !isFirst) throw error;
      Object.assign(file, (await ask('/api/about'))[kind]);
      await attempt(false);
    }
  };
  return (changes = changes.catch(() => {}).then(() => attempt(true)));
}

// Whole numbers that JavaScript would round, such as ids of 64 bits, become texts.
const TOKEN = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const isRounded = (token) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

function parsed(json) {
  let inText = false;
  const exact = (token) => {
    if (token === '"') inText = !inText;
    return !inText && isRounded(token) ? `"${token}"` : token;
  };
  return JSON.parse(/\d{16}/.test(json) ? json.replace(TOKEN, exact) : json);
}

const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.') : '');
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Asks for something that takes long: shows a progress bar with a button that cancels in `place`, and returns the result.
export async function askLong(path, { body, place, name, signal }) {
  const started = await ask(path, { method: 'POST', body: body || {}, signal, isTask: true });
  if (!started.task) return started;
  const task = `/api/task?id=${encodeURIComponent(started.task)}`;
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    ask(task, { method: 'DELETE' }).catch(() => {});
  };
  if (signal) signal.addEventListener('abort', cancel);
  const show = progressIn(place, name, cancel);
  try {
    for (;;) {
      const state = await ask(task);
      show(state);
      if (state.state === 'done') return state.result;
      if (state.state === 'cancelled' || (cancelled && state.state !== 'running')) throw new DOMException('cancelled', 'AbortError');
      if (state.state === 'failed') throw new Refusal(sentence(state.error), 200);
      await pause(POLL);
    }
  } finally {
    place.hidden = true;
    put(place);
    if (signal) signal.removeEventListener('abort', cancel);
  }
}

// A progress bar appears after a moment only, so that short tasks do not flicker.
function progressIn(place, name, cancel) {
  const bar = el('progress', { 'aria-label': name });
  const stage = el('span.by', { role: 'status' }, name);
  const button = el('button', { type: 'button', onclick: () => { button.disabled = true; button.textContent = 'Cancelling'; cancel(); } }, 'Cancel');
  const began = Date.now();
  place.classList.add('progress');
  put(place, bar, stage, button);
  return (state) => {
    place.hidden = Date.now() - began < POLL;
    if (state.total) {
      bar.max = state.total;
      bar.value = state.done;
    } else {
      bar.removeAttribute('value');
    }
    const text = state.stage ? `${state.stage}${state.total ? `: ${number(state.done)} of ${number(state.total)}` : ''}` : name;
    if (stage.textContent !== text) stage.textContent = text;
  };
}
