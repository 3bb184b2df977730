// Each export is opened by a reader that is not ours.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { formatOf, kFormats } from '../../../web/src/convert/formats.ts';
import { programTable } from '../../../web/src/convert/program_table.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { OperationKind, OperationList } from '../../../web/src/replay/operation_list.ts';
import { replayOperations } from '../../../web/src/replay/traced_replay.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';

const folder = mkdtempSync(join(tmpdir(), 'heapglass-convert-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A run of `count` operations with leaks at its end. */
async function someRun(seed: number, count: number): Promise<TraceFile> {
  const random = createRandom(seed);
  const list = new OperationList();
  const live: number[] = [];
  let next = 0;
  for (let i = 0; i < count; ++i) {
    const kind = random.below(10);
    if (kind < 5 || live.length === 0) {
      live.push(next);
      list.add(OperationKind.malloc, next++, 16 + random.below(300));
    } else if (kind === 5) list.add(OperationKind.realloc, live[random.below(live.length)] ?? 0, random.below(900) + 1);
    else list.add(OperationKind.free, live.splice(random.below(live.length), 1)[0] ?? 0, 0);
  }
  const { trace, wordSize, notice } = await replayOperations(list.words(), { name: `run ${seed}` });
  expect(notice).toBeUndefined();
  return { trace, wordSize, traceVersion: trace.version, notes: { title: `run ${seed}` }, notice: undefined };
}

async function written(name: string, file: TraceFile): Promise<Uint8Array> {
  const content = await kFormats.find((format) => format.name === name)?.write?.(file);
  if (content === undefined) throw new Error(`${name} cannot be written`);
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('an export', () => {
  let file: TraceFile;
  let rows: number;
  let allocated: number; // bytes asked for in all
  beforeAll(async () => {
    file = await someRun(1, 4000);
    const table = programTable(file);
    rows = table.count;
    allocated = [...table.bytes.subarray(0, rows)].reduce(
      (sum, size, row) => sum + (table.call[row] === 0 ? size : 0),
      0,
    );
    expect(rows).toBe(4000);
  });

  test('counts what the report counts', () => {
    const table = programTable(file);
    const report = makeReport(file, { name: 'x', temporaryWithin: 1000 });
    const peak = Math.max(...table.liveBytes.subarray(0, rows));
    expect(JSON.stringify(report)).toContain(`${peak}`);
    expect(table.liveBlocks[rows - 1]).toBeGreaterThan(0);
  });

  test('as CSV is read by DuckDB with its types', async () => {
    const path = join(folder, 'calls.csv');
    writeFileSync(path, await written('csv', file));
    const found = await ask(`SELECT count(*) AS n, sum(bytes) FILTER (call = 'allocate') AS bytes FROM '${path}'`);
    expect(found.map(({ n, bytes }) => [Number(n), Number(bytes)])).toEqual([[rows, allocated]]);
  });

  test('as Arrow is read by apache-arrow and holds the same', async () => {
    const table = tableFromIPC(await written('arrow', file));
    expect([table.numRows, table.getChild('call')?.get(0)]).toEqual([rows, 'allocate']);
    expect([...(table.getChild('live_bytes') ?? [])]).toEqual([...programTable(file).liveBytes.subarray(0, rows)]);
  });

  test('as Parquet and as Arrow has addresses above 2 GiB', async () => {
    const high = 2 ** 32 - 65_536;
    const trace = new Trace();
    const add = (kind: EventKind, detail: number, a = 0, b = 0, c = 0) =>
      trace.appendEvent(headOf(kind, 1, detail), a, b, c);
    add(EventKind.heapCreated, 0, high, 8);
    add(EventKind.segmentAdded, 0, high, 0x8000, high);
    add(EventKind.opBegun, Op.allocate, 0, 100);
    add(EventKind.blockAllocated, 0, high + 64, 100);
    add(EventKind.opEnded, Op.allocate, high + 64, 100);
    const run = { trace, wordSize: 4, traceVersion: trace.version, notes: {}, notice: undefined } as const;
    const bytes = await written('parquet', run);
    const [first] = await parquetReadObjects({ file: bytes.slice().buffer });
    expect(first?.['address']).toBe(high + 64);
    expect(
      tableFromIPC(await written('arrow', run))
        .get(0)
        ?.toJSON()['address'],
    ).toBe(high + 64);
  });

  test('as Parquet is read by hyparquet and by DuckDB', async () => {
    const bytes = await written('parquet', file);
    const buffer = bytes.slice().buffer;
    expect(Number(parquetMetadata(buffer).num_rows)).toBe(rows);
    const [first] = await parquetReadObjects({ file: buffer });
    expect(first).toMatchObject({ call: 'allocate', block: 1 });
    const path = join(folder, 'calls.parquet');
    writeFileSync(path, bytes);
    const found = await ask(`SELECT count(*) AS n, sum(bytes) FILTER (call = 'allocate') AS bytes FROM '${path}'`);
    expect(found.map(({ n, bytes: sum }) => [Number(n), Number(sum)])).toEqual([[rows, allocated]]);
    const [types] = await ask(
      `SELECT typeof(event) AS e, typeof(live_bytes) AS l, typeof(call) AS c FROM '${path}' LIMIT 1`,
    );
    expect(types).toEqual({ e: 'UINTEGER', l: 'DOUBLE', c: 'VARCHAR' });
  });

  test('as Chrome events has a slice a call, counters, and marks by name', async () => {
    const { traceEvents } = JSON.parse(textOf(await written('chrome', file))) as {
      traceEvents: { ph: string; name: string; ts?: number; dur?: number; pid: number; tid: number }[];
    };
    const of = (phase: string) => traceEvents.filter(({ ph }) => ph === phase);
    expect([of('X').length >= rows - 10, of('C').length, of('i').map(({ name }) => name)]).toEqual([
      true,
      rows,
      ['run 1'],
    ]);
    for (const { ts = -1, dur = -1, tid } of of('X')) expect(ts >= 0 && dur > 0 && tid === 1).toBe(true);
  });

  test('as DHAT has every field that its viewer checks, and the sums of the calls', async () => {
    const dhat = JSON.parse(textOf(await written('dhat', file))) as Record<string, unknown> & {
      pps: Record<string, number | number[]>[];
      ftbl: string[];
    };
    const header = 'dhatFileVersion mode verb bklt bkacc tu Mtu cmd pid te pps ftbl tg tuth'.split(' ');
    expect(header.filter((field) => !Object.hasOwn(dhat, field))).toEqual([]);
    for (const point of dhat.pps) {
      const fields = 'tb tbk tl mb mbk gb gbk eb ebk fs'.split(' ');
      expect(fields.filter((field) => !Object.hasOwn(point, field))).toEqual([]);
      for (const frame of point.fs as number[]) expect(dhat.ftbl[frame]).toMatch(/^blocks of \d+ bytes/);
    }
    const sum = (field: string) => dhat.pps.reduce((total, point) => total + (point[field] as number), 0);
    const table = programTable(file);
    expect(sum('ebk')).toBe(table.liveBlocks[rows - 1]);
    expect(sum('gb')).toBe(Math.max(...table.liveBytes.subarray(0, rows)));
  });

  test('of a trace with a loss and a snapshot goes on behind them', async () => {
    const golden = decodeTraceFile(readFileSync(new URL('../trace/golden/version_5_all.hgtrace', import.meta.url)));
    if (!golden.ok) throw new Error(golden.error.message);
    const csv = textOf(await written('csv', golden.value));
    expect(csv).toMatch(/,found,/);
    for (const { name, write } of kFormats)
      if (write !== undefined) expect((await written(name, golden.value)).length).toBeGreaterThan(100);
  });
});

test('the format of a file is found by its longest extension', () => {
  expect(formatOf('a.trace.json', 'write')?.name).toBe('chrome');
  expect(formatOf('a.dhat.json', 'write')?.name).toBe('dhat');
  expect(formatOf('a.json', 'read')).toBeUndefined();
  expect(formatOf('A.REP', 'read')?.name).toBe('rep');
  expect(formatOf('a.speedscope.json', 'write')?.name).toBe('speedscope');
  for (const { name, extensions, write, read } of kFormats) {
    expect(extensions.length, name).toBeGreaterThan(0);
    for (const extension of extensions) {
      if (write !== undefined) expect(formatOf(`run${extension}`, 'write')?.name).toBe(name);
      if (read !== undefined) expect(formatOf(`run${extension}`, 'read')?.name).toBe(name);
    }
  }
});

/** The rows of a query. */
async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjects();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

describe('a folder of runs', () => {
  test('is a data set: the SQL of docs/data_sets.md runs as it stands', { timeout: 120_000 }, async () => {
    const runs: TraceFile[] = [];
    for (const seed of [1, 2, 3]) runs.push(await someRun(seed, 1500));
    for (const [nth, run] of runs.entries()) {
      const at = join(folder, `runs/run=build-${nth}`);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'part.parquet'), await written('parquet', run));
    }
    const text = readFileSync(new URL('../../../docs/data_sets.md', import.meta.url), 'utf8');
    const queries = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? '');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const results = new Map<string, Record<string, unknown>[]>();
    for (const sql of queries) {
      const here = sql.replaceAll('runs/', `${join(folder, 'runs')}/`);
      results.set(/^-- (.*)/.exec(sql)?.[1] ?? '', (await connection.runAndReadAll(here)).getRowObjects());
    }
    connection.closeSync();
    instance.closeSync();
    const peaks = runs.map((run) => {
      const table = programTable(run);
      return Math.max(...table.liveBytes.subarray(0, table.count));
    });
    expect(results.get('peak by build')?.map((row) => [row.run, row.peak_bytes])).toEqual(
      peaks.map((peak, nth) => [`build-${nth}`, peak]),
    );
    const leaks = runs.map((run) => {
      const table = programTable(run);
      return table.liveBlocks[table.count - 1];
    });
    expect(results.get('leaks')?.map((row) => Number(row.blocks))).toEqual(leaks);
    expect(results.get('fragmentation over a fleet')).toHaveLength(3);
    expect(results.size).toBeGreaterThanOrEqual(5);
  });
});
