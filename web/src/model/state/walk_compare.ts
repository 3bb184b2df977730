// Is the model the heap? Record by record, and by hash. The first difference is told in words.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { GrowingUint32 } from '../../base/growing.ts';
import { kNoBin, kTraceVersion, kWalkNames, WalkKind } from '../../protocol/event_layout.ts';
import { holderText } from './cached_chunks.ts';
import { Contradiction } from './contradiction.ts';
import type { HeapState } from './heap_state.ts';
import { kHeaderBlock, kHeaderInUse, walkModel } from './walk.ts';

const kRecordWords = 4;
const kCachedLookedInUse = 3; // the last version in which the header of a cached chunk was one of a chunk in use

/** Compares the model of one heap with its real walk, which comes in parts. */
export class WalkCompare {
  readonly #model = new GrowingUint32();
  #at = 0; // words compared
  #difference: string | undefined;

  constructor(state: HeapState, heap: number) {
    const words = this.#model;
    try {
      walkModel(state, heap, (head, address, size, extra) => {
        words.push(head);
        words.push(address);
        words.push(size);
        words.push(extra);
      });
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      this.#difference = `the model cannot be walked: ${error.message}`;
    }
  }

  /** The next records of the real walk, four words each. */
  take(records: Uint32Array): void {
    if (this.#difference !== undefined) return;
    for (let i = 0; i < records.length; ++i) {
      if (this.#at + i < this.#model.count && records[i] === this.#model.at(this.#at + i)) continue;
      const from = i - (i % kRecordWords);
      this.#report(this.#at + from, records.subarray(from, from + kRecordWords));
      return;
    }
    this.#at += records.length;
  }

  /** The first difference; undefined when there is none. */
  finish(): string | undefined {
    if (this.#difference === undefined && this.#at < this.#model.count) this.#report(this.#at, undefined);
    return this.#difference;
  }

  #report(word: number, real: Uint32Array | undefined): void {
    const model = this.#model.slice(word, word + kRecordWords);
    const heapHas = real === undefined ? 'the walk of the heap ended' : `the heap has ${textOf(real)}`;
    const modelHas = model.length === 0 ? 'the walk of the model ended' : `the model ${textOf(model)}`;
    this.#difference = `walk record ${formatCount(word / kRecordWords)}: ${heapHas}, ${modelHas}`;
  }
}

function textOf(record: Uint32Array): string {
  const [head = 0, address = 0, size = 0, extra = 0] = record;
  const kind = (head & 0xff) as WalkKind;
  const detail = head >>> 16;
  const name = (kWalkNames.get(kind) ?? `a record of kind ${kind}`).replaceAll('_', ' ');
  const place = `${name} at ${formatAddress(address)}`;
  switch (kind) {
    case WalkKind.chunkInUse:
    case WalkKind.chunkTop:
    case WalkKind.chunkVictim:
      return `${place} of ${formatBytes(size)} (header ${formatAddress(extra)})`;
    case WalkKind.chunkFree: {
      const bin = detail === kNoBin ? 'no bin' : `bin ${detail}`;
      return `${place} of ${formatBytes(size)} in ${bin} (header ${formatAddress(extra)})`;
    }
    case WalkKind.chunkCached:
      return `${place} of ${formatBytes(size)} by ${holderText(detail)} (header ${formatAddress(extra)})`;
    case WalkKind.block:
      return `${place} of pool ${detail} with ${extra} free nodes`;
    case WalkKind.binEntry:
      return `${place} of ${formatBytes(size)} as number ${extra} of bin ${detail}`;
    case WalkKind.treeEntry:
      return `${place} with ${size} free nodes as number ${extra} of pool ${detail}`;
    default:
      return `${place} of ${formatBytes(size)}`;
  }
}

export interface WalkHash {
  readonly hash: number;
  readonly records: number;
}

/** FNV-1a over the model's walk (event.h, W4), as a heap of that trace version has it. */
export function hashModelWalk(state: HeapState, heap: number, traceVersion: number = kTraceVersion): WalkHash {
  let hash = 0x811c9dc5;
  let records = 0;
  const mix = (word: number) => {
    hash = Math.imul(hash ^ (word & 0xff), 0x01000193);
    hash = Math.imul(hash ^ ((word >>> 8) & 0xff), 0x01000193);
    hash = Math.imul(hash ^ ((word >>> 16) & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (word >>> 24), 0x01000193);
  };
  const cachedLooksInUse = traceVersion <= kCachedLookedInUse;
  walkModel(state, heap, (head, address, size, extra) => {
    const isCached = (head & 0xff) === WalkKind.chunkCached;
    mix(head);
    mix(address);
    mix(size);
    mix(cachedLooksInUse && isCached ? (extra & ~kHeaderBlock) | kHeaderInUse : extra);
    ++records;
  });
  return { hash: hash >>> 0, records };
}
