// Modules whose memory has 64-bit addresses are recorded up to 4 GiB, and the trace says so when they go on behind it.

import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { afterAll, describe, expect, test } from 'vitest';
import { instrument } from '../../web/src/instrument/instrument.ts';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { recordExports } from '../../web/src/instrument/recorded_exports.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { makeReport } from '../../web/src/report/report.ts';
import { addressEnd } from '../../web/src/trace/address_end.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery } from '../every.ts';
import { bumpModule, canBuildWide, exerciseModule } from './wide_program.ts';

afterAll(() => rmSync(fileURLToPath(new URL('../../build/wide', import.meta.url)), { recursive: true, force: true }));

type Call = (...given: readonly (number | bigint)[]) => number | bigint;

interface Running {
  readonly call: (name: string, ...given: readonly (number | bigint)[]) => number | bigint;
  readonly recorder: InstrumentedRecorder;
}

function begun(binary: Uint8Array): Running {
  let recorder: InstrumentedRecorder | undefined;
  const restore = install({
    onRecorder(one) {
      recorder = one;
    },
  });
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(binary)), {});
    if (recorder === undefined) throw new Error('it is not recorded');
    return { call: (name, ...given) => (exports[name] as unknown as Call)(...given), recorder };
  } finally {
    restore();
  }
}

function traceOf(bytes: Uint8Array): TraceFile {
  const file = decodeTraceFile(bytes);
  if (!file.ok) throw new Error(file.error.message);
  return file.value;
}

