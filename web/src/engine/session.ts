// What the engine has open: a trace with its model, and (while it is live) the module that writes it.
//
//   N1  Everything that comes out of the ring goes through append() and lost(). A loss becomes one event, which counts
//       with what was overwritten the rest of that drain too: without the state before it, it cannot be applied.
//   N2  After a loss the model is read anew from a walk of the real heaps; without a module it waits for a snapshot in
//       the trace.
//   N3  verify() compares every living heap's real walk with the model at the head; a heap's address in its first event
//       is the pointer to it. verified holds each sequence number
//       at which all were equal.
//   N4  Without a heap the checkpoints and snapshots of the trace prove the model, each compared where the fold passes it. Of
//       those that the fold had to pass over (checkpoint_proof.ts, V1) the last is compared here.

import { type Seq, seq } from '../base/brand.ts';
import type { HeapEntry } from '../model/state/entries.ts';
import { WalkCompare } from '../model/state/walk_compare.ts';
import { readStateFromWalks } from '../model/state/walk_read.ts';
import { checkpointDifference } from '../model/time/checkpoint_proof.ts';
import type { Break } from '../model/time/history.ts';
import { Model } from '../model/time/model.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { addressEnd } from '../trace/address_end.ts';
import { headOf, kEventWords, Trace } from '../trace/trace.ts';
import type { TraceNotes } from '../trace/trace_file.ts';
import type { HeapCalls } from '../wasm/heap_calls.ts';
import type { LiveModule } from '../wasm/live_module.ts';
import type { EventSink } from '../wasm/ring.ts';
import { readWalk } from '../wasm/walk_reader.ts';

const kWordSize = 4; // of a live module: wasm32

export interface Live {
  readonly module: LiveModule;
  readonly calls: HeapCalls;
}

export class Session implements EventSink {
  readonly model: Model;
  readonly wordSize: 4 | 8;
  readonly notes: TraceNotes;
  readonly verified: Seq[] = [];
  mismatch: string | undefined;
  /** What is not there of the file, in words; undefined when it is whole. */
  damage: string | undefined;
  isTrace = true; // false: what was opened is another file
  #live: Live | undefined;
  #lost = 0; // events since the last update that are not in the trace
  #lastCompared: number | undefined; // N4
  #proofsSeen = 0;

  private constructor(trace: Trace, wordSize: 4 | 8, notes: TraceNotes) {
    this.model = new Model(trace);
    this.wordSize = wordSize;
    this.notes = notes;
  }

  /** A running module, started so that its events come here. */
  static async start(notes: TraceNotes, start: (sink: EventSink) => Promise<Live>): Promise<Session> {
    const session = new Session(new Trace(), kWordSize, notes);
    session.#live = await start(session);
    session.model.history.stopsAtLoss = true;
    session.model.history.comparesCheckpoints = false; // N3
    session.update();
    return session;
  }

  /** A trace without its heap. */
  static open(trace: Trace, wordSize: 4 | 8, notes: TraceNotes): Session {
    const session = new Session(trace, wordSize, notes);
    session.update();
    return session;
  }

  /** The module that writes the trace; undefined for a file. */
  get live(): Live | undefined {
    return this.#live;
  }

