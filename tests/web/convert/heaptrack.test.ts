import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { readHeaptrack } from '../../../web/src/convert/heaptrack.ts';
import { idOfWord, kindOfWord, OperationKind } from '../../../web/src/replay/operation_list.ts';

/** Kind, id and size of each operation. */
function operationsOf(text: string): [number, number, number][] {
  const read = readHeaptrack(text);
  if (!read.ok) throw new Error(read.error);
  const words = read.value.words();
  return Array.from({ length: read.value.count }, (_, nth) => {
    const [what = 0, size = 0] = words.slice(2 * nth);
    return [kindOfWord(what), idOfWord(what), size];
  });
}

test('of equal blocks the one allocated last is freed, and each is freed once', () => {
  const found = operationsOf('a 40 1\n+ 0\n+ 0\n- 0\n+ 0\n- 0\n- 0\n- 0\n');
  expect(found.map(([, id]) => id)).toEqual([0, 1, 1, 1, 1, 0]);
});

test('of lines of every kind, empty ones among them, each allocation and free is one operation', () => {
  const { below } = createRandom(4);
  const others = ['', 'v 10500 3', 't 1 1', 'c 5f', 'A', '# of it', 'R 3e8'];
  const sizes = [0, 0xffff_ffff, 0x40];
  const lines = ['', ...sizes.map((size) => `a ${size.toString(16)} 1`)];
  const live: number[][] = sizes.map(() => []);
  const wanted: [number, number, number][] = [];
  for (let step = 0; step < 500; ++step) {
    const info = below(sizes.length);
    lines.push(others[below(others.length)] ?? '', below(2) === 0 ? `+ ${info}` : `- ${info}`);
    const blocks = live[info] ?? [];
    if (lines.at(-1)?.startsWith('+')) {
      const id = wanted.length; // until it is known
      blocks.push(id);
      wanted.push([OperationKind.malloc, id, sizes[info] ?? 0]);
    } else {
      const id = blocks.pop();
      if (id !== undefined) wanted.push([OperationKind.free, id, 0]);
    }
  }
  const found = operationsOf(lines.join('\n'));
  const given = found.map(([, id]) => id);
  expect(found).toEqual(wanted.map(([kind, born, size]) => [kind, given[born], size]));
});
