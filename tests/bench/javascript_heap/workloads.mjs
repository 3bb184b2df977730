// What is done with each allocator: calls that are timed, and programs that fill a fixed number of bytes, whose results are counts
// and the same at every run.

/** Numbers from a seed: the same for every allocator. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Each is (allocator) -> how many calls it made; all memory is given back. */
export const kTimed = {
  '100 blocks, last first': (a) => inOrder(a, 100, 1, (blocks) => blocks.reverse()),
  '1,000 blocks, first first': (a) => inOrder(a, 1000, 1, (blocks) => blocks),
  '16,000 blocks, first first': (a) => inOrder(a, 16_000, 1, (blocks) => blocks),
  '1,000 blocks, replaced at random': (a) => replaced(a, 1000, 4000),
  '16,000 blocks, replaced at random': (a) => replaced(a, 16_000, 4000),
  'a list grown to 64 KiB, by half': grown,
  '1,000 nodes of 24 bytes together': (a) => {
    const nodes = a.takeMany(24, 1000);
    a.giveMany(nodes);
    return nodes.length * 2;
  },
  '100 typed arrays': (a) => {
    const arrays = Array.from({ length: 100 }, (_, i) => a.takeArray(10 + i));
    for (const array of arrays) a.giveArray(array);
    return 200;
  },
};

const sizeAt = (i) => 16 + ((i * 97) % 240);

function inOrder(a, count, rounds, order) {
  for (let round = 0; round < rounds; ++round) {
    const blocks = Array.from({ length: count }, (_, i) => a.take(sizeAt(i)));
    for (const block of order(blocks)) a.give(block);
  }
  return 2 * count * rounds;
}

function replaced(a, live, calls) {
  const random = randomFrom(1);
  const blocks = Array.from({ length: live }, (_, i) => a.take(sizeAt(i)));
  for (let i = 0; i < calls; ++i) {
    const at = random(live);
    a.give(blocks[at]);
    blocks[at] = a.take(16 + random(240));
  }
  a.clear();
  return 2 * calls + live;
}

function grown(a) {
  let block = a.take(64);
  const fence = a.take(16); // once it has moved it stands at the end
  let calls = 4;
  for (let size = 64; size < 65_536; size = Math.ceil(size * 1.5)) {
    block = a.resize(block, size);
    ++calls;
  }
  a.give(block);
  a.give(fence);
  return calls;
}

/** Programs over a region of `bytes`; each answers how many bytes its user had when no more could be had. */
export const kFilling = {
  'blocks of 16 bytes': (a) => fill(a, () => 16),
  'blocks of 12 bytes': (a) => fill(a, () => 12),
  'blocks of 1 to 500 bytes': (a, seed) => {
    const random = randomFrom(seed);
    return fill(a, () => 1 + random(500));
  },
  'the same, after 100,000 replacements': (a, seed) => {
    const random = randomFrom(seed);
    const blocks = [];
    const sizes = [];
    for (let i = 0; i < 3000; ++i) {
      sizes.push(1 + random(500));
      blocks.push(a.take(sizes[i]));
    }
    for (let i = 0; i < 100_000; ++i) {
      const at = random(blocks.length);
      if (blocks[at] !== 0) a.give(blocks[at]);
      sizes[at] = 1 + random(500);
      blocks[at] = a.take(sizes[at]);
    }
    const held = sizes.reduce((sum, size, i) => sum + (blocks[i] === 0 ? 0 : size), 0);
    return held + fill(a, () => 1 + random(500));
  },
};

function fill(a, size) {
  for (let bytes = 0; ; ) {
    const wanted = size();
    if (a.take(wanted) === 0) return bytes;
    bytes += wanted;
  }
}
