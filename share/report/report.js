// The script of the report page. share/page/tables.js stands before it.
(() => {
  for (const table of document.querySelectorAll('table.sort')) sortableTable(table);
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
