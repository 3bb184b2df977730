// heapglass/instrumented in Chromium: wasm-bindgen's JavaScript instantiates an instrumented module from a stream. And exported allocators.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { recorderOf, type TracedModule } from '../../web/src/attach/recorder_of.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { recordExports } from '../../web/src/instrument/recorded_exports.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { addressEnd } from '../../web/src/trace/address_end.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { toldByPage } from './told_by_page.ts';
import { bumpModule } from './wide_program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const shipped = createRequire(import.meta.url).resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm');

const kPage = `<!doctype html><link rel="icon" href="data:," /><script type="module">
  import { firstRecorder, recorders } from './instrumented.js';
  import init, { encode } from './squoosh_png.js';
  const exports = await init('app.hg.wasm');
  const sizes = [16, 32, 48].map((size) => encode(new Uint8ClampedArray(size * size * 4).fill(7), size, size, 8).length);
  const recorder = await firstRecorder();
  recorder.mark('encoded');
  const seen = [];
  recorder.subscribe(({ records }) => seen.push(records.length / 4), { past: true });
  globalThis.told = { sizes, count: recorder.count, seen: seen.reduce((sum, n) => sum + n, 0), recorders: recorders.length,
    trace: Array.from(recorder.trace()), streamed: performance.getEntriesByName(new URL('app.hg.wasm', location).href).length };
</script>`;

interface Told {
  readonly sizes: number[];
  readonly count: number;
  readonly seen: number;
  readonly recorders: number;
  readonly trace: number[];
  readonly streamed: number;
}

async function encoded(): Promise<Told> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-page-'));
  try {
    writeFileSync(join(folder, 'page.html'), kPage);
    writeFileSync(join(folder, 'app.hg.wasm'), instrument(binaryen, readFileSync(shipped)).binary);
    copyFileSync(join(dirname(shipped), 'squoosh_png.js'), join(folder, 'squoosh_png.js'));
    const entryPoints = { instrumented: join(root, 'package/instrumented.ts') };
    await build({ entryPoints, outdir: folder, bundle: true, format: 'esm', logLevel: 'warning' });
    return await toldByPage<Told>(folder, 'page.html');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function modelOf(file: Uint8Array): Model {
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const model = new Model(decoded.value.trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  return model;
}

const kWidePage = `<!doctype html><link rel="icon" href="data:," /><script type="module">
  import { firstRecorder } from './instrumented.js';
  const { instance } = await WebAssembly.instantiateStreaming(fetch('app.hg.wasm'));
  const { malloc, memory } = instance.exports;
  const blocks = Array.from({ length: 10 }, () => Number(malloc(2n ** 29n)));
  new Uint8Array(memory.buffer)[blocks[9]] = 1;
  const recorder = await firstRecorder();
  globalThis.told = { blocks, memory: memory.buffer.byteLength, trace: Array.from(recorder.trace()) };
</script>`;

interface WideTold {
  readonly blocks: number[];
  readonly memory: number;
  readonly trace: number[];
}

describe('in a page', () => {
  test('a heap of 5 GiB is recorded up to its block that ends behind 4 GiB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heapglass-page-'));
    try {
      writeFileSync(join(folder, 'page.html'), kWidePage);
      writeFileSync(join(folder, 'app.hg.wasm'), instrument(binaryen, await bumpModule('2 81921')).binary);
      const entryPoints = { instrumented: join(root, 'package/instrumented.ts') };
      await build({ entryPoints, outdir: folder, bundle: true, format: 'esm', logLevel: 'warning' });
      const { blocks, memory, trace } = await toldByPage<WideTold>(folder, 'page.html');
      expect(memory).toBe(5 * 2 ** 30 + 65_536);
      expect(blocks[9]).toBe(9 * 2 ** 29 + 65_536);
      const model = modelOf(Uint8Array.from(trace));
      expect(model.head.state.heaps[0]).toMatchObject({ chunksInUse: 7, inUse: 7 * 2 ** 29 });
      expect(addressEnd(model.trace)).toMatch(/behind 4 GiB/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a module that is instantiated from a stream has its recorder, and its trace is whole', async () => {
    const told = await encoded();
    expect(told.recorders).toBe(1);
    expect(told.seen).toBe(told.count);
    const { trace, head, history } = modelOf(Uint8Array.from(told.trace));
    expect(trace.count).toBe(told.count);
    expect(history.marks.count).toBe(1);
    expect(head.state.heaps[0]?.chunksInUse).toBe(0); // all that the codec took it gave back
    const kinds = Array.from({ length: trace.count }, (_, seq) => trace.kind(seq));
    expect(kinds.filter((kind) => kind === EventKind.blockAllocated).length).toBeGreaterThan(9);
  });
});

describe('exported functions recorded at run time', () => {
  const bump = `(module (memory (export "memory") 1 3) (global $next (mut i32) (i32.const 1024))
    (func (export "malloc") (param i32) (result i32) (local i32)
      (if (i32.gt_u (local.get 0) (i32.const 60000)) (then (drop (memory.grow (i32.const 1)))))
      (local.set 1 (global.get $next))
      (global.set $next (i32.add (global.get $next) (i32.and (i32.add (local.get 0) (i32.const 23)) (i32.const -16))))
      (local.get 1))
    (func (export "free") (param i32)))`;
  const instantiate = async (): Promise<WebAssembly.Exports> => {
    const bytes = (await wabt()).parseWat('bump.wat', bump).toBinary({}).buffer;
    return new WebAssembly.Instance(new WebAssembly.Module(bytes as BufferSource)).exports;
  };

  test('show the calls from JavaScript, and memory that grew', async () => {
    const { exports, recorder } = recordExports(await instantiate(), { malloc: 'malloc', free: 'free' });
    const call = exports as unknown as { malloc(size: number): number; free(address: number): void };
    const blocks = [10, 20, 61_000].map((size) => call.malloc(size));
    call.free(blocks[1] ?? 0);
    call.free(0);
    const { head } = modelOf(recorder.trace());
    expect(head.state.inUse).toBe(61_010);
    expect(head.state.heaps[0]?.chunksInUse).toBe(2);
    expect(head.state.footprint).toBe(2 * 65_536);
  });

  test('are replaced in an object that is not frozen', async () => {
    const module = { ...(await instantiate()) };
    const { exports } = recordExports(module, { malloc: 'malloc', free: 'free' });
    expect(exports).toBe(module);
  });

  test('are what attach takes by name, unless they are frozen', async () => {
    const exports = await instantiate();
    const names = { malloc: 'malloc', free: 'free' };
    expect(() => recorderOf(exports as unknown as TracedModule, undefined, names)).toThrow(/cannot be replaced/);
    const module = { ...exports };
    const recorder = recorderOf(module, undefined, names);
    let records = 0;
    recorder.subscribe((packet) => {
      records += packet.records.length / 4;
    });
    (module as unknown as { malloc(size: number): number }).malloc(10);
    recorder.drain();
    expect(records).toBe(5); // the heap, its segment, and the call with its block
  });

  test('must be there', async () => {
    const exports = await instantiate();
    expect(() => recordExports(exports, { malloc: 'alloc', free: 'free' })).toThrow(/no function "alloc"/);
    expect(() => recordExports({ malloc() {} }, { malloc: 'malloc', free: 'free' })).toThrow(/size of its memory/);
  });
});
