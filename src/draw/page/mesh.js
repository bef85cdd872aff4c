// Where ranks stand when the mesh is drawn, and the one that the reader looks at.

const [firstRank, lastRank] = data.ranks;
const numRanks = lastRank - firstRank + 1;

// A single long axis is folded into a snake; of several, the last one runs across, the one before it down, the next one
// across in blocks, and so on.
function gridPlace(rank) {
  const sizes = data.axes.map(([, size]) => size).filter((size) => size > 1);
  if (sizes.length === 1 && sizes[0] > 8) {
    const width = Math.ceil(Math.sqrt(sizes[0]));
    const row = Math.floor(rank / width);
    return [row % 2 === 0 ? rank % width : width - 1 - rank % width, row];
  }
  const place = [0, 0], extent = [1, 1];
  let rest = rank, direction = 0;
  for (const size of sizes.reverse()) {
    place[direction] += rest % size * extent[direction];
    rest = Math.floor(rest / size);
    extent[direction] *= size;
    direction = 1 - direction;
  }
  return place;
}

const places = new Map();
for (let rank = firstRank; rank <= lastRank; ++rank) places.set(rank, gridPlace(rank));
const leftmost = Math.min(...[...places.values()].map(([x]) => x));
const topmost = Math.min(...[...places.values()].map(([, y]) => y));
for (const place of places.values()) {
  place[0] -= leftmost;
  place[1] -= topmost;
}
const meshWidth = Math.max(...[...places.values()].map(([x]) => x)) + 1;
const meshHeight = Math.max(...[...places.values()].map(([, y]) => y)) + 1;

const rankListeners = [];
let chosenRank = firstRank;

function chooseRank(rank) {
  chosenRank = rank;
  for (const listen of rankListeners) listen(rank);
}

// The ranks as buttons; one of them takes part in the order of the Tab key, arrow keys go to its neighbours.
function showMesh(box) {
  box.style.setProperty('--columns', meshWidth);
  // A mesh that is wider than its column would be cut there: it stands above the steps instead.
  box.closest('.with-mesh').classList.toggle('wide-mesh', meshWidth > 16);
  const buttons = new Map();
  for (const [rank, [x, y]] of places) {
    const button = element('button', {type: 'button', 'aria-label': rankTitle(rank), title: rankTitle(rank)}, `${rank}`);
    button.style.gridColumn = x + 1;
    button.style.gridRow = y + 1;
    button.addEventListener('mouseenter', () => chooseRank(rank));
    button.addEventListener('focus', () => chooseRank(rank));
    button.addEventListener('click', () => chooseRank(rank));
    buttons.set(rank, button);
    box.append(button);
  }
  const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  box.addEventListener('keydown', (event) => {
    if (!(event.key in steps)) return;
    const [x, y] = places.get(chosenRank);
    const [right, down] = steps[event.key];
    const next = [...places].find(([, place]) => place[0] === x + right && place[1] === y + down);
    if (next) buttons.get(next[0]).focus();
    event.preventDefault();
  });
  rankListeners.push((chosen) => {
    for (const [rank, button] of buttons) {
      button.tabIndex = rank === chosen ? 0 : -1;
      button.setAttribute('aria-pressed', rank === chosen);
    }
  });
}
