// Sites of stacks at the limits of what is kept and tried, and of modules that say less of themselves.

import binaryen from 'binaryen';
import { afterEach, expect, test } from 'vitest';
import { instrumentSampled } from '../../../web/src/instrument/sample.ts';
import { readModule } from '../../../web/src/symbols/index.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';
import { endLooked, startLooked } from './looked_program.ts';

afterEach(endLooked);

/** run(n): n calls of $down within each other, each of which allocates behind the next. outer(): by JavaScript, or another module. */
const kDown = `(module (import "env" "between" (func $between))
  (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $down (param $left i32)
    (if (local.get $left) (then (call $down (i32.sub (local.get $left) (i32.const 1)))))
    (drop (call $take (i32.const 16))))
  (func (export "run") (param i32) (call $down (local.get 0)))
  (func $may_trap (param i32) (if (local.get 0) (then (unreachable))) (drop (call $take (i32.const 24))))
  (func (export "may_trap") (param i32) (call $may_trap (local.get 0)))
  (func (export "also") (call $between))
  (func (export "outer") (param i32) (call $between) (drop (call $take (i32.const 8))))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

/** Of the sections beside the code that tell of calls. */
const kTold = ['heapglass.caught', 'heapglass.targets'];
const withoutThem = (bytes: Uint8Array): Uint8Array => {
  const kept = readModule(bytes).sections.filter(({ name }) => !kTold.includes(name));
  return joined([bytes.subarray(0, 8), ...kept.map(({ headerAt, end }) => bytes.subarray(headerAt, end))]);
};

/** Of run(depth), from the inside out. */
const lengthsOf = (depth: number): number[] => Array.from({ length: depth + 1 }, (_, nth) => depth + 2 - nth);

test('a module that was instrumented before calls were told has the same paths, and the engine is asked for each', () => {
  const now = startLooked(kDown);
  for (const depth of [5, 30, 60, 30]) now.call['run']?.(depth);
  const [paths, { looks }] = [now.paths(), now.seen()];
  expect(paths.map(({ length }) => length)).toEqual([5, 30, 60, 30].flatMap(lengthsOf));
  const older = startLooked(kDown, { changed: withoutThem });
  for (const depth of [5, 30, 60, 30]) older.call['run']?.(depth);
  expect(older.paths()).toEqual(paths);
  expect(older.seen().looks).toBeGreaterThan(60); // the last 30 are known
  expect(older.seen().looks).toBeLessThan(70); // of twenty frames mostly
  expect(looks).toBeLessThan(20);
});

test('an engine that has frames in texts only gives the same paths', () => {
  const { stackTraceLimit } = Error;
  const plain = startLooked(kDown);
  plain.call['run']?.(20);
  const paths = plain.paths();
  Error.stackTraceLimit = 100; // as other engines have it
  try {
    const texts = startLooked(kDown, { isInTexts: true });
    texts.call['run']?.(20);
    expect(texts.paths()).toEqual(paths);
    expect(texts.seen()).toEqual({ frames: 0, looks: 0 });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
});

test('what is sampled has the paths that it has with stacks', () => {
  const whole = startLooked(kDown);
  whole.call['run']?.(4);
  const expected = whole.paths();
  const each = 1; // byte is a sample: one block of 16 bytes in e^16 is none
  const sampled = startLooked(kDown, { instrumented: (plain) => instrumentSampled(binaryen, plain, each).binary });
  sampled.call['run']?.(4);
  expect(sampled.paths()).toEqual(expected);
});

test('JavaScript that allocates by itself is of no site, and no stack is asked for', () => {
  const { call, paths, seen } = startLooked(kDown);
  call['run']?.(3);
  const { looks } = seen();
  for (let nth = 0; nth < 10; ++nth) call['malloc']?.(16);
  expect(seen().looks).toBe(looks);
  expect(paths()).toHaveLength(4);
});

test('below a caller that is known the engine is asked as rarely as without one', () => {
  const { call, paths, seen } = startLooked(kDown, { callers: true });
  const enter = (depth: number) => call['run']?.(depth);
  enter(60);
  const { looks } = seen();
  expect(looks).toBeLessThan(10);
  const lengths = paths().map((path) => path.filter((frame) => frame.startsWith('wasm-function[')).length);
  expect(lengths).toEqual(lengthsOf(60));
  const outer = paths().map((path) => path.filter((frame) => /\benter@.*context_limits/.test(frame)).length);
  expect(outer).toEqual(new Array(61).fill(1));
  for (let nth = 0; nth < 10; ++nth) call['malloc']?.(16);
  expect(seen().looks).toBe(looks); // who called is read from a text, once for each entry
  expect(paths().slice(61)).toHaveLength(10);
});

test('frames of another instrumented module between those of this one are none of its path', () => {
  const direct = startLooked(kDown, { env: { between: () => direct.call['run']?.(4) } });
  direct.call['outer']?.(0);
  expect(direct.lengths()).toEqual([...lengthsOf(4).map((length) => length + 1), 1]);
  const through = startLooked(kDown, { env: { between: () => other['also']?.() } });
  const other = through.twin(withOtherConstant, { between: () => through.call['run']?.(4) });
  through.call['outer']?.(0);
  expect(through.paths()).toEqual(direct.paths());
});

test('JavaScript that allocates after a trap that it has caught is below what called it', () => {
  let inner = () => {};
  const { call, paths, lengths } = startLooked(kDown, { env: { between: () => inner() } });
  inner = () => {
    call['may_trap']?.(0);
    call['malloc']?.(16);
  };
  call['outer']?.(0);
  expect(lengths()).toEqual([3, 1, 1]);
  const expected = paths();
  inner = () => {
    call['may_trap']?.(0);
    expect(() => call['may_trap']?.(1)).toThrow(WebAssembly.RuntimeError); // it leaves its context, which is known
    call['malloc']?.(16);
  };
  call['outer']?.(0);
  expect(paths().slice(3)).toEqual(expected);
});

/** Its calls are where those of the original are, and it is another script to the engine. */
function withOtherConstant(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  const at = changed.findIndex((_, nth) => [0x41, 0x80, 0x08, 0x0b].every((byte, more) => bytes[nth + more] === byte));
  changed[at + 1] = 0x90; // 1040 instead of 1024
  return changed;
}

/** run(n, way): n rounds of $down and $middle, which has eight calls of $down. */
const kAmbiguous = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $down (param $left i32) (param $way i32)
    (if (local.get $left) (then (call $middle (i32.sub (local.get $left) (i32.const 1)) (local.get $way))))
    (drop (call $take (i32.const 8))))
  (func $middle (param $left i32) (param $way i32)
    ${Array.from(
      { length: 8 },
      (_, way) =>
        `(if (i32.eq (local.get $way) (i32.const ${way})) (then (call $down (local.get $left) (local.get $way))))`,
    ).join('\n')})
  (func (export "run") (param i32) (param i32) (call $down (local.get 0) (local.get 1)))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

test('of several calls that an engine may have left out, the context says which; of too many none is put in', () => {
  const whole = startLooked(kAmbiguous);
  for (let way = 0; way < 8; ++way) whole.call['run']?.(1, way);
  whole.call['run']?.(4, 7);
  const expected = whole.paths();
  const inlined = startLooked(kAmbiguous);
  inlined.hide(3);
  for (let way = 0; way < 8; ++way) inlined.call['run']?.(1, way);
  expect(inlined.paths()).toEqual(expected.slice(0, 16));
  const without = startLooked(kAmbiguous);
  without.hide(3);
  without.call['run']?.(4, 7);
  expect(without.lengths()).toEqual([6, 5, 4, 4, 2]); // one round is found, with the call of $middle on it
});

/** run(n): n calls of $down within each other, then a function by the table, which has $leaf allocate. */
const kThroughTable = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (type $step (func)) (table 1 funcref) (elem (i32.const 0) $through)
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $leaf (drop (call $take (i32.const 8))))
  (func $through (call $leaf))
  (func $down (param $left i32)
    (if (local.get $left)
      (then (call $down (i32.sub (local.get $left) (i32.const 1))))
      (else (call_indirect (type $step) (i32.const 0)))))
  (func (export "run") (param i32) (call $down (local.get 0)))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

test('a look that does not reach a known context teaches nothing of what is left out', () => {
  const whole = startLooked(kThroughTable);
  for (const depth of [1, 25]) whole.call['run']?.(depth);
  const expected = whole.paths();
  expect(expected.map(({ length }) => length)).toEqual([5, 29]);
  const inlined = startLooked(kThroughTable);
  inlined.call['run']?.(1);
  inlined.hide(3);
  inlined.call['run']?.(25);
  expect(inlined.paths()).toEqual(expected);
  expect(inlined.seen().looks).toBeGreaterThan(2); // twenty frames did not do
});

test('a path that was cut to its innermost calls cuts no other one', () => {
  const { call, paths } = startLooked(kDown);
  call['run']?.(1100);
  call['run']?.(500);
  const [cut = [], ...more] = paths();
  expect(cut.length).toBeGreaterThan(1000);
  expect(cut.length).toBeLessThanOrEqual(1024);
  expect(more.slice(1100).map(({ length }) => length)).toEqual(lengthsOf(500));
  expect(cut.slice(-500)).toEqual(more[1100]?.slice(-500));
});

test('frames of JavaScript count as calls do', () => {
  const { call, paths } = startLooked(kDown, { callers: true });
  call['run']?.(1016);
  const lengths = paths().map(({ length }) => length);
  const frames = (lengths.at(-1) ?? 0) - 2;
  expect(frames).toBeGreaterThan(5);
  const whole = lengthsOf(1016).map((calls) => calls + frames);
  const cut = whole.filter((length) => length > 1024).length;
  expect(lengths.slice(cut)).toEqual(whole.slice(cut));
  expect(Math.max(...lengths)).toBe(1024);
  expect(Math.min(...lengths.slice(0, cut))).toBeGreaterThan(1000);
});
