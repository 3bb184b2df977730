// A trace file that is larger than memory should hold: written piece by piece, opened as the page opens it, from a Blob whose bytes
// stay on disk.

import { closeSync, openAsBlob, openSync, writeSync } from 'node:fs';
import { seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { openInSlices } from '../../../web/src/engine/opening.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import { packRecords, TraceFileWriter } from '../../../web/src/trace/trace_file.ts';
import { kNothing } from '../../web/engine/no_frame_parts.ts';
import { writeCalls } from './glass.ts';

const kSeed = 4;

export function writeFile(path: string, events: number, live: number, packed: boolean): void {
  const file = openSync(path, 'w');
  const writer = new TraceFileWriter(packed ? { pack: packRecords } : {});
  const write = (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) writeSync(file, piece);
  };
  writeCalls(events, live, (records) => write(writer.append(records)));
  write(writer.end());
  closeSync(file);
}

export interface OpenedFromDisk {
  readonly fileBytes: number;
  readonly events: number;
  readonly openMs: number;
  /** Of the process: arrays and heap, most of all slices and at the end, beyond what there was before. */
  readonly mostBytes: number;
  readonly bytes: number;
  /** Greatest time from one slice to the next. */
  readonly longestSliceMs: number;
  readonly seeks: readonly number[]; // ms
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const heldNow = () => {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
};

export async function openFile(path: string, count: number): Promise<OpenedFromDisk> {
  collect();
  const before = heldNow();
  const file = await openAsBlob(path);
  let mostBytes = 0;
  let longestSliceMs = 0;
  const begun = performance.now();
  let sliceBegun = begun;
  const session = await openInSlices(file, {
    progress: () => {
      mostBytes = Math.max(mostBytes, heldNow() - before);
    },
    pause: async () => {
      const now = performance.now();
      longestSliceMs = Math.max(longestSliceMs, now - sliceBegun);
      await new Promise((resolve) => setImmediate(resolve));
      sliceBegun = performance.now();
    },
    cancelled: () => false,
  });
  const openMs = performance.now() - begun;
  const wrong = session?.damage ?? session?.mismatch;
  if (session === undefined || wrong !== undefined) throw new Error(wrong ?? 'the opening was cancelled');
  collect();
  const bytes = heldNow() - before;
  const events = session.head;
  const { below } = createRandom(kSeed);
  const seeks = Array.from({ length: count }, () => {
    const from = performance.now();
    makeFrame(session, { ...kNothing, at: { to: 'seq', seq: seq(below(events)) } });
    return performance.now() - from;
  });
  return { fileBytes: file.size, events, openMs, mostBytes, bytes, longestSliceMs, seeks };
}
