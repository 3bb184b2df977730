// The program's calls, read from the events: which blocks it got, gave back and resized, each reported to a sink.
//
//   op_begun(allocate, 0, request, _)  ... inner events ...  op_ended(allocate, address, usable, status)
//   └ outermost: a call of the program; what lies inside is the allocator's own doing
//
//   J1  Most calls are known by their outermost op_begun and op_ended alone. A burst's blocks are known by burst_carved
//       and chunk_taken inside it; what a chain, a pool or a heap gives back as a whole by chunk_released and
//       node_returned.
//   J2  Outside every operation a node that its owner hands out, and a chunk that malloc reuses or caches, is a call by itself
//       (operations.ts, O3).
//   J3  free(NULL) and a block that stays with its thread leave no event, so they are not counted.
//   J4  Behind lost events the blocks are what the next snapshot says: a chunk in use that holds neither a pool nor a pool's block, or
//       a node in use. Without a loss a snapshot is a proof and changes nothing.
//       Before that snapshot no burst is believed: nothing proves its count, and one event can name four thousand million blocks.
//   J7  Behind a reset the blocks are those of the copy (event.P9): `ended` says which are gone, `revived` which are back. Which they are is
//       known by a second list of all blocks, from the first state_kept on (kept_blocks.ts).
//   J8  A free or resize of an address inside a block of a foreign heap is of that block (event.P10). Which one it is in is known by a second
//       list of all blocks, read from the begin when the sink first has no block of an address.
//   J6  A realloc to no bytes that succeeds and gives no block, as some allocators have it, is a free.
//   J5  A call has the site that was entered since the call before it (model/time/sites.ts, T5).
//   Over 300 lines: one switch over the kinds of events, and what each case does.

import { CommandFlag, EventKind, kWalkEvent, Op, Status, Trial, WalkKind } from '../protocol/event_layout.ts';
import { triedAndWorked } from '../trace/decode.ts';
import { ForeignFrees } from '../trace/placed_blocks.ts';
import { detailOf, kEventWords, kindOf, kSegmentBits, kSegmentEvents, type Trace } from '../trace/trace.ts';
import { type CalledBlock, type Copy, KeptBlocks, toBoth } from './kept_blocks.ts';
import { SlabPlaces } from './slab_places.ts';

/** Blocks of the small front beyond its classes: chunks, aligned so. No node is, as its span begins there. */
export const kLargeAlignment = 65_536;

/** event: so many events lie before the moment, the call's last event being one of them. */
export interface CallSink {
  /** The calls from here on come from this site; 0: not known. */
  entered?(site: number): void;
  /** header: bytes before the block that are its own: a chunk's header; 0: a node, which has none. */
  allocated(address: number, request: number, usable: number, event: number, header: number): void;
  /** A block begins there. Asked in foreign heaps only. */
  has(address: number): boolean;
  /** The next free or resize names an address inside its block (J8). */
  namedInside?(): void;
  /** expected: the block should be known; else it may be one of a pool's or heap's own. */
  freed(address: number, event: number, expected: boolean): void;
  /** From one address to another, or where it was. */
  resized(from: number, to: number, request: number, usable: number, event: number, header: number): void;
  failed(op: number, request: number, event: number): void;
  lost(count: number): void;
  /** What was live is unknown from here on; found() says what there is. */
  forgotten(): void;
  found(address: number, usable: number, event: number, header: number): void;
  /** The block is gone, and nobody freed it: memory was set back. All that ended come before all that are revived. */
  ended(address: number, event: number): void;
  /** The block is there again, as it was. */
  revived(block: CalledBlock, event: number): void;
}

// Operations that give back many chunks or nodes at once, or what they had got before they failed.
const kFreeChunks: readonly number[] = [Op.burstDeallocate, Op.burstNodes, Op.burstArrays, Op.heapDestroy];
const kFreeNodes: readonly number[] = [Op.poolBurstDeallocate, Op.poolBurst, Op.poolDestroy, Op.heapDestroy];

export class ProgramCalls {
  readonly #trace: Trace;
  #sink: CallSink;
  readonly #nodeSizes = new Map<number, number>(); // by pool
  #wordSize: number;
  #seq = 0;
  #depth = 0;
  // of the outermost operation
  #op = 0;
  #address = 0;
  #request = 0;
  #argument = 0;
  #site = 0; // J5
  #entered = 0; // site of the next one
  #isNew = false; // a command's block is not the one to reuse
  // of a snapshot that is read (J4)
  #forgot = false; // events were lost since the last one
  #reading = false;
  #slabs = new SlabPlaces();
  readonly #pools = new Set<number>(); // addresses of those that it names
  #chunk = 0; // the chunk in use before, reported when the next record shows that it holds no block; 0: none
  #chunkSize = 0;
  #copy: Copy | undefined; // J7
  #frees: ForeignFrees | undefined; // J8
  #inside: { address: number; block: number | undefined } | undefined; // the last of them that no block begins at

  constructor(trace: Trace, wordSize: number, sink: CallSink) {
    this.#trace = trace;
    this.#wordSize = wordSize;
    this.#sink = sink;
  }

