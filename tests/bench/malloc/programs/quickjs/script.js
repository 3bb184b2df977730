// Work that lives on memory: small objects, arrays that grow, strings that are joined and cut, maps, closures, JSON,
// regular expressions and typed arrays. Each part prints a figure that depends on all it made; nothing asks the time.

let seed = 20261;
const random = (limit) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
  return (seed >>> 8) % limit;
};
const mix = (sum, value) => (Math.imul(sum, 31) + value) | 0;

/** A tree of objects with keys inserted and removed. */
function searchTree(keys) {
  let root = null;
  const insert = (key) => {
    const node = { key, value: `v${key}`, left: null, right: null };
    for (let at = root; at !== null; ) {
      if (key === at.key) {
        at.value = node.value;
        return;
      }
      const side = key < at.key ? 'left' : 'right';
      if (at[side] === null) {
        at[side] = node;
        return;
      }
      at = at[side];
    }
    root = node;
  };
  for (let i = 0; i < keys; ++i) insert(random(1000000));
  let sum = 0;
  const stack = [];
  for (let at = root; at !== null || stack.length > 0; at = at.right) {
    for (; at !== null; at = at.left) stack.push(at);
    at = stack.pop();
    sum = mix(sum, at.value.length + at.key);
  }
  return sum;
}

/** Records in a Map and in classes, changed and dropped: the live set stays about as large as `live`. */
function records(rounds, live) {
  class Record {
    constructor(id) {
      this.id = id;
      this.tags = [id % 3, id % 5, `t${id % 7}`];
      this.at = { x: id, y: -id };
    }
    score() {
      return this.tags[0] + this.tags[1] + this.at.x;
    }
  }
  const map = new Map();
  let sum = 0;
  for (let i = 0; i < rounds; ++i) {
    const key = `record ${random(live)}`;
    const found = map.get(key);
    if (found === undefined) map.set(key, new Record(i));
    else if (i % 3 === 0) map.delete(key);
    else {
      found.tags.push(i);
      sum = mix(sum, found.score());
    }
  }
  for (const [key, record] of map) sum = mix(sum, key.length + record.tags.length);
  return sum;
}

function strings(lines) {
  const made = [];
  for (let i = 0; i < lines; ++i) made.push(`${random(100000)};${'x'.repeat(random(40))};field ${random(300)}`);
  let whole = '';
  for (const line of made) whole += `${line}\n`;
  const counts = {};
  let sum = 0;
  for (const line of whole.split('\n')) {
    const [number, mark, field] = line.split(';');
    if (field === undefined) continue;
    counts[field] = (counts[field] ?? 0) + mark.length;
    sum = mix(sum, Number(number));
  }
  for (const field of Object.keys(counts).sort()) sum = mix(sum, counts[field]);
  return mix(sum, whole.replace(/field (\d+)/g, (_, digits) => `<${digits}>`).length);
}

function closures(count, rounds) {
  let handlers = [];
  let sum = 0;
  for (let round = 0; round < rounds; ++round) {
    for (let i = 0; i < count; ++i) {
      const held = [i, round];
      handlers.push((x) => {
        held[0] += x;
        return held[0] * held[1];
      });
    }
    handlers = handlers.filter((handler, i) => {
      sum = mix(sum, handler(i));
      return sum % 3 !== 0;
    });
  }
  return mix(sum, handlers.length);
}

function documents(rows, rounds) {
  let text = JSON.stringify({
    rows: Array.from({ length: rows }, (_, id) => ({
      id,
      name: `row ${random(999)}`,
      values: [random(9), random(99)],
    })),
  });
  let sum = 0;
  for (let round = 0; round < rounds; ++round) {
    const parsed = JSON.parse(text);
    for (const row of parsed.rows) row.values.push(random(9999));
    const groups = Object.groupBy(parsed.rows, ({ id }) => id % 10);
    sum = mix(
      sum,
      groups[3].map(({ name, values: [first, ...rest] }) => name.length + first + rest.length).reduce((a, b) => a + b),
    );
    text = JSON.stringify(parsed);
    sum = mix(sum, text.length);
  }
  return sum;
}

function arrays(rounds) {
  let sum = 0;
  for (let round = 1; round <= rounds; ++round) {
    const numbers = [];
    for (let i = 0; i < 2000 * (round % 5) + 100; ++i) numbers.push(random(1000));
    const typed = Float64Array.from(numbers);
    const sorted = [...numbers].sort((a, b) => a - b);
    const pairs = sorted.map((value, i) => [value, typed[i]]);
    sum = mix(
      sum,
      pairs.flat().reduce((a, b) => (a + b) | 0, 0),
    );
    sum = mix(sum, typed.slice(10, 90).length + numbers.splice(5, 50).length);
  }
  return sum;
}

function* numbersFrom(list) {
  for (const item of list)
    if (typeof item === 'number') yield item;
    else yield* numbersFrom(item);
}
const nested = (depth) => (depth === 0 ? [random(9), random(9)] : Array.from({ length: 4 }, () => nested(depth - 1)));

print('tree', searchTree(20000));
print('records', records(100000, 20000));
print('strings', strings(20000));
print('closures', closures(8000, 8));
print('documents', documents(3000, 3));
print('arrays', arrays(10));
print('generators', [...numbersFrom(nested(6))].reduce(mix, 0));
