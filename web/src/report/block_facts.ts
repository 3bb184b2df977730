// All that is counted of the program's blocks while its calls are read: totals, the peak, sizes, lifetimes,
// temporaries, blocks that grew, and in the end what still lives.
//
//   X1  While no event is lost, and memory not set back: live blocks == allocated - freed, live bytes == allocated + resized - freed.
//   X2  A block is temporary when it is freed before `within` further allocations, a resize of another block counting as one:
//       heaptrack's definition for within = 1. A block's own resizes do not count: a list that grows and is freed is temporary.
//   X3  A block that a snapshot found, or a resize of a block that was not known, has no birth: it counts as live, in no lifetime, not as
//       allocated, and at no call site.
//   X4  A reset (event.P9) ends blocks without a free, and brings back others with the birth that they had: neither is a call, so neither
//       is in the totals.
//
//   Over 300 lines: one pass, in which each count needs the block that the others count.

import { GrownBlocks } from './grown_blocks.ts';
import type { CalledBlock } from './kept_blocks.ts';
import { kMostLive, kMostRows } from './limits.ts';
import { LiveBlocks } from './live_blocks.ts';
import { PowerHistogram } from './power_histogram.ts';
import type { CallSink } from './program_calls.ts';
import type { Leaks, Lifetimes, Sizes, Temporaries, Totals } from './report_types.ts';
import { type SiteEntry, SiteFacts } from './site_facts.ts';
import { SizeTable } from './size_table.ts';

