// A large trace in the engine, in Node: what it takes of memory, and how long loading, seeking and stepping take. Measured here,
// beside the engine, so that nothing but the engine is measured.

import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { createRandom } from '../../../web/src/base/random.ts';
import { Session } from '../../../web/src/engine/session.ts';
import { makeFrame } from '../../../web/src/engine/whole_frame.ts';
import { WholeQuestions } from '../../../web/src/engine/whole_questions.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import type { FrameRequest } from '../../../web/src/protocol/messages.ts';
import { kStanding } from '../../../web/src/protocol/question_words.ts';
import { headOf, kEventWords, kSegmentEvents, Trace } from '../../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { kNothing } from '../../web/engine/no_frame_parts.ts';

const kSeed = 3;
const kStep = 32; // bytes between blocks
const kBase = 0x10000;

/**
 * Calls of a program with `live` blocks: each is four events (op_begun, chunk_cached or chunk_reused, op_ended, bin_searched), so
 * that births, cached bytes and the counters all change. Blocks are made by one burst, and come and go at random.
 */
export function writeCalls(events: number, live: number, write: (records: Uint32Array) => void): void {
  const { below } = createRandom(kSeed);
  const waiting = new Uint32Array(kSegmentEvents * kEventWords);
  let count = 0;
  const size = live * kStep;
  const first = kBase + 12;
  const add = (kind: EventKind, detail: number, a: number, b: number, c: number) => {
    const at = (count++ % kSegmentEvents) * kEventWords;
    waiting[at] = headOf(kind, 1, detail);
    waiting[at + 1] = a;
    waiting[at + 2] = b;
    waiting[at + 3] = c;
    if (count % kSegmentEvents === 0) write(waiting);
  };
  add(EventKind.heapCreated, 4, kBase, 8, 0);
  add(EventKind.segmentAdded, 0, kBase, size + 16, first);
  const cached = new Uint8Array(live);
  const call = (made: number) => {
    const nth = below(made);
    const at = first + nth * kStep;
    const block = at + 4;
    const isFree = cached[nth] === 0;
    add(EventKind.opBegun, isFree ? 2 : 1, isFree ? block : 0, isFree ? 0 : kStep - 4, 0);
    if (isFree) add(EventKind.chunkCached, 3, at, kStep, 1);
    else add(EventKind.chunkReused, 3, at, kStep, kStep - 4);
    cached[nth] = isFree ? 1 : 0;
    add(EventKind.binSearched, 3, kStep, kStep, 0);
    add(EventKind.opEnded, isFree ? 2 : 1, isFree ? 0 : block, isFree ? 0 : kStep - 4, 0);
  };
  for (let made = 0; made < live; ) {
    const part = Math.min(2 ** 16, live - made);
    while (count + 2 ** 20 < made + part) call(made); // no more chunks of bursts than that (heap_state.ts, M8)
    const rest = live - made - part;
    if (rest > 0) add(EventKind.chunkSplit, 0, first + made * kStep, part * kStep, rest * kStep);
    add(EventKind.burstCarved, 0, first + made * kStep, kStep, part);
    made += part;
  }
  while (count < events) call(live);
  write(waiting.subarray(0, (count % kSegmentEvents) * kEventWords));
}

export function makeTrace(events: number, live: number): Trace {
  const trace = new Trace();
  writeCalls(events, live, (records) => trace.append(records));
  return trace;
}

/** The same as a file; plain, since packing takes longer than all that is measured. */
export const makeTraceFile = (events: number, live: number): ArrayBuffer =>
  encodeTraceFile(makeTrace(events, live), 4, {}, { plain: true });

const kLeastBlock = 64;
const kOctaves = 7; // blocks of the large heap: 64 B to 8 KiB, each octave as often

