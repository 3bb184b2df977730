// All that is known about the time of one trace: folded once at the head, asked from anywhere.
//
//   trace    ...| e | e | e | e | e | e | e |           events, as they come
//   head                                    ^ state     applied each exactly once, here
//   keyframes   ^           ^           ^               whole states, for seeks
//   lost, inUse, footprint, operations, marks           one pass, while the head moves
//
//   Y1  head.seq == folded: everything below it is known here; trace.count may be further ahead until fold() is called.
//   Y2  A keyframe is taken when interval() events have passed since the last: then the farthest replay of a seek, from
//       the nearer of two keyframes, is half of that.
//   Y3  A barrier is a sequence number whose state did not come from the event before it: events were lost there and the
//       state was read from a walk. A keyframe stands on every barrier.

import { GrowingUint32, PagedUint32 } from '../base/growing.ts';
import { EventKind, Op } from '../protocol/event_layout.ts';
import { OperationIndex } from '../trace/operations.ts';
import { detailOf, heapOf, kEventWords, kSegmentBits, kSegmentEvents, type Trace } from '../trace/trace.ts';
import { applyEvent } from './apply.ts';
import { Contradiction } from './contradiction.ts';
import { HeapState } from './heap_state.ts';
import { captureKeyframe, type Keyframe, keyframeBytes } from './keyframe.ts';
import { MallocHistory } from './malloc_history.ts';
import { StepSeries, TimeSeries } from './time_series.ts';

const kLeastInterval = 65_536;
const kGreatestInterval = 262_144;
const kKeyframeBytesPerEvent = 8; // beside 16 for the event itself
const kMemoryPage = 65_536;

/** Where folding had to stop. */
export interface Break {
  readonly seq: number; // of the event that cannot be applied
  readonly text: string;
}

export class History {
  readonly trace: Trace;
  readonly head = new HeapState();
  readonly operations = new OperationIndex();
  readonly lost = new PagedUint32();
  readonly inUse = new TimeSeries();
  readonly footprint = new StepSeries();
  readonly memoryBytes = new StepSeries();
  readonly keyframes: Keyframe[] = [captureKeyframe(this.head)];
  readonly barriers = new GrowingUint32();
  /** Events that are marks. */
  readonly marks = new GrowingUint32();
  readonly checkpoints = new GrowingUint32();
  /** Events that move nodes between a central list and a thread's cache, and those that change the acting thread. */
  readonly batches = new GrowingUint32();
  readonly threadChanges = new GrowingUint32();
  readonly malloc = new MallocHistory();
  lostEvents = 0;
  /** The fold stands behind an events_lost: it goes on when the state was read anew, see addBarrier(). */
  awaitsResync = false;
  /** Set when an event contradicts the state; the head stays before it for good. */
  broken: Break | undefined;

  constructor(trace: Trace) {
    this.trace = trace;
  }

  /** Applies what the trace has beyond the head, up to `limit` events. True when the head is at the end of the trace. */
  fold(limit = Number.POSITIVE_INFINITY): boolean {
    this.operations.extend(this.trace);
    const end = Math.min(this.trace.count, this.head.seq + limit);
    while (this.head.seq < end && this.broken === undefined && !this.awaitsResync) {
      const segmentEnd = ((this.head.seq >>> kSegmentBits) + 1) * kSegmentEvents;
      const keyframeAt = this.#lastKeyframe().seq + this.#interval();
      this.#foldUpTo(Math.min(end, segmentEnd, Math.max(keyframeAt, this.head.seq + 1)));
      if (this.awaitsResync) break;
      if (this.head.seq >= keyframeAt && this.head.sliver === 0) this.keyframes.push(captureKeyframe(this.head));
    }
    return this.head.seq === this.trace.count;
  }

  /** Says that the head's state was read from a walk just now: a barrier. */
  addBarrier(): void {
    this.awaitsResync = false;
    this.barriers.push(this.head.seq);
    if (this.#lastKeyframe().seq === this.head.seq) this.keyframes.pop();
    this.keyframes.push(captureKeyframe(this.head));
    this.footprint.set(this.head.seq, this.head.footprint);
  }

  #lastKeyframe(): Keyframe {
    return this.keyframes[this.keyframes.length - 1] as Keyframe; // there is one at 0 from the start
  }

  #interval(): number {
    const afford = keyframeBytes(this.#lastKeyframe()) / kKeyframeBytesPerEvent;
    return Math.min(Math.max(afford, kLeastInterval), kGreatestInterval);
  }

  /** pre: the events up to `end` are in one segment */
  #foldUpTo(end: number): void {
    const { head: state, lost, inUse, malloc } = this;
    const words = this.trace.segment(state.seq >>> kSegmentBits);
    if (words === undefined) return;
    let at = (state.seq & (kSegmentEvents - 1)) * kEventWords;
    try {
      for (; state.seq < end && !this.awaitsResync; at += kEventWords) {
        const word = words[at] as number;
        const a = words[at + 1] as number;
        const b = words[at + 2] as number;
        const c = words[at + 3] as number;
        applyEvent(state, lost, word, a, b, c);
        inUse.push(state.inUse);
        malloc.noteOccupied(state.seq - 1, state.inUse, state.cached);
        const kind = word & 0xff;
        if (kind <= EventKind.segmentRemoved) this.#noteMemory(kind, a, b);
        else if (kind <= EventKind.opEnded) this.#noteFlush(kind, word);
        else if (kind >= EventKind.chunkCached && kind <= EventKind.cachedEnded) {
          malloc.note(state.seq - 1, kind, heapOf(word), detailOf(word), b, c);
        } else if (kind >= EventKind.batchFetched) this.#noteLate(kind, a);
      }
    } catch (error) {
      if (!(error instanceof Contradiction) && !(error instanceof RangeError)) throw error;
      this.broken = { seq: state.seq, text: error.message };
    }
  }

  #noteMemory(kind: number, oldPages: number, newPages: number): void {
    const { seq, footprint } = this.head;
    this.footprint.set(seq, footprint);
    if (kind !== EventKind.memoryGrown) return;
    if (this.memoryBytes.at(seq) === undefined) this.memoryBytes.set(0, oldPages * kMemoryPage);
    this.memoryBytes.set(seq, newPages * kMemoryPage);
  }

  #noteFlush(kind: number, head: number): void {
    if (detailOf(head) === Op.mallocFlush) this.malloc.noteFlush(this.head.seq - 1, kind === EventKind.opBegun);
  }

  #noteLate(kind: number, a: number): void {
    const event = this.head.seq - 1;
    if (kind === EventKind.batchFetched || kind === EventKind.batchStored) this.batches.push(event);
    else if (kind === EventKind.threadChanged) this.threadChanges.push(event);
    else if (kind === EventKind.mark) this.marks.push(event);
    else if (kind === EventKind.checkpoint) this.checkpoints.push(event);
    else if (kind === EventKind.eventsLost) {
      this.lostEvents += a;
      this.awaitsResync = true;
    }
  }
}
