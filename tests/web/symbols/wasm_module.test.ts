// Calls in function bodies: every kind of instruction between two of them, and which are reached, against binaryen, which drops the rest.

import binaryen from 'binaryen';
import { beforeAll, describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { readModule } from '../../../web/src/symbols/index.ts';
import { kOp } from '../../../web/src/symbols/instructions.ts';

const kFeatures = {
  simd: true,
  threads: true,
  bulk_memory: true,
  reference_types: true,
  exceptions: true,
  tail_call: true,
  multi_value: true,
  memory64: false,
};
let parse: (text: string) => Uint8Array;
beforeAll(async () => {
  const tools = await wabt();
  parse = (text) => tools.parseWat('m.wat', text, kFeatures).toBinary({ write_debug_names: true }).buffer;
});

/** What is before the functions: two that are imported, so that a call's number is not its place in the code. */
const kHead = `
  (type $none (func))
  (import "host" "first" (func $first))
  (import "host" "table" (table $far 1 funcref))
  (import "host" "limited" (table $near 1 5 funcref))
  (import "host" "second" (func $second (param i32) (result i32)))
  (import "host" "g" (global $g (mut i32)))
  (memory 1 4 shared)
  (table $own 4 funcref)
  (tag $tag)
  (data $bytes "abc")
  (elem $late funcref (ref.func $first))
  (elem declare func $marked)
  (func $marked)`;
const kFirst = 0;
const kMarked = 2;

const kInstructions = [
  'nop',
  'i32.const -1 drop',
  'i64.const 0x7fffffffffffffff drop',
  'f32.const 0.1 drop',
  'f64.const 0.1 drop',
  'local.get 0 local.tee 0 local.set 0',
  'global.get $g global.set $g',
  'i32.const 8 i32.load8_u offset=70000 drop',
  'i32.const 8 i64.const 1 i64.store offset=16 align=1',
  'memory.size memory.grow drop',
  'i32.const 0 i32.const 0 i32.const 1 memory.copy',
  'i32.const 0 i32.const 0 i32.const 1 memory.fill',
  'i32.const 0 i32.const 0 i32.const 1 memory.init $bytes data.drop $bytes',
  'i32.const 0 i32.const 0 i32.const 1 table.copy $own $near',
  'i32.const 0 i32.const 0 i32.const 1 table.init $own $late elem.drop $late',
  'i32.const 0 ref.null func i32.const 1 table.fill $own',
  'ref.null func i32.const 1 table.grow $own drop table.size $own drop',
  'i32.const 0 i32.const 0 table.get $own table.set $own',
  'ref.null func ref.is_null drop',
  'f32.const 1 i32.trunc_sat_f32_s drop',
  'i32.const 1 i32.const 2 local.get 0 select drop',
  'i32.const 1 i32.const 2 local.get 0 select (result i32) drop',
  'i32.const 1 i32.extend8_s i32.clz i32.popcnt drop',
  'i64.const 1 i64.extend32_s drop',
  'v128.const i32x4 1 2 3 4 drop',
  'i32.const 0 v128.load offset=300 i32.const 0 v128.load8_splat i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 drop',
  'i32.const 0 v128.load32_zero i32x4.extract_lane 0 drop',
  'i32.const 0 v128.const i32x4 0 0 0 0 v128.load8_lane offset=16 0 drop',
  'i32.const 0 v128.const i32x4 0 0 0 0 v128.store64_lane 1',
  'v128.const i32x4 0 0 0 0 v128.const i32x4 0 0 0 0 i32x4.add v128.any_true drop',
  // The first and the last of each kind with something behind the opcode: read as opcodes, an offset of 16 and a lane of 0 end the code.
  'i32.const 0 v128.const i32x4 0 0 0 0 v128.store offset=16',
  'i32.const 0 v128.const i32x4 0 0 0 0 v128.store64_lane offset=16 0',
  'i32.const 0 v128.load64_zero offset=16 drop',
  'v128.const i32x4 0 0 0 0 i8x16.extract_lane_s 0 drop',
  'v128.const i32x4 0 0 0 0 f64.const 0 f64x2.replace_lane 0 drop',
  'i32.const 0 i32.const 0 i32.atomic.rmw8.xchg_u offset=16 drop',
  'i32.const 0 i32.const 1 i32.atomic.rmw.add drop',
  'i32.const 0 i32.const 1 i64.const -1 memory.atomic.wait32 drop atomic.fence',
  'block (result i32) i32.const 1 end drop',
  'i32.const 1 block (param i32) (result i32) end drop',
  'try call $first catch $tag call $first catch_all end',
  'try try call $first delegate 0 catch_all rethrow 0 end',
];

test.each(kInstructions)('behind %s the next call is found where it stands', (instructions) => {
  const between = `call $first ${instructions} i32.const 1000000 call $second drop`;
  const bytes = parse(`(module ${kHead} (func $last (param i32) (local i64 i64 f32) ${between}))`);
  const { bodies, imports, importsTable, functionTypes } = readModule(bytes);
  const calls = bodies[1]?.calls ?? [];
  expect([calls[0]?.target, calls.at(-1)?.target]).toEqual([kFirst, 1]);
  for (const { at, op, target, reached } of calls)
    expect([bytes[at], bytes[at + 1], reached]).toEqual([op, target, true]);
  expect(bodies[1]).toMatchObject({ declaredLocals: 3, localGroups: 2 });
  expect(bytes[(bodies[1]?.end ?? 0) - 1]).toBe(kOp.end);
  expect(imports.map(({ module, name }) => `${module}.${name}`)).toEqual(['host.first', 'host.second']);
  expect([importsTable, functionTypes.length]).toEqual([true, 4]);
});

// wabt does not write it: two clauses, of a tag and of everything, each with its label.
test('behind try_table the next call is found where it stands', () => {
  const tryTable = [kOp.tryTable, 0x40, 2, 0, 0, 0, 2, 0, kOp.end];
  const nops = Array<number>(tryTable.length).fill(0x01);
  const between = `call $first ${'nop '.repeat(nops.length)} call $second drop`;
  const bytes = parse(`(module ${kHead} (func $last ${between.replace('drop', '')}))`);
  const at = Buffer.from(bytes).indexOf(Buffer.from(nops));
  expect(at).toBeGreaterThan(0);
  bytes.set(tryTable, at);
  const calls = readModule(bytes).bodies[1]?.calls ?? [];
  expect(calls.map(({ target, reached }) => [target, reached])).toEqual([
    [kFirst, true],
    [1, true],
  ]);
});

describe('functions whose reference is taken', () => {
  // The eight forms of an element segment, in the binary format's order.
  const forms = [
    '(elem (i32.const 0) func $marked)',
    '(elem func $marked)',
    '(elem (table $own) (i32.const 0) func $marked)',
    '(elem declare func $marked)',
    '(elem (i32.const 0) funcref (ref.func $marked) (ref.null func))',
    '(elem funcref (ref.null func) (ref.func $marked))',
    '(elem (table $own) (i32.const 0) funcref (ref.func $marked))',
    '(elem declare funcref (ref.func $marked))',
    '(global funcref (ref.func $marked))',
  ];
  test.each(forms)('are found in %s', (form) => {
    // The third table: its number, read as an instruction, is one that has no end here.
    const tables = '(table 1 funcref) (table 1 funcref) (table $own 4 funcref)';
    const bytes = parse(`(module (import "a" "b" (func)) ${tables} ${form} (func $marked))`);
    expect(readModule(bytes).referenced).toEqual([1]);
  });

  test('and in bodies', () => {
    const bytes = parse(`(module ${kHead} (func ref.func $marked drop))`);
    expect(readModule(bytes).bodies[1]?.references).toEqual([kMarked]);
  });
});

/** A module with one imported function and one of this body. */
function moduleOf(body: readonly number[]): Uint8Array {
  const section = (id: number, ...content: readonly number[]) => [id, content.length, ...content];
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(2, 1, 1, 0x61, 1, 0x62, 0, 0),
    ...section(3, 1, 0),
    ...section(10, 1, body.length, ...body),
  );
}

