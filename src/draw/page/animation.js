// Chunks as dots that move over the mesh, at any moment of a timeline.

const RUN_SECONDS = 8;  // that a whole run takes at normal speed
const SLIDER_STEPS = 1000;
const MOST_WAYS = 1000;  // that are drawn while nothing moves there; more are a tangle

// The ways of bytes: over each link that is known, else from rank to rank in one go; by start.
function legsOf(timeline) {
  const legs = [];
  const known = new Set();
  for (let i = 0; i < timeline.uses.length; i += 4) {
    const [link, op, start, end] = timeline.uses.slice(i, i + 4);
    const [, from, to] = timeline.links[link];
    if (from < -1 || to < -1) continue;
    known.add(op);
    legs.push({op, from, to, start, end});
  }
  for (let op = 0; op < ops.count; ++op)
    if (ops.kind[op] === TRANSFER && !known.has(op)) legs.push({op, from: ops.from[op], to: ops.to[op], start: timeline.start[op], end: timeline.end[op]});
  return legs.filter((leg) => leg.end > leg.start).sort((a, b) => a.start - b.start);
}

class Animation {
  constructor() {
    this.canvas = byId('animation-canvas');
    this.slider = byId('time');
    this.now = 0;
    this.playing = false;
    for (const [number, timeline] of timelines.entries()) byId('which').append(element('option', {value: number}, timeline.name));
    byId('which-label').hidden = timelines.length < 2;
    this.take(timelines[0]);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas.parentElement);
  }

  take(timeline) {
    this.timeline = timeline;
    this.legs = legsOf(timeline);
    this.usesSwitch = this.legs.some((leg) => leg.from === -1 || leg.to === -1);
    this.longest = this.legs.reduce((longest, leg) => Math.max(longest, leg.end - leg.start), 0);
    const ways = new Map(this.legs.map((leg) => [`${leg.from} ${leg.to}`, leg]));
    this.ways = ways.size <= MOST_WAYS ? [...ways.values()] : [];
    this.starts = this.legs.map((leg) => leg.start);
    this.transfers = ops.kind.flatMap((kind, op) => kind === TRANSFER ? [op] : []);
    this.moments = [...new Set([0, ...this.transfers.map((op) => timeline.start[op]), ...this.transfers.map((op) => timeline.end[op]), timeline.makespan])].sort((a, b) => a - b);
    this.products = ops.lanes.map((lane) => Array.from({length: lane.count}, (_, i) => lane.first + i).filter((op) => ops.kind[op] === PRODUCT));
    this.seek(Math.min(this.now, timeline.makespan));
  }

  seek(time) {
    this.now = Math.min(Math.max(time, 0), this.timeline.makespan);
    this.slider.value = Math.round(this.now / Math.max(this.timeline.makespan, 1) * SLIDER_STEPS);
    this.slider.setAttribute('aria-valuetext', formatTime(this.now));
    this.draw();
  }

  play(on) {
    this.playing = on;
    byId('play').textContent = on ? 'Pause' : 'Play';
    byId('play').setAttribute('aria-pressed', on);
    byId('animation-text').setAttribute('aria-live', on ? 'off' : 'polite');
    if (!on) return;
    if (this.now >= this.timeline.makespan) this.now = 0;
    let before = null;
    const frame = (at) => {
      if (!this.playing) return;
      const passed = before === null ? 0 : at - before;
      before = at;
      this.seek(this.now + passed / 1000 / RUN_SECONDS * Number(byId('speed').value) * this.timeline.makespan);
      if (this.now >= this.timeline.makespan) this.play(false);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // To the next or last moment at which a transfer begins or ends.
  step(direction) {
    this.play(false);
    const next = direction > 0 ? this.moments.find((moment) => moment > this.now) : this.moments.findLast((moment) => moment < this.now);
    if (next !== undefined) this.seek(next);
  }

  listen() {
    byId('play').addEventListener('click', () => this.play(!this.playing));
    byId('step-on').addEventListener('click', () => this.step(1));
    byId('step-back').addEventListener('click', () => this.step(-1));
    byId('which').addEventListener('change', (event) => this.take(timelines[event.target.value]));
    this.slider.addEventListener('input', () => {
      this.play(false);
      this.seek(this.slider.value / SLIDER_STEPS * this.timeline.makespan);
    });
  }

  // Device boxes stand on a grid; the switch, if there is one, below them.
  layout() {
    const width = this.canvas.parentElement.clientWidth;
    const rows = meshHeight + (this.usesSwitch ? 1 : 0);
    const cell = Math.min(110, width / meshWidth, Math.max(26, 560 / rows));
    const left = (width - cell * meshWidth) / 2;
    return {width, height: cell * rows + 8, cell, left};
  }

  place(rank, {cell, left}) {
    if (rank === -1) return [left + cell * meshWidth / 2, cell * (meshHeight + 0.5) + 4];
    const at = places.get(rank);
    return at && [left + cell * (at[0] + 0.5), cell * (at[1] + 0.5) + 4];
  }

  draw() {
    const layout = this.layout();
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(layout.width * scale);
    this.canvas.height = Math.round(layout.height * scale);
    this.canvas.style.height = `${layout.height}px`;
    const context = this.canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.strokeStyle = color('line');
    for (const way of this.ways) this.drawWay(context, layout, way);
    const moving = this.legs.slice(firstAbove(this.starts, this.now - this.longest - 1), firstAbove(this.starts, this.now)).filter((leg) => leg.end > this.now);
    context.strokeStyle = color('transfer');
    const dots = moving.map((leg) => this.dotOn(leg, this.drawWay(context, layout, leg)));
    const multiplying = this.drawRanks(context, layout);
    this.drawDots(context, layout, dots);
    const done = this.transfers.filter((op) => this.timeline.end[op] <= this.now);
    const sum = (of) => of.reduce((bytes, op) => bytes + ops.bytes[op], 0);
    byId('animation-text').textContent = `${formatTime(this.now)} of ${formatTime(this.timeline.makespan)}: ${new Set(moving.map((leg) => leg.op)).size} under way, ${done.length} of ${this.transfers.length} transfers and ${formatBytes(sum(done))} of ${formatBytes(sum(this.transfers))} done; ${multiplying} of ${numRanks} ranks multiply.`;
  }

  drawRanks(context, layout) {
    const side = layout.cell * 0.46;
    const busy = new Set();
    for (const [number, lane] of ops.lanes.entries())
      if (this.products[number].some((op) => this.timeline.start[op] <= this.now && this.now < this.timeline.end[op])) busy.add(lane.rank);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = `${Math.max(9, Math.min(14, side / 2))}px system-ui, sans-serif`;
    for (const rank of this.usesSwitch ? [...places.keys(), -1] : places.keys()) {
      const [x, y] = this.place(rank, layout);
      context.fillStyle = color(busy.has(rank) ? 'product' : 'panel');
      context.strokeStyle = color('soft');
      context.fillRect(x - side / 2, y - side / 2, side, side);
      context.strokeRect(x - side / 2, y - side / 2, side, side);
      context.fillStyle = color(busy.has(rank) ? 'on-kind' : 'text');
      context.fillText(rank === -1 ? 'switch' : rank, x, y);
    }
    return busy.size;
  }

  // Two corners between which a way runs, to the right of its straight line, so that both ways of a link stay apart. One that
  // passes other ranks leaves at the side of its box and runs along beside them: between its own row and the next, nearer to its
  // own, so that it meets no rank and no way of that row. The switch stands below all ranks, which send down and get from there.
  corners(from, to, cell, down) {
    if (down !== 0) return [[from[0] + 0.06 * down * cell, from[1] + 0.5 * down * cell], [to[0] + 0.06 * down * cell, to[1] - 0.5 * down * cell]];
    const across = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(...across) || 1;
    const ahead = across.map((part) => part / length);
    const at = (place, along, aside) => [place[0] + ahead[0] * along - ahead[1] * aside, place[1] + ahead[1] * along + ahead[0] * aside];
    if (length <= 1.5 * cell) return [at(from, length / 3, 0.08 * length), at(from, 2 * length / 3, 0.08 * length)];
    return [at(from, 0.3 * cell, 0.48 * cell), at(to, -0.3 * cell, 0.48 * cell)];
  }

  // Returns the points of its curve, of the third degree; nothing if one end is not drawn.
  drawWay(context, layout, {from, to}) {
    const ends = [this.place(from, layout), this.place(to, layout)];
    if (!ends[0] || !ends[1]) return null;
    const corners = this.corners(...ends, layout.cell, to === -1 ? 1 : from === -1 ? -1 : 0);
    // From the edges of the boxes, whose numbers stay free.
    const [begin, end] = ends.map((at, side) => {
      const part = 0.28 * layout.cell / (Math.hypot(corners[side][0] - at[0], corners[side][1] - at[1]) || 1);
      return [at[0] + part * (corners[side][0] - at[0]), at[1] + part * (corners[side][1] - at[1])];
    });
    context.beginPath();
    context.moveTo(...begin);
    context.bezierCurveTo(...corners[0], ...corners[1], ...end);
    context.stroke();
    return [begin, ...corners, end];
  }

  // Where the chunk is on its way; nothing if an end of that is not drawn.
  dotOn(leg, corners) {
    if (!corners) return null;
    const part = (this.now - leg.start) / (leg.end - leg.start);
    const shares = [(1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part ** 2 * (1 - part), part ** 3];
    return [0, 1].map((side) => shares.reduce((sum, share, number) => sum + share * corners[number][side], 0));
  }

  drawDots(context, layout, dots) {
    const radius = Math.max(2.5, Math.min(6, layout.cell * 0.08));
    context.fillStyle = color('transfer');
    for (const dot of dots) {
      if (!dot) continue;
      context.beginPath();
      context.arc(...dot, radius, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

function showAnimation() {
  if (timelines.length === 0 || !ops.kind.includes(TRANSFER)) return;
  byId('animation').hidden = false;
  const animation = new Animation();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => animation.draw());
}
