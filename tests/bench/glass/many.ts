// Traces of many things of one kind, for what must not grow with their number: the frames that the engine makes of them.

import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { Session } from '../../../web/src/engine/session.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import type { FrameRequest } from '../../../web/src/protocol/messages.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { kNothing, wanting } from '../../web/engine/no_frame_parts.ts';

const kSeed = 5;
const kHeap = 0x20000;
const kPool = 0x500;
const kLivingPools = 60_000; // their numbers have 16 bits

type Add = (kind: EventKind, heap: number, detail: number, a: number, b: number, c: number) => void;

const makeHeap = (add: Add) => add(EventKind.heapCreated, 1, 4, kHeap, 8, 0);

/** Each writes `count` of its kind. */
export const kManyThings: Readonly<Record<string, (add: Add, count: number) => void>> = {
  marks: (add, count) => {
    for (let n = 0; n < count; ++n) add(EventKind.mark, 0, 7, n, 0, 0);
  },
  /** All but the last have ended: 255 live at once at most. Each has a pool. */
  heaps: (add, count) => {
    for (let n = 0; n < count; ++n) {
      add(EventKind.heapCreated, 2, 4, kHeap, 8, 0);
      add(EventKind.poolCreated, 2, 1 + (n % kLivingPools), kPool, 8, 4);
      add(EventKind.poolDestroyed, 2, 1 + (n % kLivingPools), kPool, 0, 0);
      add(EventKind.heapDestroyed, 2, 0, kHeap, 0, 0);
    }
  },
  /** 60,000 live, those beyond have ended. */
  pools: (add, count) => {
    makeHeap(add);
    for (let n = 0; n < count - kLivingPools; ++n) {
      add(EventKind.poolCreated, 1, 1 + (n % kLivingPools), kPool, 8, 4);
      add(EventKind.poolDestroyed, 1, 1 + (n % kLivingPools), kPool, 0, 0);
    }
    for (let n = 1; n <= Math.min(count, kLivingPools); ++n) add(EventKind.poolCreated, 1, n, kPool, 8, 4);
  },
  threads: (add, count) => {
    makeHeap(add);
    for (let n = 1; n < count; ++n) add(EventKind.threadChanged, 0, 0, n + 1, n, 0);
  },
};

export function traceOf(write: (add: Add) => void): Trace {
  const trace = new Trace();
  write((kind, heap, detail, a, b, c) => trace.appendEvent(headOf(kind, heap, detail), a, b, c));
  return trace;
}

export function makeManyFile(
  write: (add: Add, count: number) => void,
  many: number,
): { file: ArrayBuffer; count: number } {
  const trace = traceOf((add) => write(add, many));
  return { file: encodeTraceFile(trace, 4, {}, { plain: true }), count: trace.count };
}

/** All that the page asks for at once. */
const kWhole: FrameRequest = {
  ...kNothing,
  heap: 1,
  ...wanting({ lists: { pool: 1 }, inspect: addr(kHeap), explain: true, caches: true, sizes: true, sites: true }),
  map: { origin: addr(0), rows: 32, columns: 768, bytesPerRow: bytes(4096) },
};

export interface ManyFigures {
  readonly what: string;
  readonly events: number;
  readonly loadMs: number;
  readonly frames: readonly number[]; // ms, each of all parts at a random event
}

export function measureMany(count: number, frames: number): ManyFigures[] {
  return Object.entries(kManyThings).map(([what, write]) => {
    const trace = traceOf((add) => write(add, count));
    const begun = performance.now();
    const session = Session.open(trace, 4, {});
    session.finishFile();
    const loadMs = performance.now() - begun;
    if (session.mismatch !== undefined) throw new Error(session.mismatch);
    const { below } = createRandom(kSeed);
    const timed = () => {
      const from = performance.now();
      const timeline = { from: seq(0), to: 'head', columns: 1400 } as const;
      makeFrame(session, { ...kWhole, timeline, at: { to: 'seq', seq: seq(below(trace.count)) } });
      return performance.now() - from;
    };
    for (let nth = 0; nth < 5; ++nth) timed(); // compiled by then
    return { what, events: trace.count, loadMs, frames: Array.from({ length: frames }, timed) };
  });
}
