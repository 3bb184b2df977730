// The comparison of a memory with its copy, in each way that an engine may have.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { afterEach, expect, test, vi } from 'vitest';
import wabt from 'wabt';
import { findChromium } from '../../../tools/find_chromium.mjs';
import { comparing, placeForCopy } from '../../../web/src/image/same_bytes.ts';

const kPage = 65_536;
const kFeatures = { multi_memory: true, simd: true };
const source = fileURLToPath(new URL('../../../web/src/image/same_bytes.ts', import.meta.url));
afterEach(() => vi.unstubAllGlobals());

/** One word after the other is changed; what the comparison of the whole and of parts says, and what it should. */
function proof(given: { comparing: typeof comparing; placeForCopy: typeof placeForCopy }) {
  const program = new WebAssembly.Memory({ initial: 3 });
  const u8 = new Uint8Array(program.buffer);
  for (let i = 0; i < u8.length; ++i) u8[i] = i * 7 + (i >>> 8);
  const [begin, bytes] = [65_536, 8192 + 12];
  const place = given.placeForCopy(bytes);
  place.contents.set(u8.subarray(begin, begin + bytes));
  const isSame = given.comparing(program, place);
  const wrong: string[] = [];
  const prove = (what: string, found: boolean, expected: boolean): void => {
    if (found !== expected) wrong.push(`${what}: ${found}`);
  };
  prove('all', isSame(begin, 0, bytes), true);
  prove('another place', isSame(begin + 64, 0, 4096), false);
  for (let i = 0; i < bytes; ++i) {
    u8[begin + i] = (u8[begin + i] ?? 0) ^ 0x10;
    prove(`whole, byte ${i}`, isSame(begin, 0, bytes), false);
    for (const part of [0, 4096, 8192]) {
      const size = Math.min(4096, bytes - part);
      prove(`part ${part}, byte ${i}`, isSame(begin + part, part, size), i < part || i >= part + size);
    }
    u8[begin + i] = (u8[begin + i] ?? 0) ^ 0x10;
  }
  prove('all again', isSame(begin, 0, bytes), true);
  return { wrong, inMemory: place.memory !== undefined };
}

test('here', () => expect(proof({ comparing, placeForCopy }).wrong).toEqual([]));

test('without a Buffer: by words', () => {
  vi.stubGlobal('Buffer', undefined);
  expect(proof({ comparing, placeForCopy }).wrong).toEqual([]);
});

test.skipIf(findChromium() === undefined)('in Chromium: by a module with two memories', async () => {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    format: 'iife',
    globalName: 'given',
    write: false,
  });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const script = `(() => { ${outputFiles[0]?.text} return (${proof})(given); })()`;
    expect(await page.evaluate(script)).toEqual({ wrong: [], inMemory: true });
  } finally {
    await browser.close();
  }
});

test('the module is what its text says', async () => {
  const text = readFileSync(source.replace(/\.ts$/, '.wat'), 'utf8');
  const module = (await wabt()).parseWat('same_bytes.wat', text, kFeatures);
  const bytes = Buffer.from(module.toBinary({}).buffer).toString('base64');
  expect(readFileSync(source, 'utf8')).toContain(`'${bytes}'`);
});

test('a copy of nothing has a place', () => expect(placeForCopy(0).contents.length).toBeLessThan(kPage));
