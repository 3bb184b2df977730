// The random programs, run very shortly: the same program under every allocator, no rule of the grammar that is never
// drawn, and a trace that proves itself.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { buildOwnArchives } from '../bench/harness/compile.mjs';
import { measureSeeds } from '../bench/malloc/random/measure.mjs';
import { open, textAt } from '../bench/malloc/random/program.mjs';
import { buildRandom, parseSeeds } from '../bench/malloc/random/random.mjs';
import { buildAllThreads, canThreads } from '../bench/malloc/random/thread_programs.mjs';
import { writeTrace } from '../bench/malloc/random/write_trace.mjs';
import { proveTrace } from '../contract/prove_trace.ts';

const kAllocators = ['dlmalloc', 'emmalloc'].map((name) => {
  const flags = [`-sMALLOC=${name}`];
  return { name, flags, threadFlags: flags };
});
const kPercent = 3;
const kBuilds = { timeout: 300_000 }; // of all archives, or of programs with threads
const kSeeds = [1, 2, 3, 4, 5, 6];

const escaped = (text: string) => text.replaceAll(/[.+*?()[\]]/g, '\\$&');

describe('random programs', () => {
  let built: { readonly name: string; readonly wasm: string }[];

  beforeAll(async () => {
    built = await buildRandom(kAllocators);
  });

  it('make the same checksum under two allocators, in a fresh heap and in a used one', async () => {
    for (const used of [false, true]) {
      const { rows, failures } = await measureSeeds(built, kSeeds, { rounds: 1, used, percent: kPercent });
      expect(failures).toEqual([]);
      expect(rows).toHaveLength(kSeeds.length * kAllocators.length);
      for (const { ms, bytes, live, timeRatio, memoryRatio } of rows) {
        expect(ms).toBeGreaterThan(0);
        expect(live).toBeGreaterThan(0);
        expect(bytes).toBeGreaterThanOrEqual(live);
        expect(timeRatio).toBeGreaterThan(0);
        expect(memoryRatio).toBeGreaterThan(0);
      }
    }
  });

  it.runIf(canThreads())('make the same checksum whatever their threads do when', kBuilds, async () => {
    const programs = await buildAllThreads(kAllocators.slice(0, 1));
    for (const threads of [2, 4]) {
      const how = { rounds: 2, used: threads === 4, percent: kPercent, threads };
      const { rows, failures } = await measureSeeds(programs, kSeeds.slice(0, 3), how);
      expect(failures).toEqual([]);
      expect(rows).toHaveLength(3);
    }
  });

  it('draw every production of the grammar in 200 seeds', async () => {
    const bytes = readFileSync(built[0]?.wasm ?? '');
    const exports = await open(await WebAssembly.compile(bytes), { seed: 1 });
    const productions = textAt(exports, exports.bench_random_productions()).trim().split('\n');
    expect(productions.length).toBeGreaterThan(70);
    let drawn = '';
    for (let seed = 1; seed <= 200; ++seed) {
      exports.bench_random_draw(seed, 100);
      drawn += textAt(exports, exports.bench_random_describe());
      drawn += textAt(exports, exports.bench_random_describe_threads(4));
    }
    const named = (production: string) => new RegExp(`(^| )${escaped(production)}($|[;,\n])`, 'm').test(drawn);
    expect(productions.filter((production) => !named(production))).toEqual([]);
  });

  it('write a trace that the model agrees with at every phase', kBuilds, async () => {
    buildOwnArchives();
    const folder = mkdtempSync(join(tmpdir(), 'random-programs-'));
    const path = join(folder, 'seed.hgtrace');
    await writeTrace(path, { seed: 2, percent: kPercent, used: false });
    const bytes = readFileSync(path);
    rmSync(folder, { recursive: true });
    const file = decodeTraceFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    if (!file.ok) throw new Error(file.error.message);
    expect(file.value.notice).toBeUndefined();
    const proof = proveTrace(file.value.trace, 1);
    expect(proof.problem).toBeUndefined();
    expect(proof.checkpoints).toBeGreaterThan(file.value.notes.chapters?.length ?? 0);
  });

  it('are chosen by ranges and lists of seeds', () => {
    expect(parseSeeds('3-5,9')).toEqual([3, 4, 5, 9]);
    expect(() => parseSeeds('5-3')).toThrow('seeds: 5-3');
  });
});
