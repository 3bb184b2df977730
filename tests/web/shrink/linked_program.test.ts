// What a linked program's own JavaScript says of it, by the names that each release of Emscripten has.

import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const load = async (names: Record<string, unknown>) => {
  for (const [name, value] of Object.entries(names)) vi.stubGlobal(name, value);
  return await import('../../../web/src/shrink/linked/program.ts');
};

test.each([
  [{}, false],
  [{ ENVIRONMENT_IS_PTHREAD: false }, true],
  [{ ENVIRONMENT_IS_WASM_WORKER: false }, true],
])('a program with the names %o has threads: %s', async (names, has) => {
  expect((await load(names)).hasThreads).toBe(has);
});

test.each([
  [{}, false],
  [{ Asyncify: { state: 0, currData: null } }, false],
  [{ Asyncify: { state: 0, currData: undefined } }, false],
  [{ Asyncify: { state: 1, currData: null } }, true],
  [{ Asyncify: { state: 0, currData: 4096 } }, true],
])('with %o a stack is suspended: %s', async (names, is) => {
  expect((await load(names)).isSuspended()).toBe(is);
});

test.each(['updateMemoryViews', 'updateGlobalBufferAndViews'])(
  'the program goes on in its new memory: its variables have it, and %s makes the views anew',
  async (update) => {
    const [old, fresh] = [{ buffer: 'old' }, { buffer: 'fresh' }];
    const views = vi.fn();
    const Module = { wasmMemory: old };
    const program = await load({ Module, memory: old, wasmMemory: old, [update]: views });
    program.renew(fresh as never);
    expect([Module.wasmMemory, Reflect.get(globalThis, 'memory'), Reflect.get(globalThis, 'wasmMemory')]).toEqual([
      fresh,
      fresh,
      fresh,
    ]);
    expect(views.mock.calls).toEqual(update === 'updateMemoryViews' ? [[]] : [['fresh']]);
  },
);

test('a variable that has another memory, and a name that only refuses, stay as they are', async () => {
  const [old, fresh, other] = [{}, {}, {}];
  const refuse = vi.fn();
  const Module = Object.defineProperty({}, 'wasmMemory', { get: refuse, set: refuse, configurable: true });
  const program = await load({ Module, memory: other, wasmMemory: old });
  program.renew(fresh as never);
  expect([Reflect.get(globalThis, 'memory'), Reflect.get(globalThis, 'wasmMemory')]).toEqual([other, fresh]);
  expect(refuse).not.toHaveBeenCalled();
});

test.each([
  [{ ABORT: false }, { ABORT: true }],
  [
    { ABORT: false, EXITSTATUS: undefined, runtimeExited: false, runtimeKeepaliveCounter: 2 },
    { ABORT: true, EXITSTATUS: 3, runtimeExited: true, runtimeKeepaliveCounter: 0 },
  ],
])('a program with %o that ended runs again, and no name is made that it has not', async (names, ended) => {
  const program = await load(names);
  const putBack = program.keepRuntime();
  for (const [name, value] of Object.entries(ended)) vi.stubGlobal(name, value);
  putBack();
  for (const name of ['ABORT', 'EXITSTATUS', 'runtimeExited', 'runtimeKeepaliveCounter'])
    expect([name, Reflect.get(globalThis, name)]).toEqual([name, Reflect.get(names, name)]);
  expect('runtimeExited' in globalThis).toBe('runtimeExited' in names);
});
