// Sites of deep stacks: each has its whole path, and few frames are looked at for it.

import { afterEach, expect, test } from 'vitest';
import { endLooked, startLooked } from './looked_program.ts';

afterEach(endLooked);

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

/** Of run(depth): from the outside in, and back. */
const expected = (depth: number): number[] => {
  const down = Array.from({ length: depth + 1 }, (_, level) => level + 2); // run's call, the calls of $down, malloc's
  return [...down, ...down.toReversed()];
};

test('a stack that is a known one with a call on top is found by its innermost frames', () => {
  const { call, lengths, seen } = startLooked(kRecursion);
  call['run']?.(200);
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
  const whole = startLooked(kInlined);
  whole.call['run']?.(1);
  whole.call['other']?.(5);
  const expected = whole.paths();
  const inlined = startLooked(kInlined);
  inlined.call['run']?.(1);
  inlined.hide(3, 4); // the engine has optimized what ran
  inlined.call['other']?.(5);
  expect(inlined.paths()).toEqual(expected);
});

/** run(n): from one call of many by $middle, and back by another; its frames stand before the calls. */
const kEntries = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $leaf (param $bytes i32) (drop (call $take (local.get $bytes))) (drop (call $take (i32.const 8))))
  (func $middle (param $left i32)
    (call $leaf (i32.const 16))
    (if (local.get $left) (then (call $middle (i32.sub (local.get $left) (i32.const 1)))))
    (call $leaf (i32.const 24)))
  (func $entry (export "run") (param i32)
    (drop (call $take (i32.const 32)))
    (call $leaf (i32.const 40))
    (call $middle (local.get 0))
    (call $middle (i32.const 0)))
  (func (export "run_too") (param i32) (call $entry (local.get 0)) (call $leaf (i32.const 8)))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

test.each([
  ['the entry', [4], []],
  ['all but the innermost', [3, 4, 5], []],
  ['all', [2, 3, 4, 5], []],
  ['all, and malloc is in its callers', [2, 3, 4, 5], [0]],
])('a frame that stands before its call is in the call that the context tells: %s', (_, functions, hidden) => {
  const exact = startLooked(kEntries);
  for (const depth of [2, 5]) exact.call['run']?.(depth);
  exact.call['run_too']?.(3);
  const expected = exact.paths();
  expect(new Set(expected.map((path) => path.join())).size).toBeGreaterThan(30);
  const blurred = startLooked(kEntries);
  blurred.blur(...functions);
  blurred.hide(...hidden);
  for (const depth of [2, 5]) blurred.call['run']?.(depth);
  blurred.call['run_too']?.(3);
  expect(blurred.paths()).toEqual(expected);
});

test('calls that ended by an exception in JavaScript leave the paths right', () => {
  const { call, lengths } = startLooked(kRecursion);
  call['run']?.(30);
  expect(() => call['throws']?.(60)).toThrow('up to JavaScript');
  call['run']?.(80);
  expect(() => call['fails']?.(20)).toThrow('up to JavaScript');
  call['run']?.(10);
  call['run']?.(30);
  const lengthsOf = [30, 60, 80, 20, 10, 30].flatMap(expected);
  expect(lengths()).toEqual(lengthsOf);
});

test('a path of 1,024 calls is kept whole, of a longer one its innermost calls', () => {
  const { call, lengths } = startLooked(kRecursion);
  call['run']?.(1022);
  call['run']?.(1030);
  const found = lengths();
  const whole = [...expected(1022), ...expected(1030).slice(0, 1023)];
  expect(found.slice(0, whole.length)).toEqual(whole);
  expect(Math.max(...found)).toBe(1024);
  expect(Math.min(...found.slice(whole.length, whole.length + 2 * 8))).toBeGreaterThan(1000); // in, and back
});
