// heapglass instrument --sample, on two finished modules: what is estimated from a sample is what a full recording counts.
//
//   one run of the program's work, recorded whole        ─▶ bytes, blocks, live blocks: the truth
//   200 runs of the same work, sampled, seeded           ─▶ 200 estimates: their mean is the truth    (10 of the slower program's)

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { instrument } from '../../web/src/instrument/instrument.ts';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { makeRecorder } from '../../web/src/instrument/recorder_module.ts';
import type { RingExports } from '../../web/src/instrument/recorder_source.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { kBitShift, kHashFactor, sampleParts } from '../../web/src/instrument/sample_table.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { estimate } from '../../web/src/report/sampled.ts';
import { sampledChance, samplingMean } from '../../web/src/trace/sampling.ts';
import { nameOfMark } from '../../web/src/trace/texts.ts';
import type { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { sitesOf } from '../web/instrument/sites_of.ts';
import { kPrograms } from './modules/programs.mjs';

const require = createRequire(fileURLToPath(new URL('../../package.json', import.meta.url)));
const kSeeds = 200;
const kSlowSeeds = Number(process.env['HG_STACK_SEEDS'] ?? 10); // npm run check:stacks: more
const kMost = 5 * 1024; // bytes added
const kSurely = 30; // bytes: with one in 1, such a block is told but for once in 10^13
const programs = kPrograms.filter(({ daily }) => daily === true);

afterEach(() => {
  vi.restoreAllMocks();
});

interface Run {
  readonly file: TraceFile;
  readonly results: readonly unknown[];
}

/** Does the work of a program `times` times with a module, a mark behind each. */
async function run(program: (typeof programs)[number], module: Uint8Array, times: number): Promise<Run> {
  let recorder: InstrumentedRecorder | undefined;
  const restore = install({
    onRecorder(one) {
      recorder = one;
    },
  });
  try {
    // A copy of the package's script of its own, as it keeps its instance.
    const from = async (specifier: string) => {
      const path = require.resolve(specifier);
      delete require.cache[path];
      return /\bimport\.meta\b|^export /m.test(readFileSync(path, 'utf8'))
        ? import(`${path}?${++copies}`)
        : { default: require(path) };
    };
    const work = await program.begin(from, module);
    const results: unknown[] = [];
    for (let i = 0; i < times; ++i) {
      results.push(await work());
      recorder?.mark(`run ${i}`);
    }
    if (recorder === undefined) return { file: undefined as never, results };
    const decoded = decodeTraceFile(recorder.trace());
    if (!decoded.ok) throw new Error(decoded.error.message);
    return { file: decoded.value, results };
  } finally {
    restore();
  }
}
let copies = 0;

/** Of each run behind the first: sums over its blocks, of what each one stands for. */
function sums(trace: Trace, weight: (size: number) => number) {
  const list: { bytes: number; blocks: number }[] = [];
  let sum = { bytes: 0, blocks: 0 };
  for (let event = 0; event < trace.count; ++event) {
    if (trace.kind(event) === EventKind.blockAllocated) {
      const size = trace.b(event);
      if (size === 0) continue;
      sum.bytes += size * weight(size);
      sum.blocks += weight(size);
    } else if (/^run /.test(nameOfMark(trace, event) ?? '')) {
      list.push(sum);
      sum = { bytes: 0, blocks: 0 };
    }
  }
  return list.slice(1);
}

/** Addresses that live at the end, with their sizes. */
function liveIn(trace: Trace): Map<number, number> {
  const live = new Map<number, number>();
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.blockAllocated) live.set(trace.a(event), trace.b(event));
    if (kind === EventKind.blockFreed) live.delete(trace.a(event));
  }
  return live;
}

/** How many standard errors the mean of a list is from a number. */
function distanceFrom(list: readonly number[], truth: number): number {
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  const variance = list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1);
  return Math.abs(mean - truth) / Math.sqrt(variance / list.length);
}

