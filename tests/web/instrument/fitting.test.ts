// Which functions can have a role in an allocator, by what they take and give; and what is said of those that a user named and that cannot.

import { expect, test } from 'vitest';
import { kRoles, type RoleName } from '../../../web/src/instrument/allocator_names.ts';
import { collected, fits, fitting, nothingFound } from '../../../web/src/instrument/fitting.ts';
import type { Func, FunctionIndex } from '../../../web/src/instrument/function_index.ts';

const func = (parameters: number, results: number, more: Partial<Func> = {}): Func => ({
  ...{ name: 'f', index: 0, isImport: false, parameters, results, body: 0, isPlain: true, givesStatus: false },
  ...more,
});
const status: Partial<Func> = { isPlain: false, givesStatus: true };

test.each<[RoleName, Func, boolean]>([
  ['malloc', func(1, 1), true],
  ['malloc', func(0, 1), false],
  ['malloc', func(2, 1), false],
  ['malloc', func(1, 0), false],
  ['malloc', func(1, 2), false],
  ['malloc', func(1, 1, { isPlain: false }), false],
  ['free', func(1, 0), true],
  ['free', func(1, 1), true],
  ['free', func(3, 0), true],
  ['free', func(4, 0), false],
  ['calloc', func(2, 1), true],
  ['posix_memalign', func(3, 1, status), true],
  ['posix_memalign', func(3, 0, status), false],
  ['posix_memalign', func(3, 1), false],
])('%s takes and gives what it does', (role, given, expected) => {
  expect(fits(kRoles[role], given)).toBe(expected);
});

test('a function that a user named has the role, or the wider one of its name', () => {
  const of = (role: RoleName, given: Func) => fitting(kRoles[role], given, 'mine', false).name;
  expect([of('malloc', func(1, 1)), of('malloc', func(2, 1))]).toEqual(['malloc', 'alloc']);
  expect([of('realloc', func(2, 1)), of('realloc', func(4, 1))]).toEqual(['realloc', 'sized_realloc']);
  expect(of('free', func(3, 0))).toBe('free');
});

test.each<[RoleName, Func, boolean, RegExp]>([
  ['malloc', func(1, 1, { isImport: true }), false, /^"mine" is imported/],
  [
    'malloc',
    func(3, 0),
    false,
    /is no malloc: that takes 1 and returns one, .* of 32 bits; this one takes 3 and returns none$/,
  ],
  ['free', func(5, 2), true, /is no free: that takes 1 to 3, all numbers of 64 bits; this one takes 5 and returns 2$/],
  ['calloc', func(2, 1, { isPlain: false }), false, /returns 1, not all of them of 32 bits$/],
  ['posix_memalign', func(2, 1, status), false, /that takes 3 and returns one/],
])('%s that cannot be is refused with what it takes and what this one takes', (role, given, isWide, text) => {
  expect(() => fitting(kRoles[role], given, 'mine', isWide)).toThrow(text);
});

const indexOf = (named: readonly [string, Func][], more: Partial<FunctionIndex> = {}) =>
  ({ named: new Map(named), imported: new Set<string>(), isMinified: false, ...more }) as unknown as FunctionIndex;
const said = (index: FunctionIndex) => {
  const { kind, message } = nothingFound(index) as Error & { readonly kind?: string };
  return { kind, message };
};

test('of a module without an allocator it is said where that may be', () => {
  const none = indexOf([]);
  expect(said(none).message).toMatch(/no function with a name that an allocator's has .*--malloc and --free name them/);
  expect(said(indexOf([], { imported: new Set(['other', 'dlmalloc']) } as never)).message).toMatch(
    /^it imports dlmalloc, as a side module/,
  );
  expect(said(indexOf([['__wasm_apply_data_relocs', func(0, 0)]])).message).toMatch(
    /calls no malloc: instrument the main module/,
  );
  expect(said(indexOf([], { isMinified: true })).message).toMatch(/--glue app\.js/);
  expect(collected("Go's runtime").message).toMatch(/by Go's runtime, a garbage collector/);
});

test('two exports that sound like an allocator are proposed, where there is one of each', () => {
  const [alloc, free] = [func(1, 1), func(1, 0)];
  const proposed = (...named: readonly [string, Func][]) =>
    /--malloc (\w+) --free (\w+)$/.exec(said(indexOf(named)).message)?.slice(1);
  expect(proposed(['get_Alloc', alloc], ['set_free', free])).toEqual(['get_Alloc', 'set_free']);
  expect(proposed(['get_alloc', alloc], ['alloc2', alloc], ['set_free', free])).toBeUndefined();
  expect(proposed(['get_alloc', alloc], ['set_free', free], ['free2', free])).toBeUndefined();
  expect(proposed(['get_alloc', alloc])).toBeUndefined();
  expect(proposed(['set_free', free])).toBeUndefined();
  expect(proposed(['get_alloc', func(0, 1)], ['set_free', free])).toBeUndefined();
  expect(proposed(['get_alloc', func(1, 1, { isImport: true })], ['set_free', free])).toBeUndefined();
});
