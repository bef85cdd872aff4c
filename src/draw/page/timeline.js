// The timeline: a canvas as large as its box, which draws what is in view.

const RULER_HEIGHT = 22;
const LEAST_WIDTH_PS = 100;  // that fills the view at the closest look

class TimelineView {
  constructor() {
    this.box = byId('timeline-view');
    this.canvas = byId('timeline-canvas');
    this.rows = makeRows();
    this.rowsByTimeline = new Map(timelines.map((timeline) => [timeline, this.rows.filter((row) => row.timeline === timeline)]));
    this.end = Math.max(1, ...timelines.map((timeline) => timeline.makespan));
    this.from = 0;
    this.to = this.end;
    this.hover = null;   // {row, op}
    this.chosen = null;
    this.waiting = false;
    const last = this.rows.at(-1);
    this.rowsHeight = last ? last.top + last.height : 0;
    byId('timeline-tall').style.height = `${this.rowsHeight + RULER_HEIGHT}px`;
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(this.box);
  }

  get labelWidth() { return this.canvas.clientWidth < 600 ? 84 : 150; }
  get plotWidth() { return Math.max(1, this.canvas.clientWidth - this.labelWidth); }
  x(time) { return this.labelWidth + (time - this.from) / (this.to - this.from) * this.plotWidth; }
  time(x) { return this.from + (x - this.labelWidth) / this.plotWidth * (this.to - this.from); }
  y(row) { return RULER_HEIGHT + row.top - this.box.scrollTop; }

  // Shows the time from `from`, `width` long, as far as there is time.
  show(from, width) {
    const span = Math.min(Math.max(width, LEAST_WIDTH_PS), this.end);
    this.from = Math.min(Math.max(from, 0), this.end - span);
    this.to = this.from + span;
    this.redraw();
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    const width = (this.to - this.from) * factor;
    this.show(at - (at - this.from) * factor, width);
  }
  pan(part) { this.show(this.from + part * (this.to - this.from), this.to - this.from); }
  fit() { this.show(0, this.end); }

  redraw() {
    this.box.dataset.from = this.from;
    this.box.dataset.to = this.to;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const scale = devicePixelRatio || 1;
    const width = this.box.clientWidth;
    const height = Math.min(this.rowsHeight + RULER_HEIGHT, Math.round(innerHeight * 0.7));
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.colors = Object.fromEntries([...KIND_NAMES, 'text', 'soft', 'line', 'back', 'panel', 'critical', 'accent', 'on-kind', 'on-wait'].map((name) => [name, color(name)]));
    context.fillStyle = this.colors.back;
    context.fillRect(0, 0, width, height);
    const visible = this.rows.filter((row) => this.y(row) < height && this.y(row) + row.height > RULER_HEIGHT);
    for (const row of visible) this.drawRow(context, row, width);
    context.save();
    context.beginPath();
    context.rect(this.labelWidth, RULER_HEIGHT, width, height);
    context.clip();
    if (byId('show-path').checked) this.drawPath(context, height);
    if (byId('show-arrows').checked) this.drawAllArrows(context, visible);
    for (const mark of [this.hover, this.chosen]) if (mark) this.drawMark(context, mark);
    context.restore();
    for (const row of visible) this.drawLabel(context, row);
    this.drawRuler(context, width);
  }

  drawRow(context, row, width) {
    const {timeline, order, latest} = row;
    const top = this.y(row);
    context.fillStyle = this.colors.line;
    context.fillRect(0, top + row.height - 2, width, 0.5);
    const drawnTo = new Float64Array(MOST_THIN + 1);  // what ends in a pixel that is painted already adds nothing
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (let i = firstAbove(latest, this.from); i < order.length && timeline.start[order[i]] <= this.to; ++i) {
      const op = order[i];
      const right = this.x(timeline.end[op]);
      const thin = row.thin[op - row.lane.first] + 1;
      if (right < this.labelWidth || right < drawnTo[thin]) continue;
      const left = Math.max(this.x(timeline.start[op]), this.labelWidth);
      const painted = Math.max(right - left, 0.8);
      drawnTo[thin] = left + Math.max(painted, 1);
      const [offset, barHeight] = barOf(row, op);
      context.fillStyle = this.colors[KIND_NAMES[ops.kind[op]]];
      context.fillRect(left, top + offset, painted, barHeight);
      if (painted > 3) {
        context.fillStyle = this.colors.back;
        context.fillRect(left + painted - 0.7, top + offset, 0.7, barHeight);
      }
      if (thin === 0 && painted > 40) this.drawName(context, row, op, left, Math.min(right, width), top);
    }
  }

