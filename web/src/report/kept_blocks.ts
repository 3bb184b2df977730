// Which blocks a reset ends, and which it brings back (event.P9, program_calls.ts J7).
//
//   all blocks now    | a | b | c'|   |        kept   | a |   | c | d |        ended b, c'; revived c, d
//
//   Y1  A block is the same when its record is: a resize makes a new one.

import type { CallSink } from './program_calls.ts';
import type { SlabPlaces } from './slab_places.ts';

export interface CalledBlock {
  readonly address: number;
  readonly request: number;
  readonly usable: number;
  readonly header: number;
  /** So many events lie before its birth was over, as CallSink has it. */
  readonly born: number;
  /** Of its birth; 0: not known. */
  readonly site: number;
  /** Its birth is not in the trace: a snapshot found it, or a resize. */
  readonly found: boolean;
}

/** The last copy of memory. */
export interface Copy {
  readonly blocks: KeptBlocks;
  /** Of whoever reads, without `blocks`. */
  readonly sink: CallSink;
  readonly number: number;
  /** As ProgramCalls has them. */
  readonly slabs: SlabPlaces;
}

/** Sees what another sink sees, before it. */
export class KeptBlocks implements CallSink {
  #live = new Map<number, CalledBlock>();
  #kept: ReadonlyMap<number, CalledBlock> = new Map();
  #site = 0;

  keep(): void {
    this.#kept = new Map(this.#live);
  }

  goBack(sink: CallSink, event: number): void {
    for (const [address, block] of this.#live) if (this.#kept.get(address) !== block) sink.ended(address, event);
    for (const [address, block] of this.#kept) if (this.#live.get(address) !== block) sink.revived(block, event);
    this.#live = new Map(this.#kept);
  }

  entered(site: number): void {
    this.#site = site;
  }

  allocated(address: number, request: number, usable: number, event: number, header: number): void {
    this.#live.set(address, { address, request, usable, header, born: event, site: this.#site, found: false });
  }

  has(address: number): boolean {
    return this.#live.has(address);
  }

  freed(address: number): void {
    this.#live.delete(address);
  }

  resized(from: number, to: number, request: number, usable: number, event: number, header: number): void {
    const block = this.#live.get(from);
    this.#live.delete(from);
    const known = block ?? { born: event, site: 0, found: true };
    this.#live.set(to, { ...known, address: to, request, usable, header });
  }

  failed(): void {}

  lost(): void {}

  forgotten(): void {
    this.#live.clear();
  }

  found(address: number, usable: number, event: number, header: number): void {
    this.#live.set(address, { address, request: usable, usable, header, born: event, site: 0, found: true });
  }

  ended(): void {}

  revived(): void {}
}

/** One sink that tells two, the first one first. */
export const toBoth = (one: CallSink, other: CallSink): CallSink => ({
  entered(...call) {
    one.entered?.(...call);
    other.entered?.(...call);
  },
  allocated(...call) {
    one.allocated(...call);
    other.allocated(...call);
  },
  has: (address) => other.has(address),
  namedInside: () => other.namedInside?.(),
  freed(...call) {
    one.freed(...call);
    other.freed(...call);
  },
  resized(...call) {
    one.resized(...call);
    other.resized(...call);
  },
  failed(...call) {
    one.failed(...call);
    other.failed(...call);
  },
  lost(...call) {
    one.lost(...call);
    other.lost(...call);
  },
  forgotten() {
    one.forgotten();
    other.forgotten();
  },
  found(...call) {
    one.found(...call);
    other.found(...call);
  },
  ended(...call) {
    one.ended(...call);
    other.ended(...call);
  },
  revived(...call) {
    one.revived(...call);
    other.revived(...call);
  },
});
