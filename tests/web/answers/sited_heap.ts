// A heap made event by event, each block by a call site of its own name: for what an answer says of sites.

import { expect } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo } from '../../../web/src/protocol/answers.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { SiteWriter } from '../model/sited_trace.ts';

const kHeader = 8;

export class SitedHeap {
  readonly trace = new Trace();
  readonly #writer = new SiteWriter(this.trace);
  readonly #sizes = new Map<number, number>();
  readonly #free = new Map<number, number[]>(); // by size
  #top = 256;
  #model: Model | undefined;

  constructor() {
    this.#add(EventKind.heapCreated, 0, 0, 8);
    this.#add(EventKind.segmentAdded, 0, 0, 1 << 24);
  }

  /** The events that it writes end with the block's birth and one more. */
  allocate(site: string, bytes = 240): number {
    const at = this.#free.get(bytes)?.pop() ?? this.#top;
    if (at === this.#top) this.#top += bytes + 16;
    this.#sizes.set(at, bytes);
    this.#writer.enter(['main@a.c:1', site]);
    this.#add(EventKind.opBegun, Op.allocate, 0, bytes);
    this.#add(EventKind.blockAllocated, 0, at, bytes, kHeader);
    this.#add(EventKind.opEnded, Op.allocate, at, bytes);
    return at;
  }

  free(at: number): void {
    const bytes = this.#sizes.get(at) ?? 0;
    this.#free.set(bytes, [...(this.#free.get(bytes) ?? []), at]);
    this.#add(EventKind.opBegun, Op.deallocate, at, 0);
    this.#add(EventKind.blockFreed, 0, at, bytes, kHeader);
    this.#add(EventKind.opEnded, Op.deallocate, at, 0);
  }

  /** Blocks that come and go, until the trace has so many events. */
  churnTo(events: number): void {
    while (this.trace.count < events) this.free(this.allocate('churn@a.c:9'));
  }

  /** So many events in which nothing happens. */
  idle(events: number): void {
    for (let nth = 0; nth < events; ++nth) this.#add(EventKind.mark, 0, 0, 0);
  }

  leaked(event = this.trace.count): AnswerTo<'leaked'> {
    return answer({ model: this.model, event, heap: 0 }, { ask: 'leaked' }) as AnswerTo<'leaked'>;
  }

  /** Of all events; nothing can be added after. */
  get model(): Model {
    if (this.#model === undefined) {
      this.#model = new Model(this.trace);
      this.#model.history.fold();
      expect(this.#model.history.broken).toBeUndefined();
    }
    return this.#model;
  }

  #add(kind: EventKind, detail: number, a: number, b: number, c = 0): void {
    this.trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  }
}
