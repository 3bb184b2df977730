// Programs linked with --discard: trimming gives whole free pages to the host. No engine at hand has memory.discard, so the host is a
// function that counts and zeroes, as the proposal says.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { makeReport } from '../../web/src/report/report.ts';
import { decodeEvent } from '../../web/src/trace/decode.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kLevel, someOf } from '../every.ts';
import { recorderFlags } from '../record/recorded_program.ts';
import { archive, glueFlags, root, toolchains } from './toolchain.ts';

interface Program {
  _run(calls: number, most: number): number;
  _hold(bytes: number): number;
  _let_go(address: number): void;
  _trim(): void;
}
interface Recorded extends Program {
  readonly heapglass: { checkpoint(): void; trace(): Uint8Array<ArrayBuffer> };
}
type Call = (...args: number[]) => number;
type Standalone = Record<'hold' | 'let_go' | 'sum' | 'hg_malloc_trim' | 'hg_malloc_flush' | 'discarded_bytes', Call> & {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
};

const kPage = 65_536;
const kLarge = 10_000_000;
const kHost = [
  '-Wl,-u,hg_discard_by_host',
  join(root, 'build/wasm/libheapglass-discard.a'),
  '--js-library',
  join(root, 'package/emscripten/heapglass_discard.js'),
];
const kAlone = [kLevel, '-sSTANDALONE_WASM', '--no-entry', '-sALLOW_MEMORY_GROWTH'];
const kExported = '-Wl,--export=hg_malloc_trim,--export=hg_malloc_flush';
const require = createRequire(import.meta.url);
const memories = WebAssembly.Memory.prototype as { discard?: (offset: number, length: number) => void };
let discarded = 0;

function discardIn(memory: WebAssembly.Memory, offset: number, length: number): void {
  if (offset % kPage !== 0 || length % kPage !== 0 || length === 0) throw new RangeError('not whole pages');
  new Uint8Array(memory.buffer).fill(0, offset, offset + length);
  discarded += length;
}
beforeEach(() => {
  discarded = 0;
});
afterEach(() => {
  delete memories.discard;
});

const startAlone = async (wasm: string): Promise<Standalone> => {
  let memory: WebAssembly.Memory | undefined;
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {
    env: {
      emscripten_notify_memory_growth: () => undefined,
      __wbindgen_memory_discard: (offset: number, length: number) =>
        discardIn(memory as WebAssembly.Memory, offset >>> 0, length >>> 0),
    },
    wasi_snapshot_preview1: { proc_exit: () => 0, fd_write: () => 0, fd_seek: () => 0, fd_close: () => 0 },
  });
  const exports = instance.exports as unknown as Standalone;
  memory = exports.memory;
  exports._initialize();
  return exports;
};

afterAll(() => void vi.unstubAllGlobals());

describe.each(toolchains())('Emscripten $version', (toolchain) => {
  if (glueFlags(toolchain.order).length > 0) vi.stubGlobal('fetch', undefined);

  test.each(someOf(['fast', 'small', 'hardened', 'checked']))(
    'in JavaScript: random calls give the same with pages discarded, profile %s',
    async (profile) => {
      const given = [kLevel, archive(profile), ...kHost, '-sALLOW_MEMORY_GROWTH', '-sMODULARIZE'];
      const { wasm } = await toolchain.link(`discards_${profile}`, ['shrinks.cpp'], given);
      const factory = require(wasm.replace(/\.wasm$/, '.js')) as () => Promise<Program>;
      const run = async (): Promise<number[]> => {
        const program = await factory();
        return Array.from({ length: 20 }, () => {
          const large = program._hold(kLarge);
          const found = program._run(300, 4096);
          program._let_go(large);
          program._trim();
          return found;
        });
      };
      const plain = await run();
      expect(discarded).toBe(0);
      memories.discard = function (this: WebAssembly.Memory, offset, length) {
        discardIn(this, offset, length);
      };
      expect(await run()).toEqual(plain);
      if (profile === 'checked') expect(discarded).toBe(0);
      else expect(discarded).toBeGreaterThan(20 * (kLarge - 3 * kPage));
    },
    120_000,
  );

  test('standalone: the import of the name that wasm-bindgen knew', async () => {
    const { wasm } = await toolchain.link(
      'discards_alone',
      ['shrinks_alone.c'],
      [...kAlone, archive('fast'), ...kHost, kExported],
    );
    const [module] = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(wasm))).filter(({ name }) =>
      name.startsWith('__wbindgen'),
    );
    expect(module).toEqual({ module: 'env', name: '__wbindgen_memory_discard', kind: 'function' });
    const program = await startAlone(wasm);
    const [low, middle, high] = [program.hold(kLarge), program.hold(kLarge), program.hold(1000)] as [
      number,
      number,
      number,
    ];
    program.let_go(middle);
    expect(discarded).toBe(0); // only when it is asked for
    program.hg_malloc_flush();
    expect(discarded).toBeGreaterThan(kLarge - 3 * kPage);
    expect([program.sum(low, kLarge), program.sum(high, 1000)]).toEqual([90 * kLarge, 90 * 1000]);
    expect(program.sum(program.hold(2 * kLarge), 2 * kLarge)).toBe(2 * 90 * kLarge);
  }, 120_000);

  test('a recorded program has an event for each run, and without the hook none', async () => {
    const runsOf = async (name: string, given: readonly string[]): Promise<number> => {
      const flags = [kLevel, ...recorderFlags('trace'), ...given, '-sALLOW_MEMORY_GROWTH', '-sMODULARIZE'];
      const { wasm } = await toolchain.link(name, ['shrinks.cpp'], flags);
      const factory = require(wasm.replace(/\.wasm$/, '.js')) as () => Promise<Recorded>;
      const program = await factory();
      program._let_go(program._hold(kLarge));
      program._trim();
      program.heapglass.checkpoint();
      const decoded = decodeTraceFile(program.heapglass.trace());
      if (!decoded.ok) throw new Error(decoded.error.message);
      const { trace } = decoded.value;
      expect(makeReport(decoded.value, { name }).trace.proof).toMatchObject({ equal: true });
      return Array.from({ length: trace.count }, (_, i) => decodeEvent(trace, i))
        .filter(({ kind }) => kind === EventKind.pagesDiscarded)
        .reduce((sum, { b }) => sum + b, 0);
    };
    memories.discard = function (this: WebAssembly.Memory, offset, length) {
      discardIn(this, offset, length);
    };
    expect(await runsOf('discards_traced', kHost)).toBe(discarded);
    expect(discarded).toBeGreaterThan(kLarge - 3 * kPage);
    expect(await runsOf('discards_traced_not', [])).toBe(0);
  }, 120_000);

  test('a program may define hg_discard_pages itself; without it nothing is imported', async () => {
    const sources = ['shrinks_alone.c', 'discards_itself.c'];
    const headers = `-I${join(root, 'core/include')}`;
    const own = await toolchain.link('discards_itself', sources, [...kAlone, archive('fast'), headers, kExported]);
    const program = await startAlone(own.wasm);
    program.let_go(program.hold(kLarge));
    program.hold(100);
    program.hg_malloc_trim(0);
    expect(program.discarded_bytes()).toBeGreaterThan(kLarge - 3 * kPage);
    const { wasm } = await toolchain.link('discards_not', ['shrinks_alone.c'], [...kAlone, archive('fast'), kExported]);
    const names = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(wasm))).map(({ name }) => name);
    expect(names).not.toContain('__wbindgen_memory_discard');
  }, 120_000);
});