/** Numbers of 0 to 1 that are the same at every run (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const shippedOf = ({ wasm }: { wasm: string }) => new Uint8Array(readFileSync(require.resolve(wasm)));

test('the table of samples grows and empties; the filter knows every one of them', () => {
  const bytes = Uint8Array.from(makeRecorder(binaryen, { parts: [sampleParts(1)] }));
  const freed: number[] = [];
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    heapglass: { full: () => take(), stack: () => 0, distance: () => 0 },
  });
  const exports = instance.exports as unknown as RingExports & {
    readonly filter: { readonly value: bigint };
    sampled(op: number, request: number, alignment: number, address: number, pages: number): void;
    forget(address: number, pages: number): void;
  };
  const take = () => {
    const words = new Uint32Array(exports.memory.buffer, exports.begin.value);
    for (let at = 0; at < (exports.at.value - exports.begin.value) / 4; at += 4) {
      if (((words[at] ?? 0) & 0xff) === EventKind.blockFreed) freed.push(words[at + 1] ?? 0);
    }
    exports.at.value = exports.begin.value;
  };
  const isIn = (address: number) =>
    ((exports.filter.value >> BigInt(Math.imul(address, kHashFactor) >>> kBitShift)) & 1n) === 1n;
  const random = seeded(7);
  const live = new Set<number>();
  const gone: number[] = [];
  for (let step = 0; step < 120_000; ++step) {
    const address = 16 * (1 + Math.floor(random() * 60_000));
    const isKnown = live.has(address);
    if (isKnown && !isIn(address)) throw new Error(`the filter lacks ${address}`);
    if (step < 60_000 && !isKnown) {
      exports.sampled(1, 16, 0, address, 1);
      live.add(address);
    } else if (random() < 0.5) {
      exports.forget(address, 1); // of one that is none nothing is told
      if (live.delete(address)) gone.push(address);
    }
  }
  expect(live.size).toBeGreaterThan(8192); // the table begins with as many slots
  for (const address of live) {
    exports.forget(address, 1);
    gone.push(address);
  }
  take();
  expect(freed).toEqual(gone);
  expect(exports.filter.value).toBe(0n);
});

describe.each(programs)('$name', (program) => {
  const shipped = shippedOf(program);
  const isSlow = program.name === 'Oniguruma';
  const seeds = isSlow ? kSlowSeeds : kSeeds;
  const distance = isSlow ? 2048 : 16_384;

  test('gives what it gave, grows by at most 5 KB, and its estimates have the true mean', async () => {
    const { binary } = instrumentSampled(binaryen, shipped, distance);
    console.log(`${program.name}: ${binary.length - shipped.length} bytes added`);
    expect(binary.length - shipped.length).toBeLessThanOrEqual(kMost);
    const plain = await run(program, shipped, 1);
    const whole = await run(program, instrument(binaryen, shipped).binary, 3);
    const [second, third] = sums(whole.file.trace, () => 1);
    expect(second).toEqual(third); // the work is the same each time
    vi.spyOn(Math, 'random').mockImplementation(seeded(1));
    const { file, results } = await run(program, binary, seeds + 1);
    for (const result of results) expect(result).toEqual(plain.results[0]);
    expect(samplingMean(file.trace)).toBe(distance);
    const estimates = sums(file.trace, (size) => 1 / sampledChance(size, distance));
    expect(estimates.length).toBe(seeds);
    const away = (list: typeof estimates, of: 'bytes' | 'blocks') =>
      distanceFrom(
        list.map((each) => each[of]),
        second?.[of] ?? 0,
      );
    expect(away(estimates, 'bytes')).toBeLessThan(3);
    expect(away(estimates, 'blocks')).toBeLessThan(3);
    // Planted: without weights neither is.
    const raw = sums(file.trace, () => 1);
    expect(away(raw, 'bytes')).toBeGreaterThan(3);
    expect(away(raw, 'blocks')).toBeGreaterThan(3);
    // The report's totals are those of its parts.
    const report = estimate(file, distance);
    const total = report.sites.reduce((sum, { allocated_bytes }) => sum + allocated_bytes, 0);
    expect(Math.abs(total / report.totals.allocated_bytes - 1)).toBeLessThan(0.001);
  }, 60_000);

  test.skipIf(isSlow && process.env['HG_STACK_SEEDS'] === undefined)(
    'the sites are those of --stacks',
    async () => {
      const paths = async (module: Uint8Array) => {
        const { entered, pathOf } = sitesOf((await run(program, module, 1)).file.trace);
        return new Set(entered.map((site) => pathOf(site).join(' > ')));
      };
      const told = await paths(instrumentStacks(binaryen, shipped).binary);
      const sampled = await paths(instrumentSampled(binaryen, shipped, 8).binary);
      expect(sampled.size).toBeGreaterThan(told.size / 2);
      for (const path of sampled) expect(told).toContain(path);
    },
    60_000,
  );

  test.each([1, 64, 4096])(
    'one in %i bytes: nothing stays live that was freed',
    async (mean) => {
      const whole = liveIn((await run(program, instrument(binaryen, shipped).binary, 2)).file.trace);
      const { file } = await run(program, instrumentSampled(binaryen, shipped, mean).binary, 2);
      const sampled = liveIn(file.trace);
      const { trace } = file;
      let frees = 0;
      for (let event = 0; event < trace.count; ++event) frees += trace.kind(event) === EventKind.blockFreed ? 1 : 0;
      expect(frees).toBeGreaterThan(10);
      for (const [address, size] of sampled) expect(whole.get(address)).toBe(size);
      if (mean > 1) return;
      for (const [address, size] of whole) if (size > kSurely) expect(sampled.get(address)).toBe(size);
    },
    60_000,
  );
});
