// The data of the page, unpacked: ops and spans as arrays of numbers, since there can be a million of them.

const data = JSON.parse(document.getElementById('data').textContent);

const KIND_NAMES = ['product', 'memory', 'transfer', 'signal', 'wait'];
const PRODUCT = 0, MEMORY = 1, TRANSFER = 2, SIGNAL = 3, WAIT = 4;
const KIND_OF = {gemm: PRODUCT, put: TRANSFER, get: TRANSFER, signal: SIGNAL, wait: WAIT};
const BLAME_NAMES = ['compute', 'link', 'latency', 'credit'];

// Ops of all lanes, numbered from 0; `at` is where the words of an op begin in the numbers of its lane.
function unpackOps() {
  const lanes = [];
  const at = [], laneOf = [], kind = [], bytes = [], from = [], to = [], line = [];
  for (const [number, packed] of (data.lanes ?? []).entries()) {
    const first = at.length;
    const numbers = packed.ops;
    for (let i = 0; i < numbers.length;) {
      const words = numbers[i];
      const opKind = KIND_OF[data.words[numbers[i + 1]]] ?? MEMORY;
      const own = at.length - first;
      at.push(i);
      laneOf.push(number);
      kind.push(opKind);
      i += 1 + words;
      bytes.push(numbers[i++]);
      from.push(opKind === TRANSFER ? numbers[i++] : packed.rank);
      to.push(opKind === TRANSFER ? numbers[i++] : packed.rank);
      line.push(Array.isArray(packed.line) ? packed.line[own] : packed.line + own);
    }
    lanes.push({rank: packed.rank, name: packed.name, first, count: at.length - first});
  }
  return {count: at.length, lanes, at, laneOf, kind, bytes, from, to, line};
}

const ops = unpackOps();

// The op as it stands in the text form of the schedule.
function opText(op) {
  const numbers = data.lanes[ops.laneOf[op]].ops;
  const begin = ops.at[op] + 1;
  let text = '';
  for (let i = 0; i < numbers[begin - 1]; ++i) {
    const word = data.words[numbers[begin + i]];
    text += (text && !/^[@[]/.test(word) ? ' ' : '') + word;
  }
  return text;
}

function unpackTimeline(packed) {
  const start = new Float64Array(ops.count), end = new Float64Array(ops.count);
  let i = 0;
  for (const lane of ops.lanes) {
    let at = 0;
    for (let op = lane.first; op < lane.first + lane.count; ++op) {
      at += packed.times[i++];
      start[op] = at;
      end[op] = at + packed.times[i++];
    }
  }
  const path = [];
  for (let step = 0; step < packed.path.length; step += 4) {
    const [blame, op, from, to] = packed.path.slice(step, step + 4);
    path.push({blame, op, start: from, end: to});
  }
  const name = packed.measured ? 'measured' : 'predicted';
  return {name, makespan: packed.makespan, start, end, path, links: packed.links, uses: packed.uses};
}

const timelines = data.timelines.map(unpackTimeline);

// For each op: the op that lets it pass, and the ops that it lets pass.
function unpackArrows() {
  const cause = new Int32Array(ops.count).fill(-1);
  const effects = new Map();
  const packed = data.arrows ?? [];
  for (let i = 0; i < packed.length; i += 2) {
    cause[packed[i + 1]] = packed[i];
    if (!effects.has(packed[i])) effects.set(packed[i], []);
    effects.get(packed[i]).push(packed[i + 1]);
  }
  return {cause, effects};
}

const arrows = unpackArrows();
