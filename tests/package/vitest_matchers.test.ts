// heapglass/vitest from the tarball: what a test expects of heaps that it has.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Package from '../../package/full.ts';
import type * as ForVitest from '../../package/vitest.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { type Installed, installPacked } from './installed.ts';

let installed: Installed;
let createHeap: typeof Package.createHeap;
beforeAll(async () => {
  installed = installPacked();
  const entry = (name: string) =>
    import(/* @vite-ignore */ pathToFileURL(join(installed.folder, 'node_modules/heapglass/dist/package', name)).href);
  ({ createHeap } = (await entry('full.js')) as typeof Package);
  const { matchers } = (await entry('vitest/matchers.js')) as typeof ForVitest;
  expect.extend(matchers);
  mkdirSync(join(installed.folder, 'temporary'));
  vi.stubEnv('TMPDIR', join(installed.folder, 'temporary'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  installed?.dispose();
});

const foldersLeft = (): readonly string[] => readdirSync(tmpdir());

async function messageOf(expectation: Promise<void>): Promise<string> {
  return expectation.then(
    () => 'it holds',
    (error: Error) => error.message,
  );
}

async function usedHeap() {
  const heap = await createHeap({ trace: true });
  const blocks = Array.from({ length: 20 }, () => heap.allocate(1000));
  heap.mark('loaded');
  const [kept = 0, ...others] = blocks;
  for (const block of others) heap.deallocate(block);
  heap.allocate(300);
  heap.mark('done');
  return { heap, kept };
}

test('what holds passes and leaves no file', async () => {
  const { heap, kept } = await usedHeap();
  await expect(heap).toStayBelow('20 KiB');
  await expect(heap).toStayBelow(20_300);
  await expect(heap).toHold('allocations=21 leaks=2');
  heap.deallocate(kept);
  await expect({ heapglass: heap }).toHold('leaks=1'); // as an Emscripten Module has its recorder
  expect(foldersLeft()).toEqual([]);
});

test('what does not hold may be expected too', async () => {
  const { heap } = await usedHeap();
  await expect(heap).not.toStayBelow(20_000);
  await expect(heap).not.toHaveNoLeaks();
  expect(await messageOf(expect(heap).toHaveNoLeaks({ between: ['loaded', 'done'] }))).toContain('1 blocks, 300 bytes');
});

test('a failure says how much, and where trace and report are', async () => {
  const { heap } = await usedHeap();
  const message = await messageOf(expect(heap).toHaveNoLeaks());
  expect(message).toMatch(/broken: leaks is 2/);
  const [trace = '', report = ''] = [...message.matchAll(/(?:trace|report): (.+)$/gm)].map(([, path]) => path);
  expect(decodeTraceFile(readFileSync(trace)).ok).toBe(true);
  expect(existsSync(report)).toBe(true);
});

test('what records nothing, a mark that was not set and a size that is none are named', async () => {
  const before = foldersLeft();
  const plain = await createHeap();
  expect(await messageOf(expect(plain).toHaveNoLeaks())).toMatch(
    /this records nothing; give it a heap of createHeap\(/,
  );
  expect(await messageOf(expect(undefined).toHaveNoLeaks())).toMatch(/this records nothing/);
  const { heap } = await usedHeap();
  expect(await messageOf(expect(heap).toHaveNoLeaks({ between: ['loaded', 'finished'] }))).toMatch(/finished/);
  expect(await messageOf(expect(heap).toHold('peek<1MiB'))).toMatch(/peek/);
  expect(() => expect(heap).toStayBelow('much')).toThrow(/"much" is no size/);
  expect(foldersLeft()).toEqual(before);
});