test('an instruction that is unknown is named with its place, and whose it may be', () => {
  const bytes = moduleOf([0, kOp.call, 0, 0x27, kOp.end]);
  const place = `0x${(bytes.length - 2).toString(16)}`;
  expect(() => readModule(bytes).bodies).toThrow(`the instruction 0x27 at ${place} is unknown`);
  expect(() => readModule(moduleOf([0, 0xfb, 0, 0, kOp.end])).bodies).toThrow(
    /garbage collection, which have no malloc/,
  );
});

test.each([0x63, 0x64])('a local and a block of a typed reference (%i) are as long as they are', (type) => {
  // (func (local (ref 0)) (block (result (ref 0)) (ref.func 1)) (drop) (call 0)) behind an imported function; wabt does not know the type
  const body = [1, 1, type, 0, kOp.block, type, 0, kOp.refFunc, 1, kOp.end, 0x1a, kOp.call, 0, kOp.end];
  const bytes = moduleOf(body);
  const [{ calls = [], references = [] } = {}] = readModule(bytes).bodies;
  expect(references).toEqual([1]);
  expect(calls.map(({ at, target, reached }) => [at, target, reached])).toEqual([[bytes.length - 3, 0, true]]);
});

test('the handlers of a try_table are passed over, each with the words of its kind', () => {
  const module = binaryen.parseText(`(module
    (import "host" "first" (func $first)) (import "host" "second" (func $second))
    (tag $other) (tag $tag)
    (func (block $plain
      (drop (block $caught (result exnref)
        (try_table (catch $tag $plain) (catch_all $plain) (catch_all_ref $caught) (catch_ref $tag $caught) (call $first))
        (br $plain)))
      (call $first))
    (call $second)))`);
  module.setFeatures(binaryen.Features.All);
  const bytes = module.emitBinary();
  module.dispose();
  const [{ calls = [] } = {}] = readModule(bytes).bodies;
  expect(calls.map(({ at, target, reached }) => [bytes[at], bytes[at + 1], target, reached])).toEqual([
    [kOp.call, 0, 0, true],
    [kOp.call, 0, 0, true],
    [kOp.call, 1, 1, true],
  ]);
});

