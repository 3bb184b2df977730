// DHAT's figures against blocks as intervals of time: each from its birth to its end, one for each size that it had.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { writeDhat } from '../../../web/src/convert/dhat.ts';
import { CallKind, programTable, readTable } from '../../../web/src/convert/program_table.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { OperationKind, OperationList } from '../../../web/src/replay/operation_list.ts';
import { replayOperations } from '../../../web/src/replay/traced_replay.ts';
import { textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';

/** A block with one size: from the row that made it to the row at which it is no more; undefined: it lives on. */
interface Life {
  readonly point: string;
  readonly size: number;
  readonly from: number;
  to: number | undefined;
}

/** Few sizes, so that each has many blocks; some live to the end. With `sites`, calls come from three places, with any size. */
async function someRun(seed: number, sites = false): Promise<TraceFile> {
  const random = createRandom(seed);
  const list = new OperationList();
  const live: number[] = [];
  for (let i = 0, next = 0; i < 400; ++i) {
    const size = 16 * (1 + random.below(sites ? 60 : 6));
    const kind = random.below(8);
    if (kind < 4 || live.length === 0) {
      live.push(next);
      list.add(OperationKind.malloc, next++, size);
    } else if (kind === 4) list.add(OperationKind.realloc, live[random.below(live.length)] ?? 0, size);
    else list.add(OperationKind.free, live.splice(random.below(live.length), 1)[0] ?? 0, 0);
  }
  return fileOf(list, sites ? random : undefined);
}

/** `random`: each call that begins an operation gets one of three sites. */
async function fileOf(list: OperationList, random?: Random): Promise<TraceFile> {
  const { trace, wordSize } = await replayOperations(list.words());
  const file = { wordSize, traceVersion: trace.version, notes: {}, notice: undefined };
  if (random === undefined) return { ...file, trace };
  const sited = new Trace();
  for (const [nth, name] of ['main@a.c:9', 'parse@b.c:3', 'print@b.c:7'].entries()) {
    sited.append(textRecords(name));
    sited.appendEvent(headOf(EventKind.stringDefined, 0), nth + 1, 0, 0);
    sited.appendEvent(headOf(EventKind.siteDefined, 0), nth + 1, 0, nth + 1);
  }
  for (let event = 0; event < trace.count; ++event) {
    if (trace.kind(event) === EventKind.opBegun)
      sited.appendEvent(headOf(EventKind.siteEntered, 0), 1 + random.below(3), 0, 0);
    sited.appendEvent(trace.head(event), trace.a(event), trace.b(event), trace.c(event));
  }
  return { ...file, trace: sited };
}

function golden(): TraceFile {
  const decoded = decodeTraceFile(readFileSync(new URL('../trace/golden/version_5_all.hgtrace', import.meta.url)));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

/** From the rows of a block: a resize ends one life and begins the next. */
function livesOf(file: TraceFile): Life[] {
  const { table, history } = readTable(file);
  const lives: Life[] = [];
  const current = new Map<number, Life>();
  const end = (block: number, row: number) => {
    const life = current.get(block);
    if (life !== undefined) life.to = row;
    current.delete(block);
  };
  for (let row = 0; row < table.count; ++row) {
    for (const unseen of table.unseenEnds) if (unseen.row === row) end(unseen.block, row);
    const [block = 0, call = 0, size = 0, site = 0] = [
      table.block[row],
      table.call[row],
      table.bytes[row],
      table.site[row],
    ];
    if (call === CallKind.fail) continue;
    end(block, row);
    if (call === CallKind.free) continue;
    const stack = site === 0 ? [] : history.sites.stack(site);
    const point = stack.length > 0 ? stack.join() : `blocks of ${size} bytes asked for`;
    const life = { point, size, from: row, to: undefined };
    current.set(block, life);
    lives.push(life);
  }
  for (const unseen of table.unseenEnds) if (unseen.row === table.count) end(unseen.block, table.count);
  return lives;
}

interface Dhat {
  readonly bklt: boolean;
  readonly bkacc: boolean;
  readonly te: number;
  readonly tg: number;
  readonly ftbl: readonly string[];
  readonly pps: readonly (Readonly<Record<string, number>> & { readonly fs: readonly number[] })[];
}

const dhatOf = (file: TraceFile) => JSON.parse(writeDhat(file)) as Dhat;

test.each([
  ['sizes, seed 1', () => someRun(1)],
  ['sizes, seed 2', () => someRun(2)],
  ['sites, seed 3', () => someRun(3, true)],
  ['sites, seed 4', () => someRun(4, true)],
  ['sites, seed 5', () => someRun(5, true)],
  ['a trace with losses and snapshots', golden],
])('each point has the sums of its blocks, lifetimes and peaks among them (%s)', async (_, read) => {
  const file = await read();
  const dhat = dhatOf(file);
  const table = programTable(file);
  const lives = livesOf(file);
  const bytes = (among: readonly Life[]) => among.reduce((sum, { size }) => sum + size, 0);
  const liveAt = (among: readonly Life[], row: number) =>
    among.filter(({ from, to }) => from <= row && (to === undefined || row < to));
  /** The first row at which so much lives as never again. */
  const peakOf = (among: readonly Life[]) => {
    const after = Array.from({ length: table.count }, (__, row) => bytes(liveAt(among, row)));
    return after.indexOf(Math.max(...after));
  };
  const peak = peakOf(lives);
  const eventOf = (row: number | undefined) => (row === undefined ? file.trace.count : table.event[row]) ?? Number.NaN;
  expect([dhat.te, dhat.tg]).toEqual([file.trace.count, eventOf(peak)]);
  expect(dhat.pps).toHaveLength(new Set(lives.map(({ point }) => point)).size);
  for (const point of dhat.pps) {
    const name = point.fs.map((frame) => dhat.ftbl[frame]).join();
    const own = lives.filter((life) => life.point === name);
    const most = liveAt(own, peakOf(own));
    const atPeak = liveAt(own, peak);
    const atEnd = own.filter(({ to }) => to === undefined);
    expect(point, name).toMatchObject({
      tb: bytes(own),
      tbk: own.length,
      tl: own.reduce((sum, { from, to }) => sum + eventOf(to) - eventOf(from), 0),
      mb: bytes(most),
      mbk: most.length,
      gb: bytes(atPeak),
      gbk: atPeak.length,
      eb: bytes(atEnd),
      ebk: atEnd.length,
    });
  }
});

test('a file says that it has lifetimes, and no reads and writes', async () => {
  expect(dhatOf(await someRun(1))).toMatchObject({ dhatFileVersion: 2, bklt: true, bkacc: false });
});

test('of peaks that are equally high the first is taken', async () => {
  const list = new OperationList();
  for (const id of [0, 1, 2]) {
    list.add(OperationKind.malloc, id, 100);
    list.add(OperationKind.free, id, 0);
  }
  const file = await fileOf(list);
  expect(dhatOf(file).tg).toBe(programTable(file).event[0]);
});

test('a snapshot at the end that finds no block leaves none', async () => {
  const file = await someRun(4);
  const { trace, wordSize } = file;
  const last = programTable(file).count - 1;
  expect(programTable(file).liveBlocks[last]).toBeGreaterThan(0);
  trace.appendEvent(headOf(EventKind.eventsLost, 0), 9, 0, 0);
  trace.appendEvent(headOf(EventKind.snapshotBegun, wordSize), 0, 0, 0);
  trace.appendEvent(headOf(EventKind.snapshotEnded, 0), 0, 0, 0);
  const { pps, te } = dhatOf(file);
  expect(te).toBe(trace.count);
  expect(pps.length).toBeGreaterThan(0);
  for (const { eb, ebk, tbk, tl } of pps) {
    expect([eb, ebk]).toEqual([0, 0]);
    expect(tl).toBeGreaterThanOrEqual(tbk ?? 0);
  }
});