function folded(file: TraceFile): Model {
  const model = new Model(file.trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  return model;
}

const reportOf = (file: TraceFile) => makeReport(file, { name: 'wide' });
const k4GiB = 2n ** 32n;

/** A block of 200 bytes lives; the next one lies behind 4 GiB, and the trace ends there. */
function endsBehind4GiB(
  call: (name: string, ...given: readonly (number | bigint)[]) => unknown,
  trace: () => Parameters<typeof traceOf>[0],
): void {
  call('jump', k4GiB);
  call('free', call('malloc', 300n) as bigint);
  const file = traceOf(trace());
  const { head, history } = folded(file);
  expect(head.state.heaps[0]).toMatchObject({ chunksInUse: 1, inUse: 200 });
  expect(history.lostEvents).toBe(6);
  expect(addressEnd(file.trace)).toMatch(/behind 4 GiB/);
}

describe('a heap behind 4 GiB', () => {
  const wide = async (): Promise<Running> => begun(instrument(binaryen, await bumpModule()).binary);

  test('is recorded up to its first block there; the trace says why, and how much is missing', async () => {
    const { call, recorder } = await wide();
    const kept = [100n, 200n, 300n].map((size) => call('malloc', size));
    call('free', kept[1] ?? 0n);
    call('jump', k4GiB - 4096n);
    expect(call('malloc', 4000n)).toBe(k4GiB - 4096n); // the last that fits
    const whole = traceOf(recorder.trace());
    expect(addressEnd(whole.trace)).toBeUndefined();
    expect(call('malloc', 96n)).toBe(k4GiB - 96n); // its end is an address that no segment has
    expect(addressEnd(traceOf(recorder.trace()).trace)).toMatch(/behind 4 GiB/);
    call('free', k4GiB - 96n);
    call('malloc', 50n);
    recorder.mark('later');
    const file = traceOf(recorder.trace());
    const { head, history } = folded(file);
    expect(head.state.heaps[0]).toMatchObject({ chunksInUse: 3, inUse: 4400 });
    expect(history.lostEvents).toBe(3 * 3 + 2);
    const { notices, totals } = reportOf(file);
    expect(notices[0]).toMatch(/^a block lay behind 4 GiB, .*nothing behind it is recorded$/);
    expect(notices[2]).toMatch(/^11 events were lost/);
    expect(totals).toMatchObject({ allocations: 4, frees: 1 });
    expect(reportOf(whole).totals).toMatchObject({ allocations: 4, frees: 1 });
  });

  test('memory of 4 GiB is a segment of 8 bytes less, whose growth is told once', async () => {
    const { call, recorder } = await wide();
    call('malloc', 10n);
    call('jump', k4GiB - 70_000n);
    call('malloc', 65_536n);
    const file = traceOf(recorder.trace());
    const { head } = folded(file);
    expect(head.state.segments[0]).toMatchObject({ base: 0, size: 2 ** 32 - 8 });
    const grown = Array.from({ length: file.trace.count }, (_, event) => event)
      .filter((event) => file.trace.kind(event) === EventKind.memoryGrown)
      .map((event) => file.trace.b(event));
    expect(grown).toEqual([65_536]);
  });

  test('of a module with threads it is what it is of one without', async () => {
    const { call, recorder } = begun(instrument(binaryen, await bumpModule('2 65536 shared')).binary);
    call('realloc', call('malloc', 100n), 200n);
    endsBehind4GiB(call, () => recorder.trace());
  });

  test('of exports that are wrapped it ends there too', async () => {
    const bytes = Uint8Array.from(await bumpModule());
    const { exports: raw } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
    const { exports, recorder } = recordExports(raw, { malloc: 'malloc', free: 'free', realloc: 'realloc' });
    const call = (name: string, ...given: readonly (number | bigint)[]) => (exports[name] as unknown as Call)(...given);
    expect(call('malloc', 2n ** 41n)).toBe(0n);
    expect(call('realloc', call('malloc', 100n), 200n)).toBe(65_648n);
    endsBehind4GiB(call, () => recorder.trace());
  });

  test('a request that no address space has is refused, and recording goes on', async () => {
    const { call, recorder } = await wide();
    expect(call('malloc', 2n ** 41n)).toBe(0n);
    expect(call('posix_memalign', 1024n, 64n, 700n)).toBe(0);
    const { totals, notices } = reportOf(traceOf(recorder.trace()));
    expect(notices).toEqual([]);
    expect(totals).toMatchObject({ allocations: 1 });
  });

  test('what is kept of it begins with the blocks below, and ends where the recording did', async () => {
    const { call, recorder } = await wide();
    recorder.keep = 'none';
    call('malloc', 100n);
    call('jump', k4GiB);
    call('malloc', 100n);
    recorder.drain();
    const late: Uint32Array[] = [];
    recorder.subscribe(({ records }) => late.push(records), { past: true });
    const file = traceOf(recorder.trace());
    const { head } = folded(file);
    expect(head.state.heaps.at(-1)).toMatchObject({ chunksInUse: 1, inUse: 100 });
    expect(head.state.awaiting).toBe(true);
    expect(addressEnd(file.trace)).toMatch(/behind 4 GiB/);
  });

  test.each([
    ['one thread', '2 65536'],
    ['threads', '2 65536 shared'],
  ])('a sample of it ends there too: %s', async (_, memory) => {
    const { call, recorder } = begun(instrumentSampled(binaryen, await bumpModule(memory), 1).binary);
    const block = call('malloc', 1000n);
    call('free', block);
    call('malloc', 1001n);
    call('jump', k4GiB * 2n);
    call('free', call('malloc', 1002n));
    const file = traceOf(recorder.trace());
    const { head } = folded(file);
    expect(head.state.heaps[0]).toMatchObject({ chunksInUse: 1, inUse: 1001 });
    expect(addressEnd(file.trace)).toMatch(/behind 4 GiB/);
  });
});

const canBuild = kEvery && canBuildWide();
if (kEvery && !canBuild) console.log('memory64: the program is skipped, there is no clang for wasm64');

describe.skipIf(!canBuild)("heapglass's malloc for wasm64", () => {
  const exercise = (bits: 32 | 64): TraceFile => {
    const { call, recorder } = begun(instrument(binaryen, exerciseModule(bits)).binary);
    expect(call('exercise', 1, 3000)).toBe(0);
    return traceOf(recorder.trace());
  };

  test('is recorded call by call as the same program for wasm32', () => {
    const [narrow, wide] = [exercise(32), exercise(64)].map((file) => reportOf(file));
    expect(wide?.notices).toEqual([]);
    expect(wide?.totals.allocations).toBeGreaterThan(900);
    // Whether a realloc moves its block is up to the allocator, whose headers have another size there.
    const asked = (report: typeof wide) => ({
      sizes: report?.sizes,
      totals: { ...report?.totals, moved_bytes: undefined, moved_reallocations: undefined },
    });
    expect(asked(wide)).toEqual(asked(narrow));
  });

  test('with --stacks each allocation has its site, and with --sample all are estimated', () => {
    const original = exerciseModule(64);
    const stacked = begun(instrumentStacks(binaryen, original).binary);
    expect(stacked.call('exercise', 1, 3000)).toBe(0);
    const { trace } = traceOf(stacked.recorder.trace());
    const kinds = Array.from({ length: trace.count }, (_, event) => trace.kind(event));
    const count = (kind: EventKind) => kinds.filter((one) => one === kind).length;
    expect(count(EventKind.siteDefined)).toBeGreaterThan(3);
    const sampled = begun(instrumentSampled(binaryen, original, 1).binary);
    expect(sampled.call('exercise', 1, 3000)).toBe(0);
    const { head } = folded(traceOf(sampled.recorder.trace()));
    expect(head.state.heaps[0]?.chunksInUse).toBe(0);
  });
});