/** Statements without values, some of which nothing behind them is reached. */
function statements(random: Random, depth: number): string {
  let text = '';
  for (let left = 1 + random.below(4); left > 0; --left) text += ` ${statement(random, depth)}`;
  return text;
}

function statement(random: Random, depth: number): string {
  const out = () => random.below(depth + 1);
  const kind = random.below(depth > 4 ? 7 : 13);
  if (kind < 3) return `call $f${random.below(10)}`;
  if (kind === 3) return `br ${out()}`;
  if (kind === 4) return `local.get 0 br_if ${out()}`;
  if (kind === 5) return `local.get 0 br_table ${out()} ${out()} ${out()}`;
  if (kind === 6) return ['return', 'unreachable', 'nop', 'throw $tag', 'return_call $f3'][random.below(5)] ?? '';
  const inner = () => statements(random, depth + 1);
  if (kind < 9) return `block ${inner()} end`;
  if (kind === 9) return `loop ${inner()} end`;
  if (kind === 10) return `local.get 0 if ${inner()} end`;
  if (kind === 11) return `local.get 0 if ${inner()} else ${inner()} end`;
  return random.below(2) === 0 ? `try ${inner()} catch $tag ${inner()} end` : `try ${inner()} catch_all ${inner()} end`;
}

test.each([1, 2, 3, 4])('the calls that are reached are those that binaryen keeps (seed %i)', (seed) => {
  const random = createRandom(seed);
  const called = Array.from({ length: 10 }, (_, n) => `(import "host" "f${n}" (func $f${n}))`).join(' ');
  const functions = Array.from({ length: 150 }, () => `(func (export "") (param i32) ${statements(random, 0)})`).map(
    (text, n) => text.replace('""', `"${n}"`),
  );
  const bytes = parse(`(module ${called} (tag $tag) ${functions.join('\n')})`);
  const module = binaryen.readBinary(bytes);
  module.setFeatures(binaryen.Features.All);
  const kept = readModule(module.emitBinary());
  module.dispose();
  let dropped = 0;
  readModule(bytes).bodies.forEach(({ calls }, nth) => {
    const reached = calls.filter((call) => call.reached).map(({ target }) => target);
    const there = (kept.bodies[nth]?.calls ?? []).filter((call) => call.reached).map(({ target }) => target);
    expect(reached, functions[nth]).toEqual(there);
    dropped += calls.length - reached.length;
  });
  expect(dropped).toBeGreaterThan(100);
});
