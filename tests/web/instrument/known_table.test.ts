// The recorder's table of contexts, run by itself: a number for each key, however often the table was doubled.

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { createRandom } from '../../../web/src/base/random.ts';
import { kContextImport, kKnownPages, knownText, kSiteOfText } from '../../../web/src/instrument/known_table.ts';
import { kFirstFreePage } from '../../../web/src/instrument/recorder_module.ts';
import { RecorderState } from '../../../web/src/instrument/recorder_state.ts';

const kKeys = 20_000; // some four times as many as fit before the table is doubled first

async function recorder(isShared: boolean, stack: (context: bigint) => number) {
  const state = new RecorderState(isShared);
  const parts = `${knownText(state)} ${kSiteOfText}
    (func (export "site_of") (param $context i64) (result i32) (call $site_of (local.get $context)))`;
  const definitions = state.definitions();
  const memory = `${kFirstFreePage + kKnownPages} 1024${isShared ? ' shared' : ''}`;
  const text = `(module ${kContextImport} (memory ${memory}) ${definitions} ${parts}
    ${isShared ? '(global $waits i32 (i32.const 1)) (start $begin_thread)' : ''})`;
  const { buffer } = (await wabt()).parseWat('m.wat', text, { threads: true }).toBinary({});
  const { instance } = await WebAssembly.instantiate(Uint8Array.from(buffer), { heapglass: { stack } });
  return { exports: instance.exports as Record<string, (key: bigint) => number>, text };
}

function keys(seed: number): bigint[] {
  const { next } = createRandom(seed);
  const all = new Set<bigint>([0n, 1n, 2n ** 64n - 1n]);
  while (all.size < kKeys) all.add((BigInt(next()) << 32n) | BigInt(next()));
  return [...all];
}

test.each([false, true])(
  'each context is asked for its site once, and has it from then on (with threads: %s)',
  async (isShared) => {
    const asked: bigint[] = [];
    const { exports } = await recorder(isShared, (context) => asked.push(BigInt.asUintN(64, context)));
    const contexts = keys(1);
    const given = contexts.map((context) => exports['site_of']?.(context));
    expect(given).toEqual(contexts.map((_, nth) => nth + 1));
    expect(contexts.map((context) => exports['site_of']?.(context))).toEqual(given);
    expect(asked).toEqual(contexts);
  },
);

test('with threads a key that is new has its number negated, and the same number ever after', async () => {
  const { exports } = await recorder(true, () => 0);
  const all = keys(2);
  expect(all.map((key) => exports['intern']?.(key))).toEqual(all.map((_, nth) => -nth - 1));
  expect(all.map((key) => exports['intern']?.(key))).toEqual(all.map((_, nth) => nth + 1));
});

test('without threads the table has no numbers of its own, and no variable that nothing reads', async () => {
  const { exports, text } = await recorder(false, () => 0);
  expect(exports['intern']).toBeUndefined();
  const variables = [...text.matchAll(/\(global \$(\w+)/g)].map(([, name]) => name);
  expect(variables.length).toBeGreaterThan(0);
  expect(variables.filter((name) => !text.includes(`(global.get $${name})`))).toEqual([]);
});