export class BlockFacts implements CallSink {
  readonly blocks = new LiveBlocks();
  readonly sizes = new SizeTable();
  readonly grown = new GrownBlocks();
  readonly sites = new SiteFacts();
  liveBytes = 0;
  /** Greatest liveBytes, its place, and how many blocks there were. */
  peakBytes = 0;
  peakEvent = 0;
  peakBlocks = 0;
  lostEvents = 0;
  /** Blocks that are not followed, because too many live. */
  unfollowed = 0;
  /** Frees and resizes of an address inside their block. */
  inside = 0;
  /** Blocks that were held to be freed unseen, as others begin there. */
  replaced = 0;
  readonly #within: number;
  readonly #histogram = new PowerHistogram();
  readonly #byAllocations = new PowerHistogram();
  readonly #byBytes = new PowerHistogram();
  readonly #totals = {
    allocations: 0,
    allocated_bytes: 0,
    frees: 0,
    freed_bytes: 0,
    reallocations: 0,
    resized_bytes: 0,
    moved_reallocations: 0,
    moved_bytes: 0,
    failed_calls: 0,
    unknown_frees: 0,
  };
  #temporaries = 0;
  #temporaryBytes = 0;
  #youngest = 0; // address of the block allocated last, 0 when a resize came after it
  #site = 0; // row of the acting call's site
  #between: { readonly from: number; readonly to: number } | undefined;
  #sincePeak = 0; // greatest liveBytes since takePeak()

  constructor(within: number) {
    this.#within = within;
  }

  get totals(): Totals {
    return { ...this.#totals };
  }

  /** The greatest liveBytes since the last call of this. */
  takePeak(): number {
    const peak = this.#sincePeak;
    this.#sincePeak = this.liveBytes;
    return peak;
  }

  entered(site: number): void {
    this.#site = this.sites.rowOf(site);
  }

  allocated(address: number, request: number, usable: number, event: number, header: number): void {
    const totals = this.#totals;
    totals.allocations += 1;
    totals.allocated_bytes += request;
    this.#enter(address, request, usable + header, event, 0);
    this.#histogram.add(request, request);
    this.#youngest = address;
    this.#notePeak(event);
  }

  has(address: number): boolean {
    return this.blocks.at(address) !== undefined;
  }

  namedInside(): void {
    this.inside += 1;
  }

  freed(address: number, event: number, expected: boolean): void {
    const { blocks } = this;
    const slot = blocks.at(address);
    if (slot === undefined) {
      if (expected) this.#totals.unknown_frees += 1;
      return;
    }
    const request = blocks.request[slot] as number;
    this.#totals.frees += 1;
    this.#totals.freed_bytes += request;
    this.grown.freed(address, request, this.#youngestLive(), event);
    this.#leave(slot, request, event);
    blocks.remove(address);
  }

  resized(from: number, to: number, request: number, usable: number, event: number, header: number): void {
    const { blocks } = this;
    const totals = this.#totals;
    const slot = blocks.at(from);
    totals.reallocations += 1;
    this.#youngest = 0;
    if (slot === undefined) {
      this.#enter(to, request, usable + header, event, 1, 0); // X3
      this.#notePeak(event);
      return;
    }
    const old = blocks.request[slot] as number;
    if (to !== from) {
      this.#drop(to);
      totals.moved_reallocations += 1;
      totals.moved_bytes += Math.min(old, request);
      this.grown.moved(from, to, old, request, event);
    }
    blocks.move(from, to);
    blocks.request[slot] = request;
    blocks.bornAllocation[slot] = (blocks.bornAllocation[slot] as number) + 1; // X2
    this.sizes.leave(old, blocks.chunkBytes[slot] as number, false);
    blocks.chunkBytes[slot] = usable + header;
    this.sizes.enter(request, usable + header, false);
    this.sites.resize(blocks.site[slot] as number, old, request, event);
    this.liveBytes += request - old;
    totals.resized_bytes += request - old;
    this.#notePeak(event);
  }

  failed(): void {
    this.#totals.failed_calls += 1;
  }

  lost(count: number): void {
    this.lostEvents += count;
  }

  forgotten(): void {
    this.blocks.clear();
    this.sizes.forget();
    this.sites.forget();
    this.liveBytes = 0;
    this.#youngest = 0;
  }

  found(address: number, usable: number, event: number, header: number): void {
    this.#enter(address, usable, usable + header, event, 1, 0);
    this.#notePeak(event);
  }

  ended(address: number): void {
    this.#drop(address);
    this.#youngest = 0;
  }

  /** X4. Of its birth the event and the site are known; other allocations are counted from here. */
  revived({ address, request, usable, header, born, site, found }: CalledBlock, event: number): void {
    this.#enter(address, request, usable + header, event, 1, this.sites.rowOf(site));
    const slot = this.blocks.at(address);
    if (slot === undefined) return;
    this.blocks.bornEvent[slot] = born;
    this.blocks.found[slot] = found ? 1 : 0;
    this.#notePeak(event);
  }

  /** Now is the second of two marks: the blocks allocated behind `from` that live now are counted. */
  noteBetween(from: number, to: number): void {
    this.#between = { from, to };
    this.#countBetween(false);
  }

  /** By site; with `event` events read. */
  siteEntries(event: number): readonly SiteEntry[] {
    if (this.#between !== undefined) this.#countBetween(true);
    return this.sites.finish(event);
  }

  #countBetween(atEnd: boolean): void {
    const { blocks } = this;
    const { from, to } = this.#between ?? { from: 0, to: 0 };
    for (const [, slot] of blocks.entries()) {
      const born = blocks.bornEvent[slot] as number;
      if (born <= from || born > to || blocks.found[slot] === 1) continue;
      this.sites.between(blocks.site[slot] as number, blocks.request[slot] as number, atEnd);
    }
  }

  sizeFacts(): Sizes {
    return {
      histogram: this.#histogram.buckets(),
      distinct: this.sizes.distinct,
      most_frequent: this.sizes.rows((entry) => entry.allocations),
      most_bytes: this.sizes.rows((entry) => entry.bytes),
    };
  }

  lifetimeFacts(): Lifetimes {
    return {
      by_allocations: this.#byAllocations.buckets(),
      by_bytes: this.#byBytes.buckets(),
      never_freed: this.blocks.count,
    };
  }

  temporaryFacts(): Temporaries {
    const rows = this.sizes.top((entry) => entry.temporary);
    const { allocations } = this.#totals;
    return {
      within_allocations: this.#within,
      allocations: this.#temporaries,
      bytes: this.#temporaryBytes,
      share: allocations === 0 ? 0 : this.#temporaries / allocations,
      by_size: rows.map(({ request, temporary }) => ({ request_bytes: request, allocations: temporary })),
    };
  }

  leakFacts(): Leaks {
    const { blocks } = this;
    const made = this.#totals.allocations + this.#totals.reallocations;
    const bySize = new Map<number, { request_bytes: number; blocks: number; bytes: number }>();
    for (const [, slot] of blocks.entries()) {
      const request = blocks.request[slot] as number;
      const row = bySize.get(request) ?? { request_bytes: request, blocks: 0, bytes: 0 };
      row.blocks += 1;
      row.bytes += request;
      bySize.set(request, row);
    }
    const born = (slot: number) => blocks.bornEvent[slot] as number;
    const oldest = [...blocks.entries()].sort(([at, x], [other, y]) => born(x) - born(y) || at - other);
    return {
      blocks: blocks.count,
      bytes: this.liveBytes,
      by_size: [...bySize.values()].sort((x, y) => y.bytes - x.bytes || y.blocks - x.blocks).slice(0, kMostRows),
      oldest: oldest.slice(0, kMostRows).map(([address, slot]) => ({
        address,
        request_bytes: blocks.request[slot] as number,
        event: born(slot),
        age_allocations: made - (blocks.bornAllocation[slot] as number),
      })),
    };
  }

  #enter(address: number, request: number, chunk: number, event: number, found: 0 | 1, site = this.#site): void {
    const { blocks } = this;
    if (this.#drop(address) && found === 0) this.replaced += 1;
    if (blocks.count >= kMostLive) {
      this.unfollowed += 1;
      return;
    }
    const slot = blocks.add(address);
    blocks.request[slot] = request;
    blocks.chunkBytes[slot] = chunk;
    blocks.bornEvent[slot] = event;
    blocks.bornAllocation[slot] = this.#totals.allocations + this.#totals.reallocations;
    blocks.bornBytes[slot] = this.#totals.allocated_bytes;
    blocks.found[slot] = found;
    blocks.site[slot] = site;
    this.sites.enter(site, request, event, found === 0);
    this.sizes.enter(request, chunk, found === 0);
    this.liveBytes += request;
  }

  /** A block whose end is not in the trace: another one is at its place. */
  #drop(address: number): boolean {
    const slot = this.blocks.at(address);
    if (slot === undefined) return false;
    const request = this.blocks.request[slot] as number;
    this.sizes.leave(request, this.blocks.chunkBytes[slot] as number, false);
    this.sites.drop(this.blocks.site[slot] as number, request);
    this.liveBytes -= request;
    this.blocks.remove(address);
    this.grown.ended(address);
    return true;
  }

  #leave(slot: number, request: number, event: number): void {
    const { blocks } = this;
    this.liveBytes -= request;
    const isFound = blocks.found[slot] === 1;
    const made = this.#totals.allocations + this.#totals.reallocations;
    const between = made - (blocks.bornAllocation[slot] as number);
    const temporary = !isFound && between < this.#within;
    this.sizes.leave(request, blocks.chunkBytes[slot] as number, temporary);
    this.sites.free(blocks.site[slot] as number, request, event, temporary);
    if (isFound) return;
    this.#byAllocations.add(between, request);
    this.#byBytes.add(this.#totals.allocated_bytes - (blocks.bornBytes[slot] as number), request);
    if (!temporary) return;
    this.#temporaries += 1;
    this.#temporaryBytes += request;
  }

  #youngestLive(): { readonly at: number; readonly request: number } | undefined {
    const slot = this.#youngest === 0 ? undefined : this.blocks.at(this.#youngest);
    return slot === undefined ? undefined : { at: this.#youngest, request: this.blocks.request[slot] as number };
  }

  #notePeak(event: number): void {
    if (this.liveBytes > this.#sincePeak) this.#sincePeak = this.liveBytes;
    if (this.liveBytes <= this.peakBytes) return;
    this.sites.peaked();
    this.peakBytes = this.liveBytes;
    this.peakEvent = event;
    this.peakBlocks = this.blocks.count;
  }
}
