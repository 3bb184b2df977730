// Sites of deep stacks: each has its whole path, and few frames are looked at for it.

import binaryen from 'binaryen';
import { afterEach, expect, test } from 'vitest';
import type { InstrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../../web/src/instrument/loader.ts';
import { instrumentStacks } from '../../../web/src/instrument/stacks.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { sitesOf } from './sites_of.ts';

/**
 * run(n): n calls of $down within each other; each allocates before and behind the next. throws(n): then up to JavaScript. fails(n): the
 * same by an import that never calls back, so the context is left at a call in which others stand.
 */
const kRecursion = `(module (import "env" "again" (func $again (param i32)))
  (import "env" "__cxa_throw" (func $throw))
  (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $down (param $left i32)
    (drop (call $take (i32.const 8)))
    (if (local.get $left) (then (call $down (i32.sub (local.get $left) (i32.const 1)))))
    (drop (call $take (i32.const 16))))
  (func (export "run") (param i32) (call $down (local.get 0)))
  (func (export "throws") (param i32) (call $down (local.get 0)) (call $again (local.get 0)))
  (func (export "fails") (param i32) (call $down (local.get 0)) (call $throw))
  (export "down" (func $down)) ;; it puts the context back, so fails leaves that of its own call
  (export "malloc" (func $take)) (export "free" (func $give)))`;

type Errors = { prepareStackTrace?: unknown };
const errors = Error as Errors;
const before = Object.getOwnPropertyDescriptor(errors, 'prepareStackTrace');
let end = () => {};
afterEach(() => {
  end();
  delete errors.prepareStackTrace;
  if (before !== undefined) Object.defineProperty(errors, 'prepareStackTrace', before);
});

/** The program, its paths so far, and how many frames were looked at. */
function begin() {
  const plain = binaryen.parseText(kRecursion);
  const bytes = instrumentStacks(binaryen, plain.emitBinary()).binary;
  let recorder: InstrumentedRecorder | undefined;
  end = install({
    onRecorder(one) {
      recorder = one;
    },
  });
  let frames = 0;
  let looks = 0;
  let prepare: unknown;
  Object.defineProperty(errors, 'prepareStackTrace', {
    configurable: true,
    get: () => prepare,
    set(given: ((error: unknown, list: readonly unknown[]) => unknown) | undefined) {
      if (given === undefined) prepare = undefined;
      else
        prepare = (error: unknown, list: readonly unknown[]) => {
          frames += list.length;
          ++looks;
          return given(error, list);
        };
    },
  });
  const again = () => {
    throw new Error('up to JavaScript');
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), {
    env: { again, __cxa_throw: again },
  });
  return {
    run: exports['run'] as (depth: number) => void,
    throws: exports['throws'] as (depth: number) => void,
    fails: exports['fails'] as (depth: number) => void,
    seen: () => ({ frames, looks }),
    lengths() {
      const decoded = decodeTraceFile(recorder?.trace() ?? new Uint8Array());
      if (!decoded.ok) throw new Error(decoded.error.message);
      const { entered, pathOf } = sitesOf(decoded.value.trace);
      return entered.map((site) => pathOf(site).length);
    },
  };
}

/** Of run(depth): from the outside in, and back. */
const expected = (depth: number): number[] => {
  const down = Array.from({ length: depth + 1 }, (_, level) => level + 2); // run's call, the calls of $down, malloc's
  return [...down, ...down.toReversed()];
};

test('a stack that is a known one with a call on top is found by its innermost frames', () => {
  const { run, lengths, seen } = begin();
  run(200);
  expect(lengths()).toEqual(expected(200));
  expect(seen().looks).toBeGreaterThanOrEqual(402);
  expect(seen().frames).toBeLessThan(25 * 402); // as many as the stacks have: 100 * 402
});

test('calls that ended by an exception in JavaScript leave the paths right', () => {
  const { run, throws, fails, lengths } = begin();
  run(30);
  expect(() => throws(60)).toThrow('up to JavaScript');
  run(80);
  expect(() => fails(20)).toThrow('up to JavaScript');
  run(10);
  run(30);
  const lengthsOf = [30, 60, 80, 20, 10, 30].flatMap(expected);
  expect(lengths()).toEqual(lengthsOf);
});

test('of a deeper stack the innermost calls are kept', () => {
  const { run, lengths } = begin();
  run(1100);
  const found = lengths();
  expect(found.slice(0, 900)).toEqual(expected(1100).slice(0, 900));
  expect(Math.max(...found)).toBeLessThanOrEqual(1024);
  expect(Math.min(...found.slice(1030, 1100))).toBeGreaterThan(1000);
});
