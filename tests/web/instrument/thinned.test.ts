// Which functions of a module keep their code for whoever looks for its allocator (thinned.ts, Thin.2).

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { lookedInto } from '../../../web/src/instrument/thinned.ts';
import { functionNames, readModule } from '../../../web/src/symbols/index.ts';

const kOne = '(call $malloc (i32.const 8))';
const kBoth = `(drop ${kOne}) (call $free (i32.const 8))`;
const others = (count: number) => Array.from({ length: count }, (_, nth) => `(call $other${nth})`).join(' ');
const params = (count: number) => '(param i32) '.repeat(count);

/** Each with what it calls. */
const kText = `(module
  (memory 1)
  (func $malloc (param i32) (result i32) (call $inner (local.get 0)))
  (func $inner (param i32) (result i32) (call $inmost) (call $other0) (i32.const 8))
  (func $inmost (call $far))
  (func $far)
  (func $free (param i32))
  ${Array.from({ length: 9 }, (_, nth) => `(func $other${nth})`).join('\n')}
  (func $both_0 ${kBoth})
  (func $both_1 ${params(1)} ${kBoth})
  (func $both_4 ${params(4)} (result i32) ${kBoth} (i32.const 8))
  (func $both_5 ${params(5)} (result i32) ${kBoth} (i32.const 8))
  (func $both_2_results ${params(2)} (result i32 i32) ${kBoth} (i32.const 8) (i32.const 8))
  (func $both_and_more ${params(2)} ${kBoth} ${others(9)})
  (func $one_and_little ${params(2)} (result i32) ${kOne} ${others(7)})
  (func $one_and_more ${params(2)} (result i32) ${kOne} ${others(8)})
  (func $little ${params(2)} ${others(3)}))`;

test('kept are an allocator, what it calls, and what calls it as one of its family may', async () => {
  const bytes = (await wabt()).parseWat('m.wat', kText).toBinary({ write_debug_names: true }).buffer;
  const module = readModule(Uint8Array.from(bytes));
  const kept = lookedInto(module, {});
  const names = [...functionNames(module)].filter(([index]) => kept.has(index)).map(([, name]) => name);
  expect(names).toEqual([
    ...['malloc', 'inner', 'inmost', 'free', 'other0'],
    ...['both_1', 'both_4', 'both_and_more', 'one_and_little'],
  ]);
});
