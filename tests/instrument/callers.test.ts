// --callers: the stack of an allocation goes on to the line of JavaScript that called the module, whichever way in it took.

import binaryen from 'binaryen';
import { afterEach, describe, expect, test } from 'vitest';
import { kCaughtSection } from '../../web/src/instrument/site_table.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { readModule } from '../../web/src/symbols/index.ts';
import { type Called, startCalled } from './called_program.ts';

type Prepare = (error: unknown, frames: readonly unknown[]) => unknown;

const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
let program: Called | undefined;
afterEach(() => {
  program?.end();
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  if (before !== undefined) Object.defineProperty(Error, 'prepareStackTrace', before);
});

/** As an engine does that has put a function into its caller: the outermost but one of the module is on no stack. */
function leaveOutFrame(): void {
  let prepare: Prepare | undefined;
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    get: () => prepare,
    set(given: Prepare | undefined) {
      prepare =
        given &&
        ((error, frames) => {
          const outermost = frames.findLastIndex((frame) => String(frame).includes('wasm-function'));
          return given(
            error,
            frames.filter((_, nth) => nth !== outermost - 1),
          );
        });
    },
  });
}

function begin(callers = true): Called {
  program = startCalled(callers);
  return program;
}

/** Named functions, each on a line of its own. */
const from = {
  first: (call: () => unknown) => call(),
  second: (call: () => unknown) => call(),
};
const callersOf = (paths: ReturnType<Called['paths']>) =>
  paths.map(({ here }) => here.find((name) => /^(first|second)$/.test(name)) ?? '');

describe('the line of JavaScript that called is on the stack', () => {
  test('of an export, of malloc itself, and of a function in a table', () => {
    const { one, malloc, inTable, paths } = begin();
    from.first(one);
    from.second(one);
    from.first(() => malloc(16));
    from.second(inTable);
    expect(callersOf(paths())).toEqual(['first', 'second', 'first', 'second']);
    expect(paths().map(({ module }) => module)).toEqual([2, 2, 0, 1]);
  });

  test('of every allocation, though each stack is looked at once', () => {
    const { one, two, paths } = begin();
    for (let round = 0; round < 100; ++round) {
      from.first(two);
      from.second(one);
    }
    const expected = new Array<string[]>(100).fill(['first', 'first', 'second']).flat();
    expect(callersOf(paths())).toEqual(expected);
  });

  test('that called last from outside, when JavaScript was called back', () => {
    const { one, calls_back, onBack, paths } = begin();
    onBack(() => from.second(one));
    from.first(calls_back);
    expect(callersOf(paths())).toEqual(['first', 'first']);
  });

  test('after a call that ended by an exception, which is what was thrown', () => {
    const { one, fails, paths, thrown } = begin();
    expect(() => from.first(fails)).toThrow(thrown);
    from.second(one);
    expect(callersOf(paths())).toEqual(['first', 'second']);
    expect(paths().map(({ module }) => module)).toEqual([2, 2]);
  });

  test('after JavaScript, called back, has caught an exception of the module', () => {
    const { one, calls_back, fails, onBack, paths } = begin();
    onBack(() => expect(() => from.second(fails)).toThrow('up to JavaScript'));
    from.first(calls_back);
    from.second(one);
    expect(callersOf(paths())).toEqual(['first', 'first', 'second']);
  });

  test('though the engine leaves a function out of the stack', () => {
    leaveOutFrame();
    const { one, two, paths } = begin();
    from.first(one);
    from.second(two);
    expect(paths().map(({ module }) => module)).toEqual([1, 1, 1]);
    expect(callersOf(paths())).toEqual(['first', 'second', 'second']);
  });

  test('never another one, after a trap', () => {
    const { one, traps, paths } = begin();
    expect(() => from.first(traps)).toThrow(WebAssembly.RuntimeError);
    from.second(one);
    expect(callersOf(paths())).toEqual(['first', '']);
  });

  test('only where it is asked for', () => {
    const { one, paths } = begin(false);
    from.first(one);
    expect(paths()).toEqual([{ glue: 0, module: 2, here: [] }]);
  });
});

test('a module with try_table, which engines do not take beside the older form of exceptions, gets none of it', () => {
  const module =
    binaryen.parseText(`(module (memory 1) (func $take (param i32) (result i32) (i32.const 8)) (func $give (param i32))
    (func (export "tries") (block $all (try_table (catch_all $all) (drop (call $take (i32.const 8))))))
    (export "malloc" (func $take)) (export "free" (func $give)))`);
  const made = instrumentStacks(binaryen, module.emitBinary(), { callers: true }).binary;
  const read: (data: Uint8Array, features: number) => binaryen.Module = binaryen.readBinary;
  const text = read(made, binaryen.Features.All).emitText();
  expect(text).toContain('try_table');
  expect(text).not.toMatch(/\(rethrow|\(try\s/);
  expect(readModule(made).sections.map(({ name }) => name)).not.toContain(kCaughtSection); // so no tail is searched
});
