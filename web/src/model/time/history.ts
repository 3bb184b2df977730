// All that is known about the time of one trace: folded once at the head, asked from anywhere.
//
//   trace    ...| e | e | e | e | e | e | e |           events, as they come
//   head                                    ^ state     applied each exactly once, here
//   keyframes   ^           ^           ^               whole states, for seeks
//   lost, inUse, footprint, operations, marks           one pass, while the head moves
//
//   Y1  head.seq == folded: everything below it is known here; trace.count may be further ahead until fold() is called.
//   Y2  A keyframe is taken when interval() events have passed since the last: then the farthest replay of a seek, from
//       the nearer of two keyframes, is half of that. It goes by what the next one should take, as the last one of changes did: a
//       whole one is paid by the changes of its chain, which end it when they are as many bytes (keyframe_chain.ts, H2).
//   Y3  A barrier is a sequence number whose state did not come from the event before it: it was read from a walk, of a
//       snapshot in the trace (snapshot.ts) or of the real heap, or it is an older one again (kept_state.ts). A keyframe stands on every barrier.
//   Y7  Behind a loss the events are passed over, unapplied, up to the next snapshot. With stopsAtLoss the fold waits
//       there instead, for whoever has the heap itself to read the state from.
//
//   Over 300 lines: one pass, and a case for each list that it fills.

import { assertUnreachable } from '../../base/assert.ts';
import { GrowingUint32, LostColumn } from '../../base/growing.ts';
import { EventKind, kWalkEvent, Op } from '../../protocol/event_layout.ts';
import { isGrowth } from '../../trace/decode.ts';
import { OperationIndex } from '../../trace/operations.ts';
import { detailOf, heapOf, kEventWords, kSegmentBits, kSegmentEvents, type Trace } from '../../trace/trace.ts';
import { applyEvent } from '../state/apply.ts';
import { Contradiction, contradict } from '../state/contradiction.ts';
import { kReadAheadWords } from '../state/frame_table.ts';
import { HeapState } from '../state/heap_state.ts';
import { captureKeyframe, factBytes, type Keyframe, restoreKeyframe } from '../state/keyframe.ts';
import { kMemoryPage, reachOf } from '../state/memory_end.ts';
import type { Noted } from '../state/rule.ts';
import { kRuleOf } from '../state/rules.ts';
import { CallProof } from './call_proof.ts';
import { CheckpointProof, kPassedOver } from './checkpoint_proof.ts';
import { Handles } from './handles.ts';
import { KeptState } from './kept_state.ts';
import { KeyframeChain } from './keyframe_chain.ts';
import { MallocHistory } from './malloc_history.ts';
import { misuseAt } from './misuse.ts';
import { ownFrameAt } from './own_frames.ts';
import { Sites } from './sites.ts';
import { Snapshot } from './snapshot.ts';
import { StepSeries, TimeSeries } from './time_series.ts';

const kLeastInterval = 32_768;
const kGreatestInterval = 262_144;
const kKeyframeBytesPerEvent = 8; // beside 16 for the event itself

/** Where folding had to stop. */
export interface Break {
  readonly seq: number; // of the event that cannot be applied
  readonly text: string;
  /** What the program did wrong, where that is the cause and not the trace. */
  readonly misuse?: string | undefined;
}

export class History {
  readonly trace: Trace;
  readonly head = new HeapState();
  readonly operations = new OperationIndex();
  readonly lost = new LostColumn();
  readonly inUse = new TimeSeries();
  readonly footprint = new StepSeries();
  readonly memoryBytes = new StepSeries();
  readonly keyframes: Keyframe[] = [captureKeyframe(this.head)];
  readonly barriers = new GrowingUint32();
  /** Events that gave a heap memory, or asked for linear memory. */
  readonly growthSteps = new GrowingUint32();
  /** Events that are marks, without those of handles. */
  readonly marks = new GrowingUint32();
  readonly checkpoints = new GrowingUint32();
  /** Events that move nodes between a central list and a thread's cache, and those that change the acting thread. */
  readonly batches = new GrowingUint32();
  readonly threadChanges = new GrowingUint32();
  /** With the same index the thread that acts from there on: chunks ask in the order of addresses, not of events. */
  readonly threadsActing = new GrowingUint32();
  readonly malloc = new MallocHistory();
  readonly sites: Sites;
  readonly handles: Handles;
  readonly #chain = new KeyframeChain();
  readonly #keyframeEvery: number | undefined;
  #snapshotBegun: number | undefined; // its event, while one is open
  lostEvents = 0;
  /** The sequence number behind the last event from which on the state was not known: events_lost, or a reset to a copy that was not seen. 0: none. */
  lostAt = 0;
  /** Snapshots and checkpoints that agreed with the model: the sequence numbers behind them (snapshot.ts, S3). */
  readonly proofs = new GrowingUint32();
  /** The first that did not, in a sentence. Behind a snapshot the model goes on with what that says. */
  differs: Break | undefined;
  readonly checkpointProof = new CheckpointProof();
  /** What resets go back to. */
  readonly kept = new KeptState();
  readonly #callProof = new CallProof();
  /** Off where whoever folds walks the real heap itself. */
  comparesCheckpoints = true;
  /** The last checkpoint that was passed over, not compared. */
  passedOver: number | undefined;
  /** Y7; set by who reads the state from the heap itself. */
  stopsAtLoss = false;
  /** The fold stands behind an events_lost: it goes on when the state was read anew, see addBarrier(). */
  awaitsResync = false;
  /** Set when an event contradicts the state; the head stays before it for good. */
  broken: Break | undefined;

