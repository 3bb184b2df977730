// A snapshot in the trace (event.h, P6): the walk of every heap, as records between the events.
//
//   snapshot_begun (2 heaps) | snapshot_heap 1, n records | pools | w w ... | snapshot_heap 2 ... | snapshot_ended
//
//   S1  It is read at its end, as a whole: one that is not whole, or contradicts itself, is a Contradiction and changes
//       nothing. The state that it leads to walks to exactly its records.
//   S2  Behind a loss, or where the model knows no heap yet, it is the state from there on: a barrier (history.ts, Y3).
//   S3  Elsewhere it is a proof: the model must give the same records. What it gives is kept when it does.

import { EventKind, kWalkEvent } from '../../protocol/event_layout.ts';
import { detailOf, heapOf, kEventWords, kindOf, kSegmentBits, kSegmentEvents, type Trace } from '../../trace/trace.ts';
import { rulePool, shapePool } from '../state/blocks.ts';
import { contradict } from '../state/contradiction.ts';
import { makePool, type PoolEntry } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import { captureKeyframe, type Keyframe } from '../state/keyframe.ts';
import { WalkCompare } from '../state/walk_compare.ts';
import { stateFromWalks, type WalkedHeap } from '../state/walk_read.ts';

interface SnapshotHeap extends WalkedHeap {
  readonly first: number; // event of its first walk record
  readonly records: number;
}

export class Snapshot {
  readonly #trace: Trace;
  readonly #begun: number;
  readonly #ended: number;
  readonly #heaps: SnapshotHeap[] = [];
  readonly #pools: PoolEntry[] = [];

  /** begun, ended: the events of its ends. */
  constructor(trace: Trace, begun: number, ended: number) {
    this.#trace = trace;
    this.#begun = begun;
    this.#ended = ended;
    let at = begun + 1;
    while (at < ended) {
      const head = trace.head(at);
      if (kindOf(head) !== EventKind.snapshotHeap)
        contradict(`the snapshot of event ${begun} lacks a heap at event ${at}`);
      const heap = { id: heapOf(head), address: trace.a(at), alignment: detailOf(head), stateBytes: trace.c(at) };
      const records = trace.b(at);
      const first = this.#readPools(at + 1, heap.id);
      if (first + records > ended) contradict(`the snapshot of event ${begun} lacks records of heap ${heap.id}`);
      if (this.#heaps.some((it) => it.id === heap.id))
        contradict(`the snapshot of event ${begun} has heap ${heap.id} twice`);
      this.#heaps.push({ ...heap, first, records });
      at = first + records;
    }
    if (this.#heaps.length !== trace.a(begun)) {
      contradict(`the snapshot of event ${begun} has ${this.#heaps.length} heaps, not ${trace.a(begun)}`);
    }
  }

  /** Where the model differs; undefined when it gives the same records (S3). */
  difference(state: HeapState): string | undefined {
    const living = state.heaps.filter((heap) => heap.living).map((heap) => heap.id);
    const missing = living.find((id) => !this.#heaps.some((heap) => heap.id === id));
    if (missing !== undefined) return `heap ${missing} is not in it`;
    for (const heap of this.#heaps) {
      if (!living.includes(heap.id)) return `the model has no heap ${heap.id}`;
      const compare = new WalkCompare(state, heap.id);
      this.#visit(heap, (records) => compare.take(records));
      const difference = compare.finish();
      if (difference !== undefined) return `heap ${heap.id}, ${difference}`;
    }
    return undefined;
  }

  /** The state it tells, as a keyframe behind its end; `before` is the state there until now. */
  keyframe(before: HeapState): Keyframe {
    const head = this.#trace.head(this.#begun);
    const wordSize = detailOf(head);
    if (wordSize !== 4 && wordSize !== 8) contradict(`a word of ${wordSize} bytes is impossible`);
    const acting = Math.max(1, this.#trace.b(this.#begun));
    const recorded = { wordSize, heaps: this.#heaps, pools: this.#pools, acting, born: this.#ended } as const;
    const state = stateFromWalks(before, recorded, (heap, visit) => {
      const found = this.#heaps.find((it) => it.id === heap.id);
      if (found !== undefined) this.#visit(found, visit);
    });
    state.seq = this.#ended + 1;
    const wrong = this.difference(state);
    if (wrong !== undefined) contradict(`the snapshot of event ${this.#begun} contradicts itself: ${wrong}`);
    return captureKeyframe(state);
  }

  readonly #records = (pool: number): boolean => this.#pools.some((it) => it.id === pool);

  /** What the pools of a heap are, from event `at` on; the event behind. */
  #readPools(at: number, heap: number): number {
    const trace = this.#trace;
    let event = at;
    for (; event < this.#ended; ++event) {
      const head = trace.head(event);
      const kind = kindOf(head);
      const [a, b, c] = [trace.a(event), trace.b(event), trace.c(event)];
      if (kind === EventKind.poolCreated) {
        if (this.#records(detailOf(head)))
          contradict(`the snapshot of event ${this.#begun} has pool ${detailOf(head)} twice`);
        this.#pools.push(makePool(detailOf(head), heap, a, b, c, undefined));
      } else if (kind === EventKind.poolShaped || kind === EventKind.poolRuled) {
        const pool = this.#pools[this.#pools.length - 1];
        if (pool?.id !== detailOf(head)) contradict(`event ${event} shapes a pool that the snapshot does not make`);
        if (kind === EventKind.poolShaped) shapePool(pool, a, b, c);
        else rulePool(pool, a, b, c);
      } else break;
    }
    return event;
  }

  /** Its records as the walk gives them, in parts. */
  #visit(heap: SnapshotHeap, visit: (records: Uint32Array) => void): void {
    const end = heap.first + heap.records;
    for (let at = heap.first; at < end; ) {
      const stop = Math.min(end, ((at >>> kSegmentBits) + 1) * kSegmentEvents, at + 4096);
      const word = (at & (kSegmentEvents - 1)) * kEventWords;
      const records = (this.#trace.segment(at >>> kSegmentBits) ?? new Uint32Array(0)).slice(
        word,
        word + (stop - at) * kEventWords,
      );
      for (let i = 0; i < records.length; i += kEventWords) {
        const head = records[i] as number;
        if (kindOf(head) <= kWalkEvent)
          contradict(`event ${at + i / kEventWords} is no walk record, but in a snapshot`);
        records[i] = head - kWalkEvent;
      }
      visit(records);
      at = stop;
    }
  }
}
