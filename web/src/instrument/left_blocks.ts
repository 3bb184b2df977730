// What events that are kept no longer have left: the blocks that live, and what names their sites. It is restated in front of what
// is kept, so that a trace may begin, or go on, anywhere.
//
//   dropped events ─ take ─▶ blocks, definitions, size of memory ─ restated ─▶ events_lost n | an empty snapshot | definitions |
//                                                                             heap_created segment_added | an allocation a block
//
//   left.1  The empty snapshot ends what a reader knew (event.P6); behind it the heap is made anew, as it is now.
//   left.2  A block that lives is written as the allocation that it was, with its size, alignment and site, in the order of births. So it
//           counts as allocated there, although it was before.
//   left.3  Definitions are never forgotten: numbers of sites mean the same throughout a trace. Nor are marks before the heap: one says that
//           the trace is a sample. Of handles see record/left_handles.ts.
//   left.7  The blocks lie in order from the first free of an address on that is none of theirs (event.P10).
//   left.6  Behind a loss that no snapshot follows nothing is known, so it is restated last.

import { EventKind, Op, Status } from '../protocol/event_layout.ts';
import { makeLeftHandles } from '../record/left_handles.ts';
import { kBehindText } from '../trace/address_end.ts';
import { PlacedBlocks } from '../trace/placed_blocks.ts';
import { textOfRecords } from '../trace/texts.ts';
import { detailOf, headOf, kEventWords, kindOf } from '../trace/trace.ts';

interface Block {
  readonly nth: number; // of all births
  readonly op: number;
  readonly size: number;
  readonly alignment: number;
  readonly site: number; // 0: none
}

const kHeap = 1;
const kWordSize = 4; // a snapshot must say one

export class LeftBlocks {
  readonly #blocks = new Map<number, Block>();
  #placed: PlacedBlocks | undefined; // left.7
  readonly #definitions: Uint32Array[] = [];
  #handles = makeLeftHandles();
  #births = 0;
  #handleBirths = 0; // up to the last time that a handle was made or ended
  #texts: Uint32Array[] = []; // for the next event that takes them
  #heap: Uint32Array | undefined; // heap_created
  #end = 0; // of the segment
  #ended: Uint32Array[] = []; // why nothing is known any more: a mark, and what was lost
  #acting = 1;
  #site = 0;
  #op = 0;

  /** The records up to here end amid a call. */
  get isInside(): boolean {
    return this.#op !== 0 || this.#site !== 0 || this.#texts.length > 0;
  }

  take(records: Uint32Array): void {
    for (let at = 0; at < records.length; at += kEventWords) this.#take(records, at);
  }

  /** Only up to the end of the call that the records before began; the number of words taken. */
  takeToEnd(records: Uint32Array): number {
    let at = 0;
    for (; this.isInside && at < records.length; at += kEventWords) this.#take(records, at);
    return at;
  }