  /** keyframeEvery: events between two keyframes; undefined: as Y2 says. */
  constructor(trace: Trace, keyframeEvery?: number) {
    this.trace = trace;
    this.#keyframeEvery = keyframeEvery;
    this.sites = new Sites(trace);
    this.handles = new Handles(trace);
  }

  /** Applies what the trace has beyond the head, up to `limit` events. True when the head is at the end of the trace. */
  fold(limit = Number.POSITIVE_INFINITY): boolean {
    const end = Math.min(this.trace.count, this.head.seq + limit);
    while (this.head.seq < end && this.broken === undefined && !this.awaitsResync) {
      const segmentEnd = ((this.head.seq >>> kSegmentBits) + 1) * kSegmentEvents;
      const keyframeAt = this.#lastKeyframe().seq + this.#interval();
      this.operations.extend(this.trace, segmentEnd);
      this.#foldUpTo(Math.min(end, segmentEnd, Math.max(keyframeAt, this.head.seq + 1)));
      if (this.awaitsResync) break;
      const due = this.head.seq >= this.#lastKeyframe().seq + this.#interval();
      if (due && this.head.sliver === 0) this.keyframes.push(this.#chain.take(this.head));
    }
    this.operations.extend(this.trace); // the calls are known to the end, wherever the fold stops
    if (this.head.seq === this.trace.count) this.sites.learn(false);
    return this.head.seq === this.trace.count;
  }

  /** No more events are expected: what only the next keyframe would need is given back. */
  settle(): void {
    this.#chain.forget();
    this.sites.learn(true);
  }

  /** Says that the head's state was read from a walk just now: a barrier. */
  addBarrier(): void {
    this.awaitsResync = false;
    this.head.awaiting = false;
    this.#addBarrier(captureKeyframe(this.head));
  }

  /** pre: the keyframe is the head */
  #addBarrier(keyframe: Keyframe): void {
    this.#chain.forget(); // the state was restored
    this.barriers.push(this.head.seq);
    if (this.#lastKeyframe().seq === this.head.seq) this.keyframes.pop();
    this.keyframes.push(keyframe);
    this.footprint.set(this.head.seq, this.head.footprint);
  }

  #lastKeyframe(): Keyframe {
    return this.keyframes[this.keyframes.length - 1] as Keyframe; // there is one at 0 from the start
  }

