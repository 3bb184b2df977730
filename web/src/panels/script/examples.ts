// Scripts to begin with: each shows one thing that an allocator does, and is short enough to be changed.

export interface ScriptExample {
  readonly title: string;
  readonly text: string;
}

export const kExamples: readonly ScriptExample[] = [
  {
    title: 'Splitting and joining',
    text: `chapter('Five blocks, side by side');
const blocks = [];
for (let i = 0; i < 5; i++) blocks.push(heap.allocate(100));

chapter('Free two that are not neighbours: two holes');
heap.deallocate(blocks[1]);
heap.deallocate(blocks[3]);

chapter('Free the one between: the three join');
heap.deallocate(blocks[2]);

chapter('A larger block fits into the hole');
const large = heap.allocate(250);
console.log('it begins at', hex(large), large === blocks[1] ? ': the first hole' : '');
`,
  },
  {
    title: 'A growing array, forward and backward',
    text: `// An array between two blocks. Where there is room behind or before it, it grows in place.
const before = heap.allocate(3000);
let array = heap.allocate(100);
const behind = heap.allocate(3000);
const end = heap.allocate(100); // keeps the free memory behind it apart

function grow(size) {
  const inPlace = heap.expand(array, { minimum: size, backward: true });
  const more = inPlace ?? heap.expand(array, { minimum: size, move: true });
  if (!more) throw new Error('no memory for ' + size + ' bytes');
  array = more.address;
  console.log(size, 'bytes:', more.how);
}

chapter('Free memory behind it: it grows forward');
heap.deallocate(behind);
grow(2000);
chapter('Free memory before it: it grows backward');
heap.deallocate(before);
grow(6000);
chapter('No room on either side: it moves');
grow(20000);
`,
  },
  {
    title: 'A pool, a burst, a leak',
    text: `chapter('A pool of 24-byte nodes');
const pool = heap.createPool({ nodeSize: 24 });
const nodes = pool.allocateMany(500);

chapter('Half of them go back, at random');
for (const node of nodes) {
  if (Math.random() < 0.5) pool.deallocate(node);
}

chapter('A burst: 200 blocks by one call');
const cells = heap.allocateMany(40, 200);
heap.freeMany(cells);

chapter('A leak: every tenth block is forgotten');
for (let i = 0; i < 300; i++) {
  const block = heap.allocate(64 + (i % 7) * 16);
  if (i % 10 !== 0) heap.deallocate(block);
}
`,
  },
];
