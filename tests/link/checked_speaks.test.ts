// The profile checked names each mistake on standard error, by itself, then traps: in a program with Emscripten's glue, in a
// standalone one, and in one with threads; daily every third mistake, in the latter two every tenth.

import { describe, expect, test } from 'vitest';
import { kEvery, kLevel } from '../every.ts';
import { kThreadFlags } from './matrix.ts';
import { archive, type Linked, root, toolchains } from './toolchain.ts';

const kDoubleFree = 'double free: the chunk is free already';
const kForeign = 'foreign pointer: not in this heap';
const kMisaligned = 'misaligned pointer: not the address of a block';
const kDamaged = 'damaged (header|boundary tag): [a-z ]+';
const kWrittenTo = 'damaged free-list link: a free chunk was written to';

/** Row of programs/mistakes.c, and what must be told. */
const kRows: Readonly<Record<string, string>> = {
  'double free, small': kDoubleFree,
  'double free, medium': kDoubleFree,
  'double free, large': kDoubleFree,
  'double free after another, small': kDoubleFree,
  'double free after another, large': kDoubleFree,
  'interior, small': kMisaligned,
  'interior, large': kMisaligned,
  'misaligned by 1': kMisaligned,
  'misaligned by 4': kMisaligned,
  'a global': kForeign,
  'the stack': kForeign,
  'a small number': kForeign,
  'beyond memory': kForeign,
  'realloc of a freed block': kDoubleFree,
  'realloc of a global': kForeign,
  'overflow by 1, small': kDamaged,
  'overflow by 100, small': kDamaged,
  'overflow by 1, large': kDamaged,
  'overflow by 100, its neighbour is freed': kDamaged,
  'underflow, small': kDamaged,
  'underflow, large': kDamaged,
  'link of a cached block': kWrittenTo,
  'middle of a cached block': kWrittenTo,
  'last byte of a cached block': kWrittenTo,
  'link of a cached block, to itself, then a full cache': `(${kWrittenTo}|${kDoubleFree})`,
  'link of a free chunk': kWrittenTo,
  'middle of a free chunk': kWrittenTo,
  'last byte of a free chunk': kWrittenTo,
  'middle of a large free chunk': kWrittenTo,
};

const kWays = {
  glue: { profile: 'checked', flags: [kLevel, '-sALLOW_MEMORY_GROWTH'] },
  standalone: { profile: 'checked', flags: [kLevel, '-sALLOW_MEMORY_GROWTH', '-sSTANDALONE_WASM'] },
  threads: {
    profile: 'checked-threads',
    flags: [kLevel, '-pthread', '-sINITIAL_MEMORY=64MB', '-sEXIT_RUNTIME', ...kThreadFlags],
  },
} as const;

/** What a program that died printed on standard error; undefined when it did not die. */
async function lastWords(linked: Linked, row: string): Promise<string | undefined> {
  try {
    await linked.run(row);
    return undefined;
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

for (const toolchain of toolchains()) {
  describe.each(Object.entries(kWays))(`Emscripten ${toolchain.version}, %s`, (way, { profile, flags }) => {
    let linking: Promise<Linked> | undefined;
    const linked = () => {
      linking ??= toolchain.link(
        `mistakes_${way}`,
        ['mistakes.c'],
        [archive(profile), `-I${root}core/include`, ...flags],
      );
      return linking;
    };

    const said = Object.entries(kRows).filter((_, nth) => kEvery || nth % (way === 'glue' ? 3 : 10) === 0);
    test.each(said)('%s is told on standard error', async (row, text) => {
      const told = await lastWords(await linked(), row);
      expect(told).toMatch(new RegExp(`^heapglass: ${text} at 0x[0-9a-f]+.*$`, 'm'));
      expect(told).toMatch(/unreachable/); // and then it traps
    });

    test('a hook takes the text instead', async () => {
      const told = await lastWords(await linked(), 'hook');
      expect(told).toMatch(new RegExp(`^the hook got 1: ${kDoubleFree} at 0x`, 'm'));
      expect(told).not.toMatch(/^heapglass:/m);
      expect(told).toMatch(/unreachable/);
    });

    test('without a mistake nothing is told', async () => {
      expect(await lastWords(await linked(), 'none')).toBeUndefined();
    });
  });
}
