// The rows of the timeline: one for each lane and timeline, with thin ones below for what is under way at once.

const MAIN_HEIGHT = 16, THIN_HEIGHT = 5, ROW_GAP = 4, MOST_THIN = 6;

function isUnderWay(op) {
  return ops.kind[op] === TRANSFER || ops.kind[op] === SIGNAL;
}

// By op of the lane: -1 for the main row, else the first thin row that is free; the last one takes all that is left.
function thinRows(lane, timeline, order) {
  const rows = new Int8Array(lane.count).fill(-1);
  const freeAt = [];
  for (const op of order) {
    if (!isUnderWay(op)) continue;
    let row = freeAt.findIndex((time) => time <= timeline.start[op]);
    if (row < 0) row = freeAt.length < MOST_THIN ? freeAt.push(0) - 1 : MOST_THIN - 1;
    freeAt[row] = Math.max(freeAt[row], timeline.end[op]);
    rows[op - lane.first] = row;
  }
  return {rows, count: freeAt.length};
}

// `order`: its ops by start; `latest[i]`: when the last of the first i+1 of them ends, for a search of what is in view.
function makeRow(lane, timeline, top) {
  const order = Array.from({length: lane.count}, (_, i) => lane.first + i);
  order.sort((a, b) => timeline.start[a] - timeline.start[b] || a - b);
  const thin = thinRows(lane, timeline, order);
  const latest = new Float64Array(order.length);
  order.forEach((op, i) => { latest[i] = Math.max(i > 0 ? latest[i - 1] : 0, timeline.end[op]); });
  return {lane, timeline, top, order, latest, thin: thin.rows, height: MAIN_HEIGHT + thin.count * THIN_HEIGHT + ROW_GAP};
}

function makeRows() {
  const rows = [];
  let top = ROW_GAP;
  for (const lane of ops.lanes) {
    for (const timeline of timelines) {
      const row = makeRow(lane, timeline, top);
      rows.push(row);
      top += row.height;
    }
  }
  return rows;
}

// Where the bar of an op lies in its row: [offset from the top of the row, height].
function barOf(row, op) {
  const thin = row.thin[op - row.lane.first];
  return thin < 0 ? [0, MAIN_HEIGHT] : [MAIN_HEIGHT + thin * THIN_HEIGHT + 1, THIN_HEIGHT - 1];
}

// The first place in `numbers`, which never fall, that is above `limit`.
function firstAbove(numbers, limit) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
