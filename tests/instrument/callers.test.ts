// --callers: the stack of an allocation goes on to the line of JavaScript that called the module, whichever way in it took.

import { afterEach, describe, expect, test } from 'vitest';
import { type Called, startCalled } from './called_program.ts';

let program: Called | undefined;
afterEach(() => program?.end());

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

  test('never another one, after a call that ended by an exception', () => {
    const { one, fails, paths } = begin();
    expect(() => from.first(fails)).toThrow('up to JavaScript');
    from.second(one);
    expect(callersOf(paths())).toEqual(['first', '']);
    expect(paths().map(({ module }) => module)).toEqual([2, 2]);
  });

  test('only where it is asked for', () => {
    const { one, paths } = begin(false);
    from.first(one);
    expect(paths()).toEqual([{ glue: 0, module: 2, here: [] }]);
  });
});