  drawName(context, row, op, left, right, top) {
    const text = opText(op);
    const letters = Math.floor((right - left - 6) / 6);
    context.fillStyle = this.colors[ops.kind[op] === WAIT ? 'on-wait' : 'on-kind'];
    context.fillText(text.length <= letters ? text : `${text.slice(0, Math.max(letters - 1, 0))}\u2026`, left + 3, top + MAIN_HEIGHT / 2 + 0.5);
  }

  drawLabel(context, row) {
    const top = this.y(row);
    context.fillStyle = this.colors.back;
    context.fillRect(0, top, this.labelWidth - 1, row.height - 2);
    context.fillStyle = this.colors.text;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const which = timelines.length > 1 ? ` ${this.labelWidth < 100 ? row.timeline.name[0] : row.timeline.name}` : '';
    context.fillText(`${row.lane.rank} ${row.lane.name}${which}`, 4, top + MAIN_HEIGHT / 2, this.labelWidth - 8);
  }

  drawRuler(context, width) {
    context.fillStyle = this.colors.panel;
    context.fillRect(0, 0, width, RULER_HEIGHT);
    context.fillStyle = this.colors.text;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const most = Math.max(1, Math.floor(this.plotWidth / 72));
    const rough = (this.to - this.from) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
    for (let time = Math.ceil(this.from / step) * step; time <= this.to; time += step) {
      context.fillRect(this.x(time), RULER_HEIGHT - 6, 1, 6);
      const label = formatTime(time);
      if (this.x(time) + 6.2 * label.length < width) context.fillText(label, this.x(time) + 3, RULER_HEIGHT / 2 - 1);
    }
  }

  rowOf(timeline, op) { return this.rowsByTimeline.get(timeline)[ops.laneOf[op]]; }

  drawPath(context, height) {
    context.strokeStyle = this.colors.critical;
    context.lineWidth = 2;
    for (const timeline of timelines) {
      let before = null;
      for (const {op, start, end} of timeline.path) {
        const row = op < 0 ? null : this.rowOf(timeline, op);
        // Along the lower edge: what a bar says stays readable.
        const y = row && this.y(row) + barOf(row, op)[0] + barOf(row, op)[1] - 1;
        if (row && end >= this.from && start <= this.to && Math.max(y, before ?? y) > 0 && Math.min(y, before ?? y) < height) {
          context.beginPath();
          context.moveTo(this.x(start), before ?? y);
          context.lineTo(this.x(start), y);
          context.lineTo(this.x(end), y);
          context.stroke();
        }
        before = y;
      }
    }
  }

  drawArrow(context, timeline, from, to) {
    const ends = [from, to].map((op) => {
      const row = this.rowOf(timeline, op);
      const [offset, barHeight] = barOf(row, op);
      return this.y(row) + offset + barHeight / 2;
    });
    const right = this.x(timeline.end[to]);
    const left = Math.min(this.x(timeline.end[from]), right);  // `sent` is raised before its put ends
    const bend = Math.max(12, (right - left) / 2);
    context.beginPath();
    context.moveTo(left, ends[0]);
    context.bezierCurveTo(left + bend, ends[0], right - bend, ends[1], right, ends[1]);
    context.stroke();
    context.beginPath();
    context.moveTo(right, ends[1]);
    context.lineTo(right - 6, ends[1] - 3);
    context.lineTo(right - 6, ends[1] + 3);
    context.fill();
  }