  copy(): LeftBlocks {
    const copy = new LeftBlocks();
    for (const [address, block] of this.#blocks) copy.#blocks.set(address, block);
    for (const definition of this.#definitions) copy.#definitions.push(definition);
    copy.#handles = this.#handles.copy();
    copy.#births = this.#births;
    copy.#handleBirths = this.#handleBirths;
    copy.#texts = [...this.#texts];
    copy.#heap = this.#heap;
    copy.#end = this.#end;
    copy.#ended = [...this.#ended];
    copy.#acting = this.#acting;
    copy.#site = this.#site;
    copy.#op = this.#op;
    return copy;
  }

  /** Calls in a steady state are four kinds of events; this runs inside the program's malloc. */
  #take(records: Uint32Array, at: number): void {
    const head = records[at] ?? 0;
    const a = records[at + 1] ?? 0;
    switch (kindOf(head) as EventKind) {
      case EventKind.opBegun:
        this.#op = detailOf(head);
        break;
      case EventKind.opEnded:
        this.#op = 0;
        this.#site = 0;
        break;
      case EventKind.blockAllocated: {
        const size = records[at + 2] ?? 0;
        const alignment = records[at + 3] ?? 0;
        this.#placed?.begin(a, size);
        this.#blocks.delete(a); // else it kept its place among the older ones
        this.#blocks.set(a, { nth: ++this.#births, op: this.#op, size, alignment, site: this.#site });
        break;
      }
      case EventKind.blockFreed:
        if (!this.#blocks.delete(a)) this.#freeAround(a);
        else this.#placed?.free(a);
        break;
      case EventKind.siteEntered:
        this.#site = a;
        break;
      case EventKind.text:
        this.#texts.push(records.slice(at, at + kEventWords));
        return; // the texts before it stay
      default:
        this.#takeRare(records.slice(at, at + kEventWords));
    }
    if (this.#texts.length > 0) this.#texts = [];
  }

  #takeRare(record: Uint32Array): void {
    const [head = 0, a = 0, b = 0, c = 0] = record;
    switch (kindOf(head) as EventKind) {
      case EventKind.stringDefined:
      case EventKind.siteDefined:
        this.#definitions.push(...this.#texts, record);
        break;
      case EventKind.mark:
        if (this.#takeHandle(record)) break;
        if (this.#heap === undefined) this.#definitions.push(...this.#texts, record);
        if (textOfRecords(this.#texts) === kBehindText) this.#ended.push(...this.#texts, record);
        break;
      case EventKind.heapCreated:
        this.#heap = record;
        break;
      case EventKind.segmentAdded:
        this.#end = b;
        break;
      case EventKind.segmentExtended:
        this.#end = c;
        break;
      case EventKind.threadChanged:
        this.#acting = a;
        break;
      case EventKind.eventsLost: // the call before it ends unseen
        this.#ended.push(record);
        this.#op = 0;
        this.#site = 0;
        break;
      case EventKind.snapshotBegun: // left.1, restated before
        this.#blocks.clear();
        this.#placed = undefined;
        this.#ended = [];
        this.#heap = undefined;
        break;
      default:
        break;
    }
  }

  /** left.7 */
  #freeAround(address: number): void {
    if (this.#placed === undefined) {
      this.#placed = new PlacedBlocks();
      for (const [begin, { size }] of this.#blocks) this.#placed.begin(begin, size);
    }
    const begin = this.#placed.free(address);
    if (begin !== undefined) this.#blocks.delete(begin);
  }

  #takeHandle(mark: Uint32Array): boolean {
    if (this.#texts.length === 0) return false;
    const isNew = (address: number) => (this.#blocks.get(address)?.nth ?? 0) > this.#handleBirths;
    const taken = this.#handles.take(this.#texts, mark, 0, isNew);
    if (taken === 'handle') this.#handleBirths = this.#births;
    return taken !== undefined;
  }

  /** Behind a loss of so many events; the loss is its first record. */
  restated(lost: number): Uint32Array {
    const heap = this.#heap;
    const records: number[] = [];
    const put = (kind: EventKind, detail: number, ...abc: readonly [number, number, number]) =>
      records.push(headOf(kind, kHeap, detail), ...abc);
    records.push(headOf(EventKind.eventsLost, 0), lost, 0, 0);
    records.push(headOf(EventKind.snapshotBegun, 0, kWordSize), 0, this.#acting, 0);
    records.push(headOf(EventKind.snapshotEnded, 0), 0, 0, 0);
    for (const definition of this.#definitions) records.push(...definition);
    if (heap !== undefined) {
      records.push(...heap);
      put(EventKind.segmentAdded, 0, 0, this.#end, 0);
    }
    for (const [address, { op, size, alignment, site }] of this.#blocks) {
      if (site !== 0) records.push(headOf(EventKind.siteEntered, 0), site, 0, 0);
      const written = op === Op.reallocate ? Op.allocate : op;
      put(EventKind.opBegun, written, 0, size, alignment);
      put(EventKind.blockAllocated, 0, address, size, alignment);
      put(EventKind.opEnded, written, address, size, Status.ok);
    }
    for (const record of this.#handles.before(Number.POSITIVE_INFINITY)) records.push(...record);
    for (const record of this.#ended) records.push(...record);
    return Uint32Array.from(records);
  }
}
