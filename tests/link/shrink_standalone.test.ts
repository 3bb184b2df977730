// A program without Emscripten's JavaScript that shrinks: instantiateShrinkable of heapglass/shrink, with `--standalone --shrink`.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { instantiateShrinkable } from '../../web/src/shrink/shrink.ts';
import { kLevel } from '../every.ts';
import { exportFlag } from './shrink/flags.ts';
import { archive, toolchains } from './toolchain.ts';

const kFlags = [kLevel, '-sSTANDALONE_WASM', '--no-entry', '-sALLOW_MEMORY_GROWTH'];
const kLarge = 10_000_000;
const hostOf = (memory: () => WebAssembly.Memory) => ({
  env: { emscripten_notify_memory_growth: () => expect(memory().buffer.byteLength).toBeGreaterThan(0) },
  wasi_snapshot_preview1: { proc_exit: () => 0, fd_write: () => 0, fd_seek: () => 0, fd_close: () => 0 },
});

type Program = Record<'hold' | 'sum' | 'let_go', (...args: number[]) => number> & {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
};

describe.each(toolchains())('Emscripten $version, standalone', (toolchain) => {
  test('the instance is exchanged behind its exports', async () => {
    const { wasm } = await toolchain.link(
      'shrinks_alone',
      ['shrinks_alone.c'],
      [...kFlags, archive('fast'), exportFlag()],
    );
    let memory: () => WebAssembly.Memory = () => new WebAssembly.Memory({ initial: 1 });
    const program = await instantiateShrinkable(
      readFileSync(wasm),
      hostOf(() => memory()),
    );
    const exports = program.exports as unknown as Program;
    memory = () => exports.memory;
    exports._initialize();
    const blocks = Array.from({ length: 20 }, () => exports.hold(kLarge) >>> 0);
    for (const block of blocks.slice(1)) exports.let_go(block);
    const returnable = program.returnable();
    expect(returnable).toBeGreaterThan(150_000_000);
    const { before, after, copied } = await program.shrink();
    expect(before - after).toBeGreaterThan(170_000_000);
    expect(copied).toBeLessThan(12_000_000);
    expect(exports.memory.buffer.byteLength).toBe(after);
    expect(exports.sum(blocks[0] ?? 0, kLarge)).toBe(90 * kLarge);
    const again = exports.hold(4 * kLarge) >>> 0;
    expect(exports.sum(again, 4 * kLarge) >>> 0).toBe(4 * 90 * kLarge);
    expect(exports.sum(blocks[0] ?? 0, kLarge)).toBe(90 * kLarge);
  }, 120_000);
});
