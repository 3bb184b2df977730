// Copying what lives touches each page of the fresh memory once: a page that is read first is mapped twice.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { copyLive, kPage } from '../../../web/src/image/live_pages.ts';

const kPages = 4096;
const kWasmPages = (kPages * kPage) / 65_536;
const kStatus = '/proc/self/stat';

/** Minor page faults of this process so far. */
function faults(): number {
  const fields = readFileSync(kStatus, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[7]);
}

test.skipIf(!existsSync(kStatus)).each([
  ['nobody knows what was written', undefined],
  ['nothing was written', []],
])('one page fault for each page, where %s to the fresh memory', (_, filled) => {
  const old = new WebAssembly.Memory({ initial: kWasmPages });
  new Uint8Array(old.buffer).fill(0x5a);
  const fresh = new WebAssembly.Memory({ initial: kWasmPages });
  const before = faults();
  const copied = copyLive(old.buffer, fresh.buffer, kPages * kPage, [], filled);
  const taken = faults() - before;
  expect(copied).toBe(kPages * kPage);
  expect(taken).toBeLessThan(1.4 * kPages);
});
