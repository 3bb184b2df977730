// What was allocated of each exact request size. The number of sizes counted apart is bounded (limits.ts): the blocks of
// further sizes count in the histogram only.

import { kMostRows, kMostSizes } from './limits.ts';
import type { SizeRow } from './report_types.ts';

export interface SizeEntry {
  readonly request: number;
  allocations: number;
  bytes: number;
  temporary: number;
  live: number;
  peakLive: number;
  /** Of the live blocks' chunks: headers and rounding included. Blocks of one request may have chunks of different sizes. */
  liveChunkBytes: number;
  /** The same when peakLive of them lived. */
  peakChunkBytes: number;
}

export class SizeTable {
  readonly #entries = new Map<number, SizeEntry>();

  get distinct(): number {
    return this.#entries.size;
  }

  /** A block of this size is live from now on; `born`: by a call that allocates. */
  enter(request: number, chunkBytes: number, born: boolean): void {
    let entry = this.#entries.get(request);
    if (entry === undefined) {
      if (this.#entries.size >= kMostSizes) return;
      entry = {
        request,
        allocations: 0,
        bytes: 0,
        temporary: 0,
        live: 0,
        peakLive: 0,
        liveChunkBytes: 0,
        peakChunkBytes: 0,
      };
      this.#entries.set(request, entry);
    }
    if (born) {
      entry.allocations += 1;
      entry.bytes += request;
    }
    entry.live += 1;
    entry.liveChunkBytes += chunkBytes;
    if (entry.live <= entry.peakLive) return;
    entry.peakLive = entry.live;
    entry.peakChunkBytes = entry.liveChunkBytes;
  }

  leave(request: number, chunkBytes: number, temporary: boolean): void {
    const entry = this.#entries.get(request);
    if (entry === undefined) return;
    entry.live -= 1;
    entry.liveChunkBytes -= chunkBytes;
    if (temporary) entry.temporary += 1;
  }

  /** No block is live. */
  forget(): void {
    for (const entry of this.#entries.values()) {
      entry.live = 0;
      entry.liveChunkBytes = 0;
    }
  }

  /** The sizes with the most of something, most first; those that have none are left out. */
  top(of: (entry: SizeEntry) => number, most = kMostRows): SizeEntry[] {
    const some = [...this.#entries.values()].filter((entry) => of(entry) > 0);
    return some.sort((x, y) => of(y) - of(x) || x.request - y.request).slice(0, most);
  }

  rows(of: (entry: SizeEntry) => number): SizeRow[] {
    return this.top(of).map(({ request, allocations, bytes, peakLive }) => ({
      request_bytes: request,
      allocations,
      bytes,
      peak_live_blocks: peakLive,
    }));
  }
}
