// What a fresh memory holds is known from the wasm file: its data segments, and zeros elsewhere.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copyLive, kPage } from '../../../web/src/image/live_pages.ts';
import { exposeState } from '../../../web/src/shrink/exposed_module.ts';
import { kTextPrograms, readAvailability } from '../../../web/src/wasm/program_artefacts.ts';

const missing = await readAvailability();

/** The memory of an instance that has run nothing. */
function freshMemory(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const exposed = exposeState(bytes);
  const compiled = new WebAssembly.Module(exposed.bytes as Uint8Array<ArrayBuffer>);
  const imports: WebAssembly.Imports = {};
  for (const { module, name, kind } of WebAssembly.Module.imports(compiled)) {
    expect(kind, name).toBe('function');
    imports[module] = { ...imports[module], [name]: () => 0 };
  }
  const { exports } = new WebAssembly.Instance(compiled, imports);
  return new Uint8Array((exports[exposed.memory as string] as WebAssembly.Memory).buffer);
}

const programs = Object.entries(kTextPrograms).filter(([name]) => missing[name as keyof typeof kTextPrograms] === null);

describe.each(programs)('%s', (_, path) => {
  const bytes = new Uint8Array(readFileSync(path()));

  test('what is not zero in a fresh memory lies in a segment of the file, and most of the memory does not', () => {
    const memory = freshMemory(bytes);
    const data = exposeState(bytes).data ?? [];
    const rest = memory.slice();
    let filled = 0;
    for (let i = 0; i < data.length; i += 2) {
      const [at = 0, size = 0] = data.slice(i, i + 2);
      rest.fill(0, at, at + size);
      filled += size;
    }
    expect(Buffer.compare(rest, new Uint8Array(rest.length))).toBe(0);
    expect(filled).toBeGreaterThan(kPage);
    expect(filled).toBeLessThan(memory.length / 2);
  });
});

/** A module of one memory and one data section. */
const moduleOf = (...segments: number[]) => {
  const memory = [5, 3, 1, 0, 1];
  const global = [6, 6, 1, 0x7f, 0, 0x41, 8, 0x0b];
  return new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...memory, ...global, 11, segments.length, ...segments]);
};

test('passive segments fill nothing, and an address of 2 GiB and more is positive', () => {
  const passive = [1, 2, 9, 9];
  const high = [0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x78, 0x0b, 1, 7]; // i32.const -2147483648
  const named = [2, 0, 0x41, 0xc0, 0, 0x0b, 1, 7];
  expect(exposeState(moduleOf(3, ...passive, ...high, ...named)).data).toEqual([2 ** 31, 1, 64, 1]);
});

test('where a segment begins at the value of a global, or near the end of the address space, nothing is known', () => {
  expect(exposeState(moduleOf(1, 0, 0x23, 0, 0x0b, 1, 7)).data).toBeUndefined();
  expect(exposeState(moduleOf(1, 0, 0x41, 0x7f, 0x0b, 1, 7)).data).toBeUndefined();
});

test('a module without data fills nothing', () => {
  expect(exposeState(moduleOf().subarray(0, -2)).data).toEqual([]);
});

test('a page that is known to be zero is not read: what a copy leaves out is decided without it', () => {
  const from = new ArrayBuffer(4 * kPage);
  new Uint8Array(from)[3 * kPage] = 1;
  const to = new ArrayBuffer(4 * kPage);
  new Uint8Array(to).fill(7, 0, 2 * kPage); // page 1 only betrays whether it was read
  expect(copyLive(from, to, 4 * kPage, [], [kPage - 1, 1])).toBe(2 * kPage);
  const result = new Uint8Array(to);
  expect([result[0], result[kPage], result[3 * kPage]]).toEqual([0, 7, 1]);
  expect(copyLive(from, to, 4 * kPage, [], undefined)).toBe(2 * kPage);
  expect(result[kPage]).toBe(0);
});