  drawAllArrows(context, visible) {
    const most = 2000;  // more are a tangle, and slow
    context.strokeStyle = context.fillStyle = this.colors.soft;
    context.lineWidth = 0.8;
    let drawn = 0;
    for (const row of visible) {
      for (let i = firstAbove(row.latest, this.from); i < row.order.length && row.timeline.start[row.order[i]] <= this.to && drawn < most; ++i) {
        const op = row.order[i];
        if (arrows.cause[op] < 0) continue;
        this.drawArrow(context, row.timeline, arrows.cause[op], op);
        ++drawn;
      }
    }
  }

  drawMark(context, {row, op}) {
    const {timeline} = row;
    const [offset, barHeight] = barOf(row, op);
    const left = this.x(timeline.start[op]);
    context.strokeStyle = context.fillStyle = this.colors.text;
    context.lineWidth = 1.5;
    context.strokeRect(left, this.y(row) + offset, Math.max(this.x(timeline.end[op]) - left, 2), barHeight);
    if (arrows.cause[op] >= 0) this.drawArrow(context, timeline, arrows.cause[op], op);
    for (const effect of arrows.effects.get(op) ?? []) this.drawArrow(context, timeline, op, effect);
  }

  // What lies at a point of the canvas; where several do, the shortest.
  at(x, y) {
    if (x < this.labelWidth || y < RULER_HEIGHT) return null;
    const row = this.rows[firstAbove(this.rows.map((candidate) => candidate.top + candidate.height), y - RULER_HEIGHT + this.box.scrollTop)];
    if (!row) return null;
    const {timeline, order, latest} = row;
    const slack = 2 / this.plotWidth * (this.to - this.from);
    const time = this.time(x);
    let best = null;
    for (let i = firstAbove(latest, time - slack); i < order.length && timeline.start[order[i]] <= time + slack; ++i) {
      const op = order[i];
      const [offset, barHeight] = barOf(row, op);
      const inside = y >= this.y(row) + offset && y <= this.y(row) + offset + barHeight && timeline.end[op] >= time - slack;
      const length = timeline.end[op] - timeline.start[op];
      if (inside && (best === null || length < timeline.end[best] - timeline.start[best])) best = op;
    }
    return best === null ? null : {row, op: best};
  }

  choose(mark) {
    this.chosen = mark;
    byId('op-details').replaceChildren(...(mark ? opSentences(mark) : []));
    if (mark) this.bringIntoView(mark);
    this.redraw();
  }

  bringIntoView({row, op}) {
    const start = row.timeline.start[op], width = this.to - this.from;
    if (start < this.from || start > this.to) this.show(start - width / 4, width);
    const room = this.canvas.clientHeight - RULER_HEIGHT - row.height;
    if (row.top < this.box.scrollTop) this.box.scrollTop = row.top;
    else if (row.top > this.box.scrollTop + room) this.box.scrollTop = row.top - room;
  }

  chooseNext(direction) {
    if (!this.chosen) {
      const row = this.rows.find((candidate) => candidate.order.length > 0);
      if (row) this.choose({row, op: row.order[firstAbove(row.latest, this.from) % row.order.length]});
      return;
    }
    const {row, op} = this.chosen;
    const next = row.order[row.order.indexOf(op) + direction];
    if (next !== undefined) this.choose({row, op: next});
  }

  chooseCause() {
    const cause = this.chosen ? arrows.cause[this.chosen.op] : -1;
    if (cause >= 0) this.choose({row: this.rowOf(this.chosen.row.timeline, cause), op: cause});
  }

