// Whether a call into a program has not returned: read from the stack in Node (in browsers: tests/engines/running.engines.ts), and counted
// where the stack says nothing.

import { afterEach, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { forwardersIn, forwardersOnStack } from '../../../web/src/shrink/running.ts';
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

test('of lines as Firefox and Safari write them, forwarders up to the first asynchronous step count', () => {
  const { below } = createRandom(3);
  const kLines = [
    'heapglass forwarder@a.js:1:2',
    'main@heapglass forwarder.js:3:4',
    '@a.js:5:6',
    'heapglass forwarder/<@a.js:7:8',
  ];
  const kStep = 'async*heapglass forwarder@a.js:9:1';
  for (let round = 0; round < 400; ++round) {
    const count = [below(6), 127, 128, 129][below(4)] ?? 0;
    const isPlain = below(2) === 0;
    const lines = Array.from({ length: count }, () =>
      isPlain || below(3) > 0 ? 'f@a.js:1:1' : (kLines[below(4)] ?? ''),
    );
    if (below(2) === 0) lines.splice(below(count + 1), 0, kStep);
    const end = lines.indexOf(kStep);
    const running = end < 0 ? lines : lines.slice(0, end);
    const found = running.filter((line) => line.startsWith('heapglass forwarder')).length;
    const isFull = found === 0 && end < 0 && lines.length === 128; // running.R3
    expect(forwardersIn(`${lines.join('\n')}\n`), lines.join(' ')).toBe(isFull ? undefined : found);
  }
});
