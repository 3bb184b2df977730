// The malloc benchmark, run very shortly: what it measures is true, whatever the times are.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { measure } from '../bench/malloc/bench.mjs';
import { assertLinked } from '../bench/malloc/build.mjs';
import { runInProcess } from '../bench/malloc/run.mjs';
import { prepareWorkloads } from '../bench/malloc/workloads.mjs';

const kScript = fileURLToPath(new URL('../bench/malloc/bench.mjs', import.meta.url));
const kPage = 65536;
const kInitialHeap = 131072;

interface Row {
  readonly group: string;
  readonly workload: string;
  readonly allocator: string;
  readonly ns?: number;
  readonly ms?: number;
  readonly ratio: number;
  readonly spread: number;
  readonly footprint: number;
  readonly footprintRatio: number;
  readonly liveRequested: number;
}

describe('the malloc benchmark', () => {
  let figures: { readonly bench: string; readonly allocators: readonly string[]; readonly rows: readonly Row[] };
  const row = (workload: string, allocator: string) =>
    figures.rows.find((one) => one.workload === workload && one.allocator === allocator);

  beforeAll(() => {
    const json = join(mkdtempSync(join(tmpdir(), 'malloc-bench-')), 'figures.json');
    const words = ['--quick', '--rounds', '1', '--only', '^(floor|pair-1000000)$', '--allocators', 'dlmalloc,emmalloc'];
    execFileSync(process.execPath, [kScript, ...words, '--json', json], { stdio: 'pipe' }); // fails when checksums differ
    figures = JSON.parse(readFileSync(json, 'utf8'));
  });

  it('has a row for each workload and allocator, with its time, footprint and ratios', () => {
    expect(figures).toMatchObject({ bench: 'malloc', allocators: ['dlmalloc', 'emmalloc'], rounds: 1, sizes: [] });
    expect(figures.rows).toHaveLength(8); // each workload in a fresh heap and in a used one
    for (const { group, ns, ms, ratio, footprint, footprintRatio } of figures.rows) {
      expect(group.startsWith('micro') ? ns : ms).toBeGreaterThan(0);
      expect(ratio).toBeGreaterThan(0);
      expect(footprint).toBeGreaterThan(0);
      expect(footprintRatio).toBeGreaterThan(0);
    }
    expect(row('floor', 'dlmalloc')).toMatchObject({ ratio: 1, footprintRatio: 1, spread: 0 });
  });

  it('finds that a program with 100 small blocks needs no more than memory begins with', () => {
    const { footprint, liveRequested } = row('floor', 'dlmalloc') ?? { footprint: 0, liveRequested: 0 };
    expect(footprint).toBeGreaterThanOrEqual(kInitialHeap);
    expect(footprint).toBeLessThan(kInitialHeap + kPage);
    expect(liveRequested).toBeGreaterThan(100 * 8);
    expect(liveRequested).toBeLessThan(100 * 128);
  });

  it('finds that one block of 1,000,000 bytes needs these and two pages at most', () => {
    for (const allocator of figures.allocators) {
      const { footprint, liveRequested } = row('pair-1000000', allocator) ?? { footprint: 0, liveRequested: 0 };
      expect(liveRequested).toBe(1_000_000);
      expect(footprint).toBeGreaterThan(1_000_000);
      expect(footprint).toBeLessThan(1_000_000 + 2 * kPage);
    }
  });

  it('finds that a used heap has 8 MiB more at its peak, and that one block needs nothing more', () => {
    for (const allocator of figures.allocators) {
      const { liveRequested, footprint } = row('pair-1000000, used', allocator) ?? { liveRequested: 0, footprint: 0 };
      expect(liveRequested).toBeGreaterThan(8 << 20);
      expect(liveRequested).toBeLessThan(9.5 * 2 ** 20);
      expect(footprint).toBeGreaterThan(liveRequested);
      expect(footprint).toBeLessThan(liveRequested * 1.5);
    }
  });

  it('chooses rows by name and by heap', async () => {
    const names = async (only: RegExp, heap: 'fresh' | 'used' | 'both') =>
      (await prepareWorkloads(only, heap)).map(({ name }: { name: string }) => name);
    expect(await names(/^pair-64$/, 'both')).toEqual(['pair-64', 'pair-64, used']);
    expect(await names(/^pair-64$/, 'fresh')).toEqual(['pair-64']);
    expect(await names(/^(floor|empty loop.*)$/, 'used')).toEqual(['floor, used']);
  });

  it('reports a program whose output is not the known one', async () => {
    const [floor] = await prepareWorkloads(/^floor$/, 'fresh');
    const how = { rounds: 1, percent: 1, run: runInProcess };
    const { rows, failures } = await measure([{ ...floor, expected: 'another' }], [], how);
    expect(rows).toEqual([]);
    expect(failures).toEqual([expect.stringMatching(/^floor, counted: output [0-9a-f]{8}, not another$/)]);
  });

  it('refuses a program that holds another allocator', () => {
    const ours = { name: 'ours', flags: ['/there/libours.a'] };
    const line = (file: string) => `       -      1ac      2ef         ${file}:(dlmalloc)\n`;
    expect(() => assertLinked(line('/there/libours.a(malloc.o)'), ours, 'it')).not.toThrow();
    expect(() => assertLinked('', ours, 'it')).toThrow('ours is not in it');
    const both = line('/there/libours.a(malloc.o)') + line('/lib/libdlmalloc.a(dlmalloc.o)');
    expect(() => assertLinked(both, ours, 'it')).toThrow('beside ours it holds libdlmalloc.a');
  });
});
