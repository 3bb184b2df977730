// How much of the debug information may be read in all: what names the same bytes again and again ends.

import { expect, test } from 'vitest';
import { Reach } from '../../../web/src/symbols/dwarf_sections.ts';
import { WasmFileError } from '../../../web/src/symbols/index.ts';

const kOfEmpty = 65_536;

test('all that is left may be spent, and not a byte more', () => {
  const reach = new Reach(0);
  reach.spend(kOfEmpty);
  expect(() => reach.spend(1)).toThrow(WasmFileError);
});

test('a text costs its bytes once, however often it is asked for', () => {
  const reach = new Reach(0);
  const section = new TextEncoder().encode(`${'a'.repeat(kOfEmpty - 1)}\0`);
  for (let times = 0; times < 3; ++times) expect(reach.text(section, 0)).toHaveLength(kOfEmpty - 1);
  expect(() => reach.text(section, 1)).toThrow(/too many times/);
});