  listen() {
    const buttons = {'zoom-in': () => this.zoom(0.5), 'zoom-out': () => this.zoom(2), 'pan-left': () => this.pan(-0.25), 'pan-right': () => this.pan(0.25), fit: () => this.fit(), 'previous-op': () => this.chooseNext(-1), 'next-op': () => this.chooseNext(1), cause: () => this.chooseCause()};
    for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener('click', act);
    for (const id of ['show-path', 'show-arrows']) byId(id).addEventListener('change', () => this.redraw());
    const keys = {'+': () => this.zoom(0.5), '=': () => this.zoom(0.5), '-': () => this.zoom(2), '0': () => this.fit(), ArrowLeft: () => this.pan(-0.1), ArrowRight: () => this.pan(0.1), n: () => this.chooseNext(1), p: () => this.chooseNext(-1), w: () => this.chooseCause(), Escape: () => this.choose(null)};
    this.box.addEventListener('keydown', (event) => {
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      keys[event.key]();
      event.preventDefault();
    });
    this.box.addEventListener('scroll', () => this.redraw());
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    this.canvas.addEventListener('pointerdown', (event) => this.press(event));
    this.canvas.addEventListener('pointermove', (event) => this.point(event));
    this.canvas.addEventListener('pointerleave', () => this.hoverOver(null));
  }

  wheel(event) {
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(event.deltaY / 300), this.time(event.offsetX));
    else if (sideways !== 0) this.pan(sideways / this.plotWidth);
    else return;
    event.preventDefault();
  }

  press(event) {
    const start = {x: event.clientX, y: event.clientY, from: this.from, scroll: this.box.scrollTop, moved: false};
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.classList.add('dragging');
    this.drag = start;
    this.canvas.addEventListener('pointerup', () => {
      this.canvas.classList.remove('dragging');
      this.drag = null;
      if (!start.moved) this.choose(this.at(event.offsetX, event.offsetY));
    }, {once: true});
  }

  point(event) {
    if (!this.drag) {
      this.hoverOver(this.at(event.offsetX, event.offsetY), event);
      return;
    }
    const right = event.clientX - this.drag.x, down = event.clientY - this.drag.y;
    if (Math.abs(right) + Math.abs(down) > 3) this.drag.moved = true;
    if (!this.drag.moved) return;
    const width = this.to - this.from;
    this.box.scrollTop = this.drag.scroll - down;
    this.show(this.drag.from - right / this.plotWidth * width, width);
  }

  hoverOver(mark, event) {
    const tip = byId('tip');
    tip.hidden = mark === null;
    if (mark) {
      tip.replaceChildren(...opSentences(mark));
      tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8))}px`;
      tip.style.top = `${event.clientY + 16 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 8 : event.clientY + 16}px`;
    }
    if (mark?.op !== this.hover?.op || mark?.row !== this.hover?.row) {
      this.hover = mark;
      this.redraw();
    }
  }
}

// What is said of an op: itself, where and when, what it moved, and what it waited for.
function opSentences({row, op}) {
  const {timeline, lane} = row;
  const times = `${formatTime(timeline.start[op])} to ${formatTime(timeline.end[op])}, ${formatTime(timeline.end[op] - timeline.start[op])}`;
  const sentences = [opText(op), `line ${ops.line[op]}, ${rankTitle(lane.rank)}, lane ${lane.name}`, `${timeline.name}: ${times}`];
  for (const other of timelines)
    if (other !== timeline) sentences.push(`${other.name}: ${formatTime(other.start[op])} to ${formatTime(other.end[op])}, ${formatTime(other.end[op] - other.start[op])}`);
  if (ops.bytes[op] > 0) sentences.push(`${formatBytes(ops.bytes[op])}${ops.from[op] === ops.to[op] ? ' written' : ` from rank ${ops.from[op]} to rank ${ops.to[op]}`}`);
  const cause = arrows.cause[op];
  if (cause >= 0) sentences.push(`passes by rank ${ops.lanes[ops.laneOf[cause]].rank}: ${opText(cause)}`);
  return sentences.map((sentence) => element('p', {}, sentence));
}

function showTimeline() {
  if (timelines.length === 0) return;
  byId('timeline').hidden = false;
  byId('legend').append(...KIND_NAMES.map((name) => {
    const swatch = element('i');
    swatch.style.background = `var(--${name})`;
    return element('span', {}, swatch, name);
  }), 'Thin bars below a lane are under way.');
  const view = new TimelineView();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view.redraw());
}
