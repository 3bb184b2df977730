// DHAT's file, version 2, as valgrind's viewer dh_view.html reads it. Time is the event's number.
//
//   Program points are what a trace knows of a block's origin: the call and the size asked for, until sites are in it. Reads
//   and writes are not in a trace: the file is without accesses ("bklt": true, "bkacc": false).

import type { TraceFile } from '../trace/trace_file.ts';
import { CallKind, programTable } from './program_table.ts';

interface Point {
  readonly size: number;
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
  const table = programTable(file);
  const { trace } = file;
  const points = new Map<number, Point>();
  const pointOf = (size: number): Point => {
    const known = points.get(size);
    if (known !== undefined) return known;
    const none = { totalBytes: 0, totalBlocks: 0, lifetimes: 0, liveBytes: 0, liveBlocks: 0 };
    const made = { size, ...none, maxBytes: 0, maxBlocks: 0, bytesAtPeak: 0, blocksAtPeak: 0 };
    points.set(size, made);
    return made;
  };
  let peakRow = 0;
  for (let row = 0; row < table.count; ++row) {
    if ((table.liveBytes[row] ?? 0) > (table.liveBytes[peakRow] ?? 0)) peakRow = row;
  }
  // By block: its point and birth. A block that is resized ends and is born anew, as DHAT has it.
  const born = new Map<number, { readonly point: Point; readonly at: number }>();
  const end = (block: number, at: number) => {
    const known = born.get(block);
    if (known === undefined) return;
    born.delete(block);
    known.point.lifetimes += at - known.at;
    known.point.liveBytes -= known.point.size;
    known.point.liveBlocks -= 1;
  };
  for (let row = 0; row < table.count; ++row) {
    const block = table.block[row] ?? 0;
    const at = table.event[row] ?? 0;
    const call = table.call[row];
    if (call !== CallKind.fail) end(block, at);
    if (call !== CallKind.fail && call !== CallKind.free) {
      const point = pointOf(table.bytes[row] ?? 0);
      born.set(block, { point, at });
      point.totalBytes += point.size;
      point.totalBlocks += 1;
      point.liveBytes += point.size;
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
  for (const { point, at } of born.values()) point.lifetimes += trace.count - at;
  const sorted = [...points.values()].sort((one, other) => other.totalBytes - one.totalBytes);
  const pps = sorted.map((point, nth) => ({
    tb: point.totalBytes,
    tbk: point.totalBlocks,
    tl: point.lifetimes,
    mb: point.maxBytes,
    mbk: point.maxBlocks,
    gb: point.bytesAtPeak,
    gbk: point.blocksAtPeak,
    eb: point.liveBytes,
    ebk: point.liveBlocks,
    fs: [nth + 1],
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
    te: trace.count,
    tg: table.event[peakRow] ?? 0,
    pps,
    ftbl: ['[root]', ...sorted.map(({ size }) => `blocks of ${size} bytes asked for`)],
  })}\n`;
}
