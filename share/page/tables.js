'use strict';
// Makes a table sortable: a button in each heading sorts the rows; data-v is the value of a cell that shows something else. Headings of
// class plain stay as they are.
function sortableTable(table) {
  const valueOf = (cell) => {
    const text = cell.dataset.v === undefined ? cell.textContent.replace(/,/g, '') : cell.dataset.v;
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  };
  const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1);
  const headings = [...table.tHead.rows[0].cells];
  const sortBy = (column, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column]) }));
    rows.sort((a, b) => (down ? compare(b.value, a.value) : compare(a.value, b.value)));
    body.append(...rows.map((r) => r.row));
    headings.forEach((th, i) => {
      if (i === column) th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    });
  };
  headings.forEach((th, column) => {
    if (th.classList.contains('plain')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...th.childNodes);
    th.append(button);
    button.addEventListener('click', () => {
      const first = table.tBodies[0].rows[0];
      const numeric = first && typeof valueOf(first.cells[column]) === 'number';
      const sorted = th.getAttribute('aria-sort');
      sortBy(column, sorted ? sorted === 'ascending' : numeric);
    });
  });
}
