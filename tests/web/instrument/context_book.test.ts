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
type Frames = readonly unknown[];

/** `shown`: which frames of a stack the engine shows. */
function begin(text = kRecursion, shown = (list: Frames): Frames => list) {
  const plain = binaryen.parseText(text);
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
          return given(error, shown(list));
        };
    },
  });
  const again = () => {
    throw new Error('up to JavaScript');
  };
  const paths = () => {
    const decoded = decodeTraceFile(recorder?.trace() ?? new Uint8Array());
    if (!decoded.ok) throw new Error(decoded.error.message);
    const { entered, pathOf } = sitesOf(decoded.value.trace);
    return entered.map(pathOf);
  };
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const { exports } = new WebAssembly.Instance(module, { env: { again, __cxa_throw: again } });
  return {
    imports: WebAssembly.Module.imports(module).length,
    run: exports['run'] as (depth: number) => void,
    other: exports['other'] as (depth: number) => void,
    throws: exports['throws'] as (depth: number) => void,
    fails: exports['fails'] as (depth: number) => void,
    seen: () => ({ frames, looks }),
    paths,
    lengths: () => paths().map(({ length }) => length),
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
  expect(seen().looks).toBeLessThan(10); // each of the others has one of two calls on top of a known context
  expect(seen().frames).toBeLessThan(25 * 10);
});

/**
 * run(n): n rounds of $even and $odd within each other, by $between, which allocates too, and by a table. An engine that puts $between and
 * the function behind the table into their callers shows neither.
 */
const kInlined = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (type $step (func (param i32)))
  (table 1 funcref) (elem (i32.const 0) $odd)
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $even (param $left i32)
    (drop (call $take (i32.const 8)))
    (if (local.get $left) (then (call $between (i32.sub (local.get $left) (i32.const 1))) (call $between (i32.const 0)))))
  (func $between (param $left i32)
    (drop (call $take (i32.const 16)))
    (call_indirect (type $step) (local.get $left) (i32.const 0)))
  (func $odd (param $left i32)
    (drop (call $take (i32.const 24)))
    (call $even (local.get $left)))
  (func (export "run") (param i32) (call $even (local.get 0)))
  (func (export "other") (param i32) (call $between (local.get 0)))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

test('what an engine leaves out of a stack is on the path all the same', () => {
  const whole = begin(kInlined);
  whole.run(1);
  whole.other(5);
  const expected = whole.paths();
  end();
  let isInlined = false;
  const isHidden = (frame: unknown): boolean => {
    const [, index] = /\[(\d+)\]/.exec(String(frame)) ?? [];
    return isInlined && [3, 4].includes(Number(index) - inlined.imports);
  };
  const inlined = begin(kInlined, (list) => list.filter((frame) => !isHidden(frame)));
  inlined.run(1);
  isInlined = true; // the engine has optimized what ran
  inlined.other(5);
  expect(inlined.paths()).toEqual(expected);
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
