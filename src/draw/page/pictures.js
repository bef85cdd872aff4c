// Arrays as pictures: which ranks hold which block, before and after each step.

const LONG_SIDE = 220;  // of a picture, in pixels
const SHORTEST_SIDE = 56;

// [begin, end) along the height or width of the picture, both from 0 to 1: blocks of several dimensions lie in one another.
function extentOf(array, blocks, dims) {
  let begin = 0, size = 1;
  for (const dim of dims) {
    const whole = Math.max(array.sizes[dim], 1);
    const cut = array.cuts[dim].slice(2 * blocks[dim], 2 * blocks[dim] + 2);
    begin += size * cut[0] / whole;
    size *= (cut[1] - cut[0]) / whole;
  }
  return [begin, begin + size];
}

function blocksOf(array, rank) {
  const dims = array.dims.length;
  return array.blocks.slice((rank - firstRank) * dims, (rank - firstRank + 1) * dims);
}

function boxText(array, rank) {
  const sides = blocksOf(array, rank).map((block, dim) => array.cuts[dim].slice(2 * block, 2 * block + 2).join(':'));
  return `${array.name || 'array'}[${sides.join(', ')}]`;
}

// The different blocks, each with its ranks.
function cellsOf(array) {
  const cells = new Map();
  for (let rank = firstRank; rank <= lastRank; ++rank) {
    const blocks = blocksOf(array, rank);
    const key = blocks.join();
    if (!cells.has(key)) cells.set(key, {blocks, ranks: []});
    cells.get(key).ranks.push(rank);
  }
  return [...cells.values()];
}

function sidesOf(array) {
  const dims = array.dims.map((_, dim) => dim);
  const columns = dims.slice(-1), rows = dims.slice(0, -1);
  const length = (of) => of.reduce((product, dim) => product * Math.max(array.sizes[dim], 1), 1);
  const ratio = length(columns) / length(rows);
  const [width, height] = ratio >= 1 ? [LONG_SIDE, LONG_SIDE / ratio] : [LONG_SIDE * ratio, LONG_SIDE];
  return {rows, columns, width: Math.max(width, SHORTEST_SIDE), height: Math.max(height, SHORTEST_SIDE)};
}

function cellShapes(array, cell, sides, hue) {
  const [left, right] = extentOf(array, cell.blocks, sides.columns).map((part) => part * sides.width);
  const [top, bottom] = extentOf(array, cell.blocks, sides.rows).map((part) => part * sides.height);
  const place = {x: left, y: top, width: right - left, height: bottom - top};
  const label = formatRanks(cell.ranks);
  const block = shape('rect', {class: 'cell', ...place}, shape('title', {}, `${boxText(array, cell.ranks[0])} on ${cell.ranks.length === 1 ? 'rank' : 'ranks'} ${label}`));
  block.style.setProperty('--hue', hue);
  const shapes = [block];
  if (array.partial.length > 0) shapes.push(shape('rect', {class: 'hatch', ...place}));
  const fontSize = Math.min(14, place.width / (0.62 * label.length + 0.5), 0.8 * place.height);
  if (fontSize >= 6) {
    const holders = shape('text', {class: `holders${array.partial.length > 0 ? ' partial-holders' : ''}`, x: (left + right) / 2, y: (top + bottom) / 2, 'font-size': fontSize}, label);
    shapes.push(holders);
  }
  return {shapes, place};
}

function sentenceOf(array, cells) {
  const copies = new Set(cells.map((cell) => cell.ranks.length));
  const blocks = cells.length === 1 ? 'one block' : `${cells.length} blocks`;
  const each = copies.size === 1 ? `${cells.length === 1 ? 'on' : 'each on'} ${[...copies][0] === 1 ? 'one rank' : `${[...copies][0]} ranks`}` : 'of several ranks each';
  return `${blocks}, ${each}${array.partial.length > 0 ? `; partial sums along ${array.partial.join(', ')}` : ''}`;
}

function makePicture(array) {
  const sides = sidesOf(array);
  const cells = cellsOf(array);
  const sentence = sentenceOf(array, cells);
  const drawing = shape('svg', {viewBox: `-2 -2 ${sides.width + 4} ${sides.height + 4}`, width: sides.width + 4, height: sides.height + 4, role: 'img', 'aria-label': `${array.text}: ${sentence}`});
  const placeOf = new Map();
  for (const [number, cell] of cells.entries()) {
    const {shapes, place} = cellShapes(array, cell, sides, 210 + Math.round(360 * number / cells.length));
    drawing.append(...shapes);
    for (const rank of cell.ranks) placeOf.set(rank, place);
  }
  drawing.append(shape('rect', {class: 'frame', width: sides.width, height: sides.height}));
  const mine = shape('rect', {class: 'mine'});
  drawing.append(mine);
  rankListeners.push((rank) => {
    for (const [name, value] of Object.entries(placeOf.get(rank))) mine.setAttribute(name, value);
  });
  return element('figure', {}, drawing, element('figcaption', {}, element('code', {}, array.text), element('br'), sentence));
}

function showPictures() {
  if (data.steps.length === 0) return;
  byId('pictures').hidden = false;
  showMesh(byId('mesh'));
  for (const step of data.steps) {
    const figures = (numbers) => numbers.map((number) => makePicture(data.arrays[number]));
    const change = element('div', {class: 'change'}, ...figures(step.before), element('span', {class: 'becomes', role: 'img', 'aria-label': 'becomes'}, '\u2192'), ...figures(step.after));
    byId('steps').append(element('li', {}, element('h3', {}, step.title), change));
  }
  rankListeners.push((rank) => {
    const held = data.arrays.map((array) => element('li', {}, boxText(array, rank) + (array.partial.length > 0 ? `, partial along ${array.partial.join(', ')}` : '')));
    byId('holdings').replaceChildren(element('p', {}, `${rankTitle(rank)} holds`), element('ul', {}, ...held));
  });
  chooseRank(firstRank);
}