  append(records: Uint32Array): void {
    if (this.#lost === 0) this.model.trace.append(records);
    else this.#lost += records.length / kEventWords;
  }

  lost(count: number): void {
    this.#lost += count;
  }

  /** Takes what the module wrote and brings the model to the head of the trace, or `limit` events nearer to it. */
  update(limit = Number.POSITIVE_INFINITY): void {
    this.#fold(limit);
    if (this.live !== undefined) return;
    this.#noteProofs();
    this.#compareLastCheckpoint();
  }

  /** Of a file that is still being read: `limit` events nearer to the head. finishFile() follows the last. */
  foldSlice(limit: number): void {
    this.#fold(limit);
  }

  /** All of the file was read: compares what is left to compare (N4), and gives back what only more events would need. */
  finishFile(): void {
    this.update();
    this.model.history.settle();
  }

  #fold(limit: number): void {
    this.live?.module.drain();
    if (this.#lost > 0) {
      this.model.trace.appendEvent(headOf(EventKind.eventsLost, 0), this.#lost, 0, 0);
      this.#lost = 0;
    }
    const { history } = this.model;
    history.fold(limit);
    if (history.awaitsResync) this.#resync();
    this.mismatch ??= history.differs?.text ?? whatBroke(history.broken); // in this order: nothing behind the broken event is read
  }

  /** Why the model stands still though events come; undefined when it does not. */
  get waiting(): string | undefined {
    if (!this.model.head.state.awaiting) return undefined;
    const end = addressEnd(this.model.trace);
    if (end !== undefined) return end;
    const { history, trace } = this.model;
    const what =
      trace.kind(history.lostAt - 1) === EventKind.stateReset
        ? 'memory was set back to a copy that is not in this trace'
        : 'events were lost';
    return `${what}, and no snapshot follows yet: the heap is shown as it was before`;
  }

  /** Whether events are written that the model has not seen. */
  get behind(): boolean {
    const { history, trace } = this.model;
    return history.head.seq < trace.count && history.broken === undefined;
  }

  /** As the model knows them: programs make heaps too. */
  get livingHeaps(): readonly HeapEntry[] {
    return this.model.head.state.livingHeaps();
  }

  get head(): Seq {
    return seq(this.model.history.head.seq);
  }

  /** Walks the real heaps; what differs from the model, undefined when nothing does. pre: live and not dead */
  verify(): string | undefined {
    this.update();
    const { live } = this;
    if (live === undefined || this.mismatch !== undefined) return this.mismatch;
    const { state } = this.model.head;
    for (const { id, address } of this.livingHeaps) {
      const compare = new WalkCompare(state, id);
      readWalk(live.module, address, (records) => compare.take(records));
      const difference = compare.finish();
      if (difference !== undefined) this.mismatch = `heap ${id}, ${difference}`;
    }
    if (this.mismatch === undefined) this.#noteVerified(this.head);
    return this.mismatch;
  }

  #noteProofs(): void {
    const { proofs } = this.model.history;
    for (; this.#proofsSeen < proofs.count; ++this.#proofsSeen) this.#noteVerified(seq(proofs.at(this.#proofsSeen)));
  }

  #noteVerified(at: Seq): void {
    if (at > (this.verified[this.verified.length - 1] ?? -1)) this.verified.push(at);
  }

  /** N4 */
  #compareLastCheckpoint(): void {
    const { passedOver } = this.model.history;
    const { trace } = this.model;
    if (passedOver === undefined || passedOver === this.#lastCompared || this.mismatch !== undefined) return;
    this.#lastCompared = passedOver;
    const { state } = this.model.at(passedOver + 1); // the checkpoint itself changes nothing, and the head costs no seek
    const words = [trace.head(passedOver), trace.a(passedOver), trace.b(passedOver)] as const;
    const wrong = checkpointDifference(state, trace.version, ...words);
    if (wrong === undefined) this.#noteVerified(seq(passedOver + 1));
    else this.mismatch = `at the checkpoint of event ${passedOver} ${wrong}`;
  }

  /** N2 */
  #resync(): void {
    const { history } = this.model;
    const { live } = this;
    if (live === undefined) return;
    if (live.module.death !== undefined) {
      history.broken = {
        seq: history.head.seq,
        text: 'events were lost here, and there is no heap to read the state from',
      };
      return;
    }
    const heaps = live.calls.heaps.map((id) => ({ id, address: live.calls.heapPointer(id) ?? 0 }));
    const acting = live.module.call((functions) => functions.hg_thread_number());
    readStateFromWalks(history.head, this.wordSize, heaps, acting, ({ address }, visit) =>
      readWalk(live.module, address, visit),
    );
    history.addBarrier();
  }
}

function whatBroke(broken: Break | undefined): string | undefined {
  if (broken === undefined) return undefined;
  return broken.misuse ?? `event ${broken.seq} does not fit the model: ${broken.text}`;
}
