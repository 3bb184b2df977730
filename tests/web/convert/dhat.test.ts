// DHAT's figures against blocks as intervals of time: each from its birth to its end, one for each size that it had.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { writeDhat } from '../../../web/src/convert/dhat.ts';
import { programTable } from '../../../web/src/convert/program_table.ts';
import { OperationKind, OperationList } from '../../../web/src/replay/operation_list.ts';
import { replayOperations } from '../../../web/src/replay/traced_replay.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';

interface Life {
  readonly size: number;
  readonly from: number;
  to: number;
  isLive: boolean;
}

/** Few sizes, so that each has many blocks; some live to the end. */
async function someRun(seed: number): Promise<TraceFile> {
  const random = createRandom(seed);
  const list = new OperationList();
  const live: number[] = [];
  for (let i = 0, next = 0; i < 400; ++i) {
    const size = 16 * (1 + random.below(6));
    const kind = random.below(8);
    if (kind < 4 || live.length === 0) {
      live.push(next);
      list.add(OperationKind.malloc, next++, size);
    } else if (kind === 4) list.add(OperationKind.realloc, live[random.below(live.length)] ?? 0, size);
    else list.add(OperationKind.free, live.splice(random.below(live.length), 1)[0] ?? 0, 0);
  }
  const { trace, wordSize } = await replayOperations(list.words());
  return { trace, wordSize, traceVersion: trace.version, notes: {}, notice: undefined };
}

/** From the rows of a block: a resize ends one life and begins the next. */
function livesOf(file: TraceFile): Life[] {
  const table = programTable(file);
  const lives: Life[] = [];
  const current = new Map<number, Life>();
  for (let row = 0; row < table.count; ++row) {
    const [block = 0, at = 0, call = 0, size = 0] = [
      table.block[row],
      table.event[row],
      table.call[row],
      table.bytes[row],
    ];
    const before = current.get(block);
    if (before !== undefined) Object.assign(before, { to: at, isLive: false });
    if (call === 1) continue;
    const life = { size, from: at, to: file.trace.count, isLive: true };
    current.set(block, life);
    lives.push(life);
  }
  return lives;
}

interface Dhat {
  readonly te: number;
  readonly tg: number;
  readonly ftbl: readonly string[];
  readonly pps: readonly (Readonly<Record<string, number>> & { readonly fs: readonly number[] })[];
}

test.each([1, 2, 3])('each size has the sums of its blocks, lifetimes and peaks among them (seed %i)', async (seed) => {
  const file = await someRun(seed);
  const dhat = JSON.parse(writeDhat(file)) as Dhat;
  const lives = livesOf(file);
  const liveAt = (among: readonly Life[], moment: number) =>
    among.filter(({ from, to, isLive }) => from <= moment && (moment < to || (isLive && moment === to)));
  const bytes = (among: readonly Life[]) => among.reduce((sum, { size }) => sum + size, 0);
  const moments = [...new Set(lives.map(({ from }) => from))];
  const peakOf = (among: readonly Life[]) => Math.max(...moments.map((moment) => bytes(liveAt(among, moment))));
  expect(dhat.te).toBe(file.trace.count);
  expect(bytes(liveAt(lives, dhat.tg))).toBe(peakOf(lives));
  expect(moments.some((moment) => moment < dhat.tg && bytes(liveAt(lives, moment)) === peakOf(lives))).toBe(false);
  const sizes = new Set(lives.map(({ size }) => size));
  expect(dhat.pps).toHaveLength(sizes.size);
  for (const point of dhat.pps) {
    const size = Number(/of (\d+) bytes/.exec(dhat.ftbl[point.fs[0] ?? 0] ?? '')?.[1]);
    const own = lives.filter((life) => life.size === size);
    const atPeak = liveAt(own, dhat.tg);
    const atEnd = own.filter(({ isLive }) => isLive);
    expect(point, `${size} bytes`).toMatchObject({
      tb: bytes(own),
      tbk: own.length,
      tl: own.reduce((sum, { from, to }) => sum + to - from, 0),
      mb: peakOf(own),
      mbk: peakOf(own) / size,
      gb: bytes(atPeak),
      gbk: atPeak.length,
      eb: bytes(atEnd),
      ebk: atEnd.length,
    });
  }
});

test('behind a loss only the blocks that a snapshot found live on', () => {
  const golden = decodeTraceFile(readFileSync(new URL('../trace/golden/version_5_all.hgtrace', import.meta.url)));
  if (!golden.ok) throw new Error(golden.error.message);
  const dhat = JSON.parse(writeDhat(golden.value)) as Dhat;
  const table = programTable(golden.value);
  const sum = (field: string) => dhat.pps.reduce((total, point) => total + (point[field] ?? 0), 0);
  expect(sum('ebk')).toBe(table.liveBlocks[table.count - 1]);
  expect(sum('eb')).toBe(table.liveBytes[table.count - 1]);
});
