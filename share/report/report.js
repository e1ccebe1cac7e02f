'use strict';
(() => {
  // Tables of class sort: a button in each heading sorts the rows; data-v is the value of a cell that shows something else.
  const valueOf = (cell) => {
    const text = cell.dataset.v === undefined ? cell.textContent.replace(/,/g, '') : cell.dataset.v;
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1);
  const sortBy = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column]) }));
    rows.sort((a, b) => (down ? compare(b.value, a.value) : compare(a.value, b.value)));
    body.append(...rows.map((r) => r.row));
    [...table.tHead.rows[0].cells].forEach((th, i) => {
      if (i === column) th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    });
  };
  for (const table of document.querySelectorAll('table.sort')) {
    [...table.tHead.rows[0].cells].forEach((th, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener('click', () => {
        const first = table.tBodies[0].rows[0];
        const numeric = first && typeof valueOf(first.cells[column]) === 'number';
        const sorted = th.getAttribute('aria-sort');
        sortBy(table, column, sorted ? sorted === 'ascending' : numeric);
      });
    });
  }
  // The filter of hosts.
  const input = document.getElementById('hosts-filter');
  const count = document.getElementById('hosts-count');
  const rows = [...document.querySelectorAll('#hosts-table tbody tr')];
  const number = (n) => n.toLocaleString('en');
  const filter = () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
      shown += !row.hidden;
    }
    count.textContent = wanted ? `${number(shown)} of ${number(rows.length)} hosts` : '';
  };
  if (rows.length > 1) input.closest('.filter').hidden = false;
  input.addEventListener('input', filter);
  if (input.value) filter();
  // Paper has no disclosures: everything is open while printing.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const d of closed) d.open = true;
  });
  addEventListener('afterprint', () => {
    for (const d of closed) d.open = false;
  });
})();
