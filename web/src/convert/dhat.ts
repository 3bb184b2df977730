// DHAT's file, version 2, as valgrind's viewer dh_view.html reads it. Time is the event's number.
//
//   Program points are what a trace knows of a block's origin: the call site or, of calls without one, the size asked for. Reads
//   and writes are not in a trace: the file is without accesses ("bklt": true, "bkacc": false).

import type { TraceFile } from '../trace/trace_file.ts';
import { CallKind, readTable } from './program_table.ts';

interface Point {
  readonly frames: readonly string[]; // innermost first
  totalBytes: number;
  totalBlocks: number;
  lifetimes: number;
  liveBytes: number;
  liveBlocks: number;
  maxBytes: number;
  maxBlocks: number;
  bytesAtPeak: number;
  blocksAtPeak: number;
}

export function writeDhat(file: TraceFile): string {
  const read = readTable(file);
  const { table } = read;
  let peakRow = 0;
  for (let row = 0; row < table.count; ++row) {
    if ((table.liveBytes[row] ?? 0) > (table.liveBytes[peakRow] ?? 0)) peakRow = row;
  }
  const points = pointsOf(read, file.trace.count, peakRow).sort((one, other) => other.totalBytes - one.totalBytes);
  const names = new Map([['[root]', 0]]);
  const numberOf = (frame: string): number => {
    const number = names.get(frame) ?? names.size;
    names.set(frame, number);
    return number;
  };
  const pps = points.map((point) => ({
    tb: point.totalBytes,
    tbk: point.totalBlocks,
    tl: point.lifetimes,
    mb: point.maxBytes,
    mbk: point.maxBlocks,
    gb: point.bytesAtPeak,
    gbk: point.blocksAtPeak,
    eb: point.liveBytes,
    ebk: point.liveBlocks,
    fs: point.frames.map(numberOf),
  }));
  return `${JSON.stringify({
    dhatFileVersion: 2,
    mode: 'heapglass',
    verb: 'Allocated',
    bklt: true,
    bkacc: false,
    tu: 'events',
    Mtu: 'Mevents',
    tuth: 100,
    cmd: file.notes.title ?? 'heapglass trace',
    pid: 1,
    te: file.trace.count,
    tg: table.event[peakRow] ?? 0,
    pps,
    ftbl: [...names.keys()],
  })}\n`;
}

/** end: the number of events; peakRow: of the table, behind which the program is at its peak. */
function pointsOf({ table, history }: ReturnType<typeof readTable>, end: number, peakRow: number): Point[] {
  const points = new Map<string, Point>();
  const pointOf = (site: number, size: number): Point => {
    const stack = site === 0 ? [] : history.sites.plainStack(site);
    const frames = stack.length > 0 ? stack : [`blocks of ${size} bytes asked for`];
    const key = frames.join('\n');
    const known = points.get(key);
    if (known !== undefined) return known;
    const none = { totalBytes: 0, totalBlocks: 0, lifetimes: 0, liveBytes: 0, liveBlocks: 0 };
    const made = { frames, ...none, maxBytes: 0, maxBlocks: 0, bytesAtPeak: 0, blocksAtPeak: 0 };
    points.set(key, made);
    return made;
  };
  // By block: its point and birth. A block that is resized ends and is born anew, as DHAT has it.
  const born = new Map<number, { readonly point: Point; readonly at: number; readonly size: number }>();
  const endBlock = (block: number, at: number) => {
    const known = born.get(block);
    if (known === undefined) return;
    born.delete(block);
    known.point.lifetimes += at - known.at;
    known.point.liveBytes -= known.size;
    known.point.liveBlocks -= 1;
  };
  let ended = 0;
  const endUnseenUpTo = (row: number, at: number) => {
    for (let next = table.unseenEnds[ended]; next !== undefined && next.row <= row; next = table.unseenEnds[++ended])
      endBlock(next.block, at);
  };
  for (let row = 0; row < table.count; ++row) {
    const block = table.block[row] ?? 0;
    const at = table.event[row] ?? 0;
    const call = table.call[row];
    endUnseenUpTo(row, at);
    if (call !== CallKind.fail) endBlock(block, at);
    if (call !== CallKind.fail && call !== CallKind.free) {
      const size = table.bytes[row] ?? 0;
      const point = pointOf(table.site[row] ?? 0, size);
      born.set(block, { point, at, size });
      point.totalBytes += size;
      point.totalBlocks += 1;
      point.liveBytes += size;
      point.liveBlocks += 1;
      if (point.liveBytes > point.maxBytes) {
        point.maxBytes = point.liveBytes;
        point.maxBlocks = point.liveBlocks;
      }
    }
    if (row === peakRow) {
      for (const point of points.values()) {
        point.bytesAtPeak = point.liveBytes;
        point.blocksAtPeak = point.liveBlocks;
      }
    }
  }
  endUnseenUpTo(table.count, end);
  for (const { point, at } of born.values()) point.lifetimes += end - at;
  return [...points.values()];
}
