// What one trace tells about malloc over time, noted once while the head moves (history.ts).
//
//   Y4  occupied is in use and cached together: a chunk that goes from one to the other changes nothing in it. It begins with
//       the first chunk cached; before that it is what is in use, and costs nothing.
//   Y5  A flush is an operation that gave at least one cached chunk or one slab to the heap; it counts from its end on.
//   Y6  The sizes of a list are those seen on it anywhere in the trace: they are the allocator's, not a moment's.

import { GrowingUint32 } from '../../base/growing.ts';
import { EventKind } from '../../protocol/event_layout.ts';
import { TimeSeries } from './time_series.ts';

export interface ListSizes {
  readonly low: number;
  readonly high: number;
}

export class MallocHistory {
  /** Events that carried a cached chunk from one holder to another. */
  readonly moves = new GrowingUint32();
  /** Ends of flushes, ascending; with the same index their begins and how many chunks and slabs went back (Y5). */
  readonly flushEnds = new GrowingUint32();
  readonly flushBegins = new GrowingUint32();
  readonly flushChunks = new GrowingUint32();
  readonly flushSlabs = new GrowingUint32();
  readonly sizes = new Map<number, ListSizes>();
  /** The event that made the first slab of each list. */
  readonly firstSlabs = new Map<number, number>();
  /** Heap of the first cached chunk; undefined: the trace has none. */
  heap: number | undefined;
  /** Some chunk was on a central list. */
  hasCentral = false;
  readonly #occupied = new TimeSeries();
  #from: number | undefined; // Y4: the event with the first value
  #flush: { readonly begin: number; chunks: number; slabs: number } | undefined;

  /** One of malloc's events about its cache, just applied. */
  note(event: number, kind: number, heap: number, list: number, b: number, c: number): void {
    this.heap ??= heap;
    if (kind === EventKind.cachedMoved) {
      this.moves.push(event);
      if (b === 0 || c === 0) this.hasCentral = true;
      return;
    }
    if (kind === EventKind.cachedEnded && this.#flush !== undefined) this.#flush.chunks += 1;
    if (kind === EventKind.slabEnded && c > 0 && this.#flush !== undefined) this.#flush.slabs += 1;
    if (kind === EventKind.slabMade && !this.firstSlabs.has(list)) this.firstSlabs.set(list, event);
    const known = this.sizes.get(list);
    if (known === undefined) this.sizes.set(list, { low: b, high: b });
    else if (b < known.low || b > known.high) {
      this.sizes.set(list, { low: Math.min(b, known.low), high: Math.max(b, known.high) });
    }
  }

  noteFlush(event: number, begun: boolean): void {
    if (begun) {
      this.#flush = { begin: event, chunks: 0, slabs: 0 };
      return;
    }
    if (this.#flush !== undefined && this.#flush.chunks + this.#flush.slabs > 0) {
      this.flushEnds.push(event);
      this.flushBegins.push(this.#flush.begin);
      this.flushChunks.push(this.#flush.chunks);
      this.flushSlabs.push(this.#flush.slabs);
    }
    this.#flush = undefined;
  }

  /** Where the flush began that is under way after `now` events, one that gives something. */
  flushUnderWay(now: number): number | undefined {
    const ended = this.flushEnds.countBelow(now);
    const live =
      this.#flush !== undefined && this.#flush.chunks + this.#flush.slabs > 0 ? this.#flush.begin : undefined;
    const begin = ended < this.flushBegins.count ? this.flushBegins.at(ended) : live;
    return begin !== undefined && begin < now ? begin : undefined;
  }

  /** The bytes in use and cached after an event. */
  noteOccupied(event: number, inUse: number, cached: number): void {
    if (this.#from === undefined) {
      if (cached === 0) return;
      this.#from = event;
    }
    this.#occupied.push(inUse + cached);
  }

  /** Greatest number of bytes in use and cached at the sequence numbers [from, to]. O(log events). */
  occupiedMax(inUse: TimeSeries, from: number, to: number): number {
    const begin = this.#from;
    if (begin === undefined || to <= begin) return inUse.range(from, to)[1];
    const [, max] = this.#occupied.range(Math.max(0, from - begin), to - begin);
    return from <= begin ? Math.max(max, inUse.range(from, begin)[1]) : max;
  }
}
