// Tables, each in a box of its own that scrolls where the page is narrow.

const LONG_CELL = 28;  // letters, from which a column keeps a width to read in

function makeTable({title, head, rows}) {
  const isLong = head.map((_, column) => rows.some((row) => row[column].length > LONG_CELL));
  const headRow = element('tr', {}, ...head.map((name) => element('th', {scope: 'col'}, name)));
  const bodyRows = rows.map((row) => element('tr', {}, ...row.map((cell, column) => element('td', isLong[column] ? {class: 'long'} : {}, cell))));
  const table = element('table', {}, element('caption', {}, title), element('thead', {}, headRow), element('tbody', {}, ...bodyRows));
  return element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title}, table);
}

function showTables(sectionId, boxId, tables) {
  if (tables.length === 0) return;
  byId(boxId).append(...tables.map(makeTable));
  byId(sectionId).hidden = false;
}
