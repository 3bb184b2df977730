// Whether a call into a program has not returned: read from the stack in Node (in browsers: tests/engines/running.engines.ts), and counted
// where the stack says nothing.

import { afterEach, expect, test } from 'vitest';
import { forwardersOnStack } from '../../../web/src/shrink/running.ts';
import { askRunning } from './running_calls.ts';

const kRight = {
  outside: false,
  within: true,
  withinDeep: true,
  outsideDeep: false,
  afterThrow: false,
  later: [false, false],
};
const kSettings = ['stackTraceLimit', 'prepareStackTrace'] as const;
const kept = kSettings.map((name) => Object.getOwnPropertyDescriptor(Error, name));
afterEach(() => {
  for (const [i, name] of kSettings.entries()) {
    delete Error[name];
    const descriptor = kept[i];
    if (descriptor !== undefined) Object.defineProperty(Error, name, descriptor);
  }
});

test('a call that has not returned is on the stack, and no other', async () => {
  expect(await askRunning()).toEqual({ isRead: true, ...kRight });
});

test.each<[string, () => void]>([
  ['no frames', () => Object.assign(Error, { stackTraceLimit: 0 })],
  ['a text of its own', () => Object.assign(Error, { prepareStackTrace: () => 'at heapglass forwarder@' })],
])('a program that asks for %s changes nothing, and keeps its setting', async (_, set) => {
  set();
  const before = kSettings.map((name) => Object.getOwnPropertyDescriptor(Error, name));
  expect(await askRunning()).toEqual({ isRead: true, ...kRight });
  expect(kSettings.map((name) => Object.getOwnPropertyDescriptor(Error, name))).toEqual(before);
});

test('calls are counted where the stack may not be read', async () => {
  Object.defineProperty(Error, 'stackTraceLimit', { value: 0, writable: false, configurable: true });
  expect(forwardersOnStack()).toBeUndefined();
  expect(await askRunning()).toEqual({ isRead: false, ...kRight });
});
