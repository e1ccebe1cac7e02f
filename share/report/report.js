// The script of the report page. share/page/tables.js stands before it.
(() => {
  const FIRST = 25; // rows of a table before "more"
  const number = (n) => n.toLocaleString('en');
  const element = (name, text, type) => Object.assign(document.createElement(name), { textContent: text, ...(type && { type }) });

  // A cell for a spreadsheet: quoted, in one line, and no formula.
  const cell = (text) => `"${text.trim().replace(/\s+/g, ' ').replace(/"/g, '""').replace(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/, "'$&")}"`;
  // The value of a cell. Of a long URL the page shows only the beginning and the end; this is all of it.
  const textOf = (e) => {
    const url = e.querySelector('.u');
    return e.dataset.v ?? url?.getAttribute('href') ?? url?.title ?? (e.classList.contains('n') ? e.textContent.replace(/,/g, '') : e.innerText || e.textContent);
  };
  const saveTable = (table) => {
    const heads = [...table.tHead.rows[0].cells].map((c) => cell(c.textContent));
    const lines = [...table.tBodies[0].rows].map((r) => [...r.cells].map((c) => (/^-?[\d.]+$/.test(textOf(c)) ? textOf(c) : cell(textOf(c)))));
    const link = element('a', '');
    link.href = URL.createObjectURL(new Blob([`\uFEFF${[heads, ...lines].map((l) => `${l.join(',')}\r\n`).join('')}`], { type: 'text/csv' }));
    link.download = `${table.id.replace(/-table$/, '')}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  for (const table of document.querySelectorAll('.scroll > table')) {
    const body = table.tBodies[0], names = [...table.tHead.rows[0].cells].map((c) => c.textContent);
    const bar = element('p', ''), csv = element('button', 'CSV', 'button'), more = element('button', '', 'button');
    if (table.classList.contains('sort')) sortableTable(table);
    // Cards of a narrow window: each cell is named; what a table is for a screen reader stays.
    table.classList.add('cards');
    for (const [of, role] of [[[table], 'table'], [table.rows, 'row'], [table.querySelectorAll('td'), 'cell'], [body.querySelectorAll('th'), 'rowheader']])
      for (const e of of) e.setAttribute('role', role);
    for (const row of body.rows) [...row.cells].forEach((c, i) => { c.dataset.name = names[i]; });
    const filter = table.id === 'hosts-table' && document.getElementById('hosts-filter'), count = document.getElementById('hosts-count');
    let most = FIRST;
    const show = () => {
      const wanted = filter ? filter.value.trim().toLowerCase() : '', rows = [...body.rows];
      const found = rows.filter((r) => r.cells[0].textContent.toLowerCase().includes(wanted));
      for (const r of rows) r.hidden = true;
      for (const r of found.slice(0, most)) r.hidden = false;
      more.hidden = found.length <= most;
      more.textContent = `${number(found.length - most)} more`;
      if (filter) count.textContent = wanted ? `${number(found.length)} of ${number(rows.length)} hosts` : '';
    };
    more.addEventListener('click', () => { most = Infinity; show(); });
    csv.addEventListener('click', () => saveTable(table));
    csv.setAttribute('aria-label', `CSV of the table: ${table.caption.textContent}`);
    table.tHead.addEventListener('click', show);
    if (filter && body.rows.length > 1) filter.closest('.filter').hidden = false;
    if (filter) filter.addEventListener('input', show);
    addEventListener('beforeprint', () => { most = Infinity; show(); });
    addEventListener('afterprint', () => { most = FIRST; show(); });
    bar.className = 'tools';
    bar.append(more, csv);
    table.parentElement.after(bar);
    show();
  }

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
