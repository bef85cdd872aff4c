// Numbers as people read them, in the digits that the command line has too, and shorthand for elements.

function withPrefix(value, steps, unit, digits) {
  if (value === 0) return `0 ${unit}`;
  const rounding = 1 - 0.5 * 10 ** -digits;  // what rounds to 1000 takes the next prefix
  const [factor, prefix] = steps.find(([limit]) => value >= limit * rounding) ?? steps.at(-1);
  return `${Number((value / factor).toPrecision(digits))} ${prefix}${unit}`;
}

function formatTime(ps) {
  return withPrefix(ps, [[1e12, ''], [1e9, 'm'], [1e6, 'u'], [1e3, 'n'], [1, 'p']], 's', 4);
}

function formatBytes(bytes) {
  return withPrefix(bytes, [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']], 'B', 3);
}

function rankTitle(rank) {
  let rest = rank;
  const coordinates = data.axes.slice().reverse().map(([name, size]) => {
    const text = `${name}=${rest % size}`;
    rest = Math.floor(rest / size);
    return text;
  });
  return coordinates.length === 0 ? `rank ${rank}` : `rank ${rank} (${coordinates.reverse().join(', ')})`;
}

// `0-3, 8`: runs of numbers that follow one another.
function formatRanks(ranks) {
  const runs = [];
  for (const rank of ranks) {
    const last = runs.at(-1);
    if (last && last[1] === rank - 1) last[1] = rank;
    else runs.push([rank, rank]);
  }
  return runs.map(([first, last]) => first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first}-${last}`).join(', ');
}

function withParts(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function element(tag, attributes = {}, ...children) {
  return withParts(document.createElement(tag), attributes, children);
}

function shape(tag, attributes = {}, ...children) {
  return withParts(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
