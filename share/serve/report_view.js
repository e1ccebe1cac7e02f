// The view Report: the report of what is published now, in a frame that may run its own script and nothing else.
import { byId, el, problem, put, say } from './dom.js';
import { askLong } from './requests.js';

let isMade = false;

export const reportView = {
  start() { byId('report-again').addEventListener('click', make); },
  show() { if (!isMade) make(); },
};

async function make() {
  isMade = true;
  byId('report-again').disabled = true;
  problem('report-problem', null);
  try {
    const { url } = await askLong('/api/report', { place: byId('report-progress'), name: 'Making the report' });
    put(byId('report-frame'), el('iframe', { src: url, sandbox: 'allow-scripts', title: 'Report' }));
    byId('report-alone').href = url;
    byId('report-alone').hidden = false;
    say('The report is made');
  } catch (error) {
    isMade = false;
    if (error.name !== 'AbortError') problem('report-problem', error);
    else put(byId('report-frame'), el('p.none', 'Cancelled.'));
  }
  byId('report-again').disabled = false;
}