  /** The call whose blocks the sink gets. op: 0 of one that is a single event (J2). argument: as its op_begun says. */
  get current(): { readonly op: number; readonly argument: number } {
    return { op: this.#op, argument: this.#argument };
  }

  /** Reads the events up to sequence number `end`. */
  readTo(end: number): void {
    const stop = Math.min(end, this.#trace.count);
    while (this.#seq < stop) {
      const words = this.#trace.segment(this.#seq >>> kSegmentBits);
      if (words === undefined) return;
      const last = Math.min(stop, ((this.#seq >>> kSegmentBits) + 1) * kSegmentEvents);
      let at = (this.#seq & (kSegmentEvents - 1)) * kEventWords;
      for (; this.#seq < last; at += kEventWords) {
        this.#seq += 1;
        const head = words[at] as number;
        this.#read(head, words[at + 1] as number, words[at + 2] as number, words[at + 3] as number);
      }
    }
  }

  #read(head: number, a: number, b: number, c: number): void {
    const kind: number = kindOf(head);
    switch (kind) {
      case EventKind.opBegun:
        if (this.#depth++ === 0) this.#begin(detailOf(head), a, b, c);
        break;
      case EventKind.opEnded:
        if (this.#depth > 0 && --this.#depth === 0) {
          this.#end(detailOf(head), a, b, c);
          this.#op = 0;
        }
        break;
      case EventKind.commandTried:
        if (triedAndWorked(head, Trial.allocateNew)) this.#isNew = true;
        break;
      case EventKind.chunkTaken:
        if (this.#isBurst()) this.#chunkTaken(a, b, c);
        break;
      case EventKind.burstCarved:
        if (this.#isBurst() && !this.#forgot) this.#carved(a, b, c);
        break;
      case EventKind.chunkReleased:
        if (this.#depth > 0 && kFreeChunks.includes(this.#op)) {
          this.#sink.freed(a + this.#wordSize, this.#seq, this.#op !== Op.heapDestroy);
        }
        break;
      case EventKind.nodeTaken:
        if (this.#depth === 0) this.#takeSite();
        if (this.#depth === 0 || this.#op === Op.poolBurst) {
          const size = this.#nodeSizes.get(detailOf(head)) ?? 0;
          this.#sink.allocated(a, size, size, this.#seq, 0);
        }
        break;
      case EventKind.nodeReturned:
        if (this.#depth === 0) this.#takeSite();
        if (this.#depth === 0 || kFreeNodes.includes(this.#op)) this.#sink.freed(a, this.#seq, true);
        break;
      case EventKind.chunkReused:
        if (this.#depth > 0) break;
        this.#takeSite();
        this.#chunkTaken(a, b, c);
        break;
      case EventKind.chunkCached:
        if (this.#depth > 0) break;
        this.#takeSite();
        this.#sink.freed(a + this.#wordSize, this.#seq, true);
        break;
      case EventKind.slabMade:
        this.#slabs.note(a, b, c, this.#wordSize, true);
        break;
      case EventKind.slabEnded:
        this.#slabs.note(a, b, c, this.#wordSize, false);
        break;
      case EventKind.heapCreated:
        this.#wordSize = detailOf(head);
        break;
      case EventKind.poolCreated:
        this.#nodeSizes.set(detailOf(head), b);
        if (this.#reading) this.#pools.add(a);
        break;
      case EventKind.siteEntered:
        this.#entered = a;
        break;
      case EventKind.eventsLost:
        this.#forgot = true;
        this.#depth = 0;
        this.#entered = 0;
        this.#sink.lost(a);
        break;
      case EventKind.snapshotBegun:
        this.#beginSnapshot();
        break;
      case EventKind.stateKept:
        if (!this.#forgot) this.#keep(a);
        break;
      case EventKind.stateReset:
        this.#goBack(a);
        break;
      case EventKind.snapshotEnded:
        this.#recordChunk();
        this.#reading = false;
        break;
      default:
        if (kind >= kWalkEvent && this.#reading) this.#readWalk(kind - kWalkEvent, a, b);
    }
  }

  #begin(op: number, address: number, request: number, argument: number): void {
    this.#takeSite();
    this.#op = op;
    this.#address = address;
    this.#request = request;
    this.#argument = argument;
    this.#isNew = false;
  }

  #takeSite(): void {
    const site = this.#entered;
    this.#entered = 0;
    if (site === this.#site) return;
    this.#site = site;
    this.#sink.entered?.(site);
  }

  #end(op: number, address: number, usable: number, status: number): void {
    switch (op) {
      case Op.allocate:
      case Op.allocateZeroed:
      case Op.allocateAligned:
      case Op.smallAllocate:
      case Op.poolAllocate:
        this.#got(address, this.#request, usable);
        break;
      case Op.deallocate:
      case Op.smallDeallocate:
      case Op.poolDeallocate:
        if (this.#address !== 0) this.#sink.freed(this.#blockOf(this.#address), this.#seq, true);
        break;
      case Op.reallocate:
        if (this.#address === 0) this.#got(address, this.#request, usable);
        else if (address === 0 && status === Status.ok)
          this.#sink.freed(this.#blockOf(this.#address), this.#seq, true); // J6
        else this.#kept(address, this.#request, usable);
        break;
      case Op.command:
        if ((this.#argument & CommandFlag.tryShrinkInPlace) !== 0) break;
        if (this.#isNew || this.#address === 0) this.#got(address, Math.min(this.#request, usable), usable);
        else this.#kept(address, Math.min(this.#request, usable), usable);
        break;
      case Op.burstNodes:
      case Op.burstArrays:
      case Op.poolBurst:
        if (address === 0) this.#sink.failed(op, this.#request, this.#seq);
        break;
      default:
        break;
    }
  }

  #got(address: number, request: number, usable: number): void {
    if (address === 0) this.#sink.failed(this.#op, this.#request, this.#seq);
    else this.#sink.allocated(address, request, usable, this.#seq, this.#isNode(address) ? 0 : this.#headerOf(address));
  }

  #kept(address: number, request: number, usable: number): void {
    if (address === 0) this.#sink.failed(this.#op, this.#request, this.#seq);
    else {
      this.#sink.resized(this.#blockOf(this.#address), address, request, usable, this.#seq, this.#headerOf(address));
    }
  }

  /** J8. Of the address that the call names. */
  #blockOf(address: number): number {
    if (this.#wordSize !== 0 || this.#sink.has(address)) return address;
    this.#frees ??= new ForeignFrees(this.#trace, (freed, _, block) => {
      this.#inside = block === freed ? undefined : { address: freed, block };
    });
    this.#frees.readTo(this.#seq);
    const block = this.#inside?.address === address ? this.#inside.block : undefined;
    if (block === undefined || !this.#sink.has(block)) return address;
    this.#sink.namedInside?.();
    return block;
  }

  #chunkTaken(chunk: number, size: number, request: number): void {
    const address = chunk + this.#wordSize;
    const header = this.#headerOf(address);
    this.#sink.allocated(address, request, Math.max(0, size - header), this.#seq, header);
  }

  #headerOf(block: number): number {
    return this.#slabs.has(block) ? 0 : this.#wordSize;
  }

  #isNode(address: number): boolean {
    return this.#op === Op.poolAllocate || (this.#op === Op.smallAllocate && address % kLargeAlignment !== 0);
  }

  #isBurst(): boolean {
    return this.#depth > 0 && (this.#op === Op.burstNodes || this.#op === Op.burstArrays);
  }

  #carved(chunk: number, size: number, count: number): void {
    const request = this.#op === Op.burstNodes ? this.#request : size - this.#wordSize;
    for (let i = 0; i < count; ++i) {
      this.#chunkTaken(chunk + i * size, size, request);
    }
  }

  #beginSnapshot(): void {
    this.#reading = this.#forgot || this.#seq === 1;
    this.#forgot = false;
    if (!this.#reading) return;
    this.#slabs.clear();
    this.#pools.clear();
    this.#sink.forgotten();
  }

  #keep(number: number): void {
    const { blocks, sink } = this.#copy ?? this.#follow();
    blocks.keep();
    this.#copy = { blocks, sink, number, slabs: this.#slabs.copy() };
  }

  /** A second list of the blocks, from the beginning. */
  #follow(): Pick<Copy, 'blocks' | 'sink'> {
    const blocks = new KeptBlocks();
    new ProgramCalls(this.#trace, this.#wordSize, blocks).readTo(this.#seq - 1);
    const sink = this.#sink;
    this.#sink = toBoth(blocks, sink);
    return { blocks, sink };
  }

  #goBack(number: number): void {
    this.#depth = 0;
    this.#entered = 0;
    const copy = this.#copy;
    this.#forgot = copy?.number !== number; // as behind a loss
    if (copy === undefined || this.#forgot) return;
    this.#slabs = copy.slabs.copy();
    copy.blocks.goBack(copy.sink, this.#seq);
  }

  /** J4. One record of a snapshot that is read. */
  #readWalk(kind: number, address: number, size: number): void {
    if (kind === WalkKind.block) this.#chunk = 0;
    this.#recordChunk();
    const block = address + this.#wordSize;
    if (kind === WalkKind.slabBlockInUse || kind === WalkKind.slabBlockFree) this.#slabs.noteBlock(block);
    if (kind === WalkKind.slabBlockInUse) this.#sink.found(block, size, this.#seq, 0);
    else if (kind === WalkKind.chunkInUse) {
      this.#chunk = address;
      this.#chunkSize = size;
    } else if (kind === WalkKind.nodeInUse) this.#sink.found(address, size, this.#seq, 0);
  }

  #recordChunk(): void {
    if (this.#chunk === 0) return;
    const header = this.#wordSize;
    const block = this.#chunk + header;
    if (!this.#pools.has(block)) this.#sink.found(block, this.#chunkSize - header, this.#seq, header);
    this.#chunk = 0;
  }
}