  #interval(): number {
    if (this.#keyframeEvery !== undefined) return this.#keyframeEvery;
    const next = this.#chain.lastChangesBytes + factBytes(this.#lastKeyframe());
    const afford = next / kKeyframeBytesPerEvent;
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
        if (at % kReadAheadWords === 0) state.readAhead(words, at);
        const word = words[at] as number;
        const a = words[at + 1] as number;
        const b = words[at + 2] as number;
        const c = words[at + 3] as number;
        const kind = word & 0xff;
        const noted = kind <= kWalkEvent ? kRuleOf[kind]?.noted : 'snapshot';
        if (noted === 'site') this.sites.note(kind, state.seq);
        const recorded = noted === 'snapshot' ? this.#readSnapshot(kind) : undefined;
        if (noted === 'call' && !state.awaiting && !state.inSnapshot) this.#callProof.check(state, word, a, b, c);
        applyEvent(state, lost, word, a, b, c);
        if (recorded !== undefined) this.#goOnFrom(recorded);
        else if (noted === 'reset') this.#goBack(a);
        inUse.push(state.inUse);
        malloc.noteOccupied(state.seq - 1, state.inUse, state.cached);
        if (noted === undefined) continue;
        if ((state.awaiting || state.inSnapshot) && noted !== 'loss' && noted !== 'mark') continue;
        this.#note(noted, kind, word, a, b, c);
      }
    } catch (error) {
      if (!(error instanceof Contradiction) && !(error instanceof RangeError)) throw error;
      const misuse = misuseAt(this.trace, state.seq, state.wordSize, (event) => this.#siteOf(event));
      this.broken = { seq: state.seq, text: error.message, misuse };
    }
  }

  #siteOf(event: number): string | undefined {
    const frame = ownFrameAt(this.sites, this.sites.ofEvent(event, this.operations));
    return frame === '' ? undefined : frame.replace(/@(.*)$/, ' ($1)');
  }

  #noteCheckpoint(event: number): void {
    this.checkpoints.push(event);
    if (!this.comparesCheckpoints) return;
    const { trace, head } = this;
    const words = [trace.head(event), trace.a(event), trace.b(event)] as const;
    const wrong = this.checkpointProof.compare(head, trace.version, ...words);
    if (wrong === undefined) this.proofs.push(event + 1);
    else if (wrong === kPassedOver) this.passedOver = event;
    else this.differs ??= { seq: event, text: `at the checkpoint of event ${event} ${wrong}` };
  }

  /** Before the event is applied. The state to go on from, when it ends a snapshot that is not what the model has. */
  #readSnapshot(kind: number): Keyframe | undefined {
    const { seq, awaiting } = this.head;
    if (kind === EventKind.snapshotBegun) this.#snapshotBegun = seq;
    else if (this.#snapshotBegun === undefined && !awaiting) contradict('a part of a snapshot that was not begun');
    if (kind !== EventKind.snapshotEnded || this.#snapshotBegun === undefined) return undefined;
    const snapshot = new Snapshot(this.trace, this.#snapshotBegun, seq);
    this.#snapshotBegun = undefined;
    if (!awaiting && this.head.heaps.length > 0) {
      const text = snapshot.difference(this.head);
      if (text === undefined) {
        this.proofs.push(seq + 1);
        return undefined;
      }
      this.differs ??= { seq, text: `the snapshot of event ${seq} differs from the model: ${text}` };
    }
    return snapshot.keyframe(this.head);
  }

  #goOnFrom(snapshot: Keyframe): void {
    restoreKeyframe(this.head, snapshot);
    this.#addBarrier(snapshot);
  }

  /** event.P9. Where the copy is not known the state awaits a snapshot. */
  #goBack(number: number): void {
    this.#snapshotBegun = undefined;
    this.#callProof.noteReset();
    const keyframe = this.kept.goBack(this, number);
    if (keyframe !== undefined) this.#addBarrier(keyframe);
    else this.lostAt = this.head.seq;
  }

  /** One event, just applied, for the list that is of its kind. */
  #note(noted: Noted, kind: number, head: number, a: number, b: number, c: number): void {
    const event = this.head.seq - 1;
    switch (noted) {
      case 'memory':
        this.footprint.set(this.head.seq, this.head.footprint);
        if (isGrowth(kind)) this.growthSteps.push(event);
        if (kind === EventKind.memoryGrown) this.#noteGrowth(a, b);
        else if (kind === EventKind.memoryMoved) this.#noteMove(a, b);
        else this.#noteReach();
        break;
      case 'call':
        if (detailOf(head) === Op.mallocFlush) this.malloc.noteFlush(event, kind === EventKind.opBegun);
        break;
      case 'cached':
        this.malloc.note(event, kind, heapOf(head), detailOf(head), b, c);
        break;
      case 'batch':
        this.batches.push(event);
        break;
      case 'thread':
        this.threadChanges.push(event);
        this.threadsActing.push(a);
        break;
      case 'mark':
        if (!this.handles.note(event)) this.marks.push(event);
        break;
      case 'checkpoint':
        this.#noteCheckpoint(event);
        break;
      case 'loss':
        this.#noteLoss(event, a);
        break;
      case 'kept':
        this.kept.note(this.head.seq, a);
        break;
      case 'site':
      case 'reset':
      case 'snapshot': // read when they were applied
        break;
      default:
        assertUnreachable(noted);
    }
  }

  #noteGrowth(oldPages: number, newPages: number): void {
    const { seq } = this.head;
    const known = this.memoryBytes.at(seq) ?? Math.max(oldPages * kMemoryPage, reachOf(this.head));
    if (this.memoryBytes.at(seq) === undefined) this.memoryBytes.set(0, known);
    this.memoryBytes.set(seq, Math.max(known, newPages * kMemoryPage));
  }

  #noteMove(oldPages: number, newPages: number): void {
    const { seq } = this.head;
    if (this.memoryBytes.at(seq) === undefined) this.memoryBytes.set(0, Math.max(oldPages, newPages) * kMemoryPage);
    this.memoryBytes.set(seq, newPages * kMemoryPage);
  }

  /** memory.E2 */
  #noteReach(): void {
    const known = this.memoryBytes.at(this.head.seq);
    const reach = reachOf(this.head);
    if (known !== undefined && reach > known) this.memoryBytes.set(this.head.seq, reach);
  }

  #noteLoss(event: number, count: number): void {
    this.lostEvents += count;
    this.lostAt = event + 1;
    this.sites.noteLoss(event);
    this.#callProof.noteLoss();
    this.#snapshotBegun = undefined;
    this.awaitsResync = this.stopsAtLoss;
  }
}