/** A heap of `size` bytes, filled with blocks of 1.6 KiB on average, that a program then uses. */
export function makeLargeHeap(size: number): Trace {
  const { below, unit } = createRandom(kSeed);
  const trace = new Trace();
  const add = (kind: EventKind, detail: number, a: number, b: number, c: number) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  add(EventKind.heapCreated, 4, kBase, 8, 0);
  add(EventKind.segmentAdded, 0, kBase, size + 16, kBase + 12);
  const places: number[] = [];
  for (let at = kBase + 12, rest = size; rest > 2 ** 14; ) {
    const block = Math.floor((kLeastBlock * 2 ** (unit() * kOctaves)) / 8) * 8;
    add(EventKind.chunkSplit, 0, at, block, rest - block);
    add(EventKind.burstCarved, 0, at, block, 1);
    places.push(at, block);
    at += block;
    rest -= block;
  }
  const cached = new Uint8Array(places.length / 2);
  for (let i = 0; i < cached.length; ++i) {
    const nth = below(cached.length);
    const [at = 0, block = 0] = [places[2 * nth], places[2 * nth + 1]];
    if (cached[nth] === 0) add(EventKind.chunkCached, 3, at, block, 1);
    else add(EventKind.chunkReused, 3, at, block, block - 4);
    cached[nth] = 1 - (cached[nth] ?? 0);
  }
  return trace;
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const held = () => {
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
};

export interface LargeFigures {
  readonly events: number;
  readonly blocks: number;
  readonly bytes: number; // of memory, after loading and one look back
  readonly most: number; // at any time until then
  readonly loadMs: number;
}

export function measureLarge(size: number): LargeFigures {
  const before = held();
  const trace = makeLargeHeap(size);
  const begun = performance.now();
  const session = Session.open(trace, 4, {});
  const most = held() - before;
  session.finishFile();
  const loadMs = performance.now() - begun;
  if (session.mismatch !== undefined) throw new Error(session.mismatch);
  makeFrame(session, { ...kNothing, at: { to: 'seq', seq: seq(trace.count - 1000) } });
  const bytes = held() - before;
  let blocks = 0;
  for (const count of session.model.head.state.largePageStarts) blocks += count;
  return { events: trace.count, blocks, bytes, most: Math.max(most, bytes), loadMs };
}

export interface Figures {
  readonly events: number;
  readonly bytesPerEvent: number;
  readonly keyframes: number;
  readonly loadMs: number;
  readonly seeks: readonly number[]; // ms
  readonly stepsBack: readonly number[];
  readonly frames: readonly number[];
  /** The number on each of the five questions, of a moment that is shown. */
  readonly numbers: Readonly<Record<string, readonly number[]>>;
}

export async function measure(events: number, live: number, count: number): Promise<Figures> {
  const before = held();
  const trace = makeTrace(events, live);
  const begun = performance.now();
  const session = Session.open(trace, 4, {});
  session.finishFile();
  const loadMs = performance.now() - begun;
  if (session.mismatch !== undefined) throw new Error(session.mismatch);
  const bytesPerEvent = (held() - before) / trace.count; // without the second state, which a first look back makes
  const { below } = createRandom(kSeed + 1);
  const timed = (at: number, frame: Partial<FrameRequest>) => {
    const from = performance.now();
    makeFrame(session, { ...kNothing, ...frame, at: { to: 'seq', seq: seq(at) } });
    return performance.now() - from;
  };
  const seeks = Array.from({ length: count }, () => timed(below(trace.count), {}));
  const middle = Math.floor(trace.count / 2);
  timed(middle, {});
  const stepsBack = Array.from({ length: count }, (_, nth) => timed(middle - nth, {}));
  const map = { origin: addr(0), rows: 32, columns: 768 };
  const frames = Array.from({ length: count }, (_, nth) =>
    timed(middle, { map: { ...map, bytesPerRow: bytes(2 ** (8 + (nth % 16))) } }),
  );
  const keyframes = session.model.history.keyframes.length;
  const numbers = await measureNumbers(session, Math.ceil(count / 10), below);
  return { events: trace.count, bytesPerEvent, keyframes, loadMs, seeks, stepsBack, frames, numbers };
}

async function measureNumbers(session: Session, count: number, below: (limit: number) => number) {
  const whole = new WholeQuestions();
  const numbers: Record<string, number[]> = {};
  for (let nth = 0; nth < count; ++nth) {
    const at = seq(below(session.head));
    makeFrame(session, { ...kNothing, at: { to: 'seq', seq: at } });
    for (const question of kStanding) {
      const from = performance.now();
      await whole.answer(session, { type: 'standing', question, at, heap: 1 }, async () => {});
      numbers[question.ask] = [...(numbers[question.ask] ?? []), performance.now() - from];
    }
  }
  return numbers;
}
