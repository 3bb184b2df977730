// Blocks that grew step by step, with their contents copied: where room reserved at once would have paid.
//
//   realloc            one block, moved by each step that does not fit in place
//   new, copy, free    allocate(larger), free(smaller) with no allocation between: how std::vector grows. It looks
//                      like that; the events do not say what was copied.
//
//   V1  A step is counted when the block was copied to another address. Growth in place costs nothing and is not a
//       step.
//   V2  By allocate and free a step makes the block 1.4 to 2.6 times as large, and the larger block is the youngest
//       one.
//   V3  A block is reported from so many steps and copied bytes on; with fewer, chance looks the same.

import { kMostAdvice } from './limits.ts';
import type { ReserveAdvice } from './report_types.ts';

const kLeastSteps: Readonly<Record<ReserveAdvice['how'], number>> = { reallocate: 3, allocate_and_free: 4 };
const kLeastCopied = 1024;
const kLeastRatio = 1.4;
const kGreatestRatio = 2.6;
const kMostKept = 4096; // chains that are followed at once

interface Chain {
  readonly first: number;
  readonly how: ReserveAdvice['how'];
  last: number;
  steps: number;
  copied: number;
  event: number;
}

export class GrownBlocks {
  readonly #chains = new Map<number, Chain>(); // by address of the block
  readonly #best: Chain[] = [];
  #blocks = 0;
  #copied = 0;

  /** A block was copied to a larger one by realloc. */
  moved(from: number, to: number, oldRequest: number, request: number, event: number): void {
    if (request > oldRequest) this.#step(from, to, oldRequest, request, event, 'reallocate');
    else this.ended(from);
  }

  /** A block ends; `youngest` is the block allocated last, if it is live and nothing was allocated since. */
  freed(address: number, request: number, youngest: { at: number; request: number } | undefined, event: number): void {
    const ratio = youngest === undefined || request === 0 ? 0 : youngest.request / request;
    if (youngest !== undefined && youngest.at !== address && ratio >= kLeastRatio && ratio <= kGreatestRatio) {
      this.#step(address, youngest.at, request, youngest.request, event, 'allocate_and_free');
    } else this.ended(address);
  }

  /** The block goes no further. */
  ended(address: number): void {
    const chain = this.#chains.get(address);
    if (chain === undefined) return;
    this.#chains.delete(address);
    if (chain.steps < kLeastSteps[chain.how] || chain.copied < kLeastCopied) return; // V3
    this.#blocks += 1;
    this.#copied += chain.copied;
    this.#best.push(chain);
    this.#best.sort((x, y) => y.copied - x.copied || x.event - y.event);
    if (this.#best.length > kMostAdvice) this.#best.pop();
  }

  /** Ends every chain. */
  finish(): { readonly blocks: number; readonly copied: number; readonly best: readonly ReserveAdvice[] } {
    for (const address of [...this.#chains.keys()]) this.ended(address);
    const best = this.#best.map(({ first, last, steps, copied, event, how }) => ({
      first_bytes: first,
      last_bytes: last,
      steps,
      copied_bytes: copied,
      event,
      how,
    }));
    return { blocks: this.#blocks, copied: this.#copied, best };
  }

  /** A chain that does not go on makes room for a new one. */
  #endOldest(): void {
    for (const address of this.#chains.keys()) {
      this.ended(address);
      return;
    }
  }

  #step(from: number, to: number, oldRequest: number, request: number, event: number, how: ReserveAdvice['how']): void {
    let chain = this.#chains.get(from);
    if (chain?.how !== how) {
      this.ended(from);
      if (this.#chains.size >= kMostKept) this.#endOldest();
      chain = { first: oldRequest, how, last: request, steps: 0, copied: 0, event };
    }
    this.#chains.delete(from);
    this.ended(to);
    chain.last = request;
    chain.steps += 1;
    chain.copied += oldRequest;
    chain.event = event;
    this.#chains.set(to, chain);
  }
}
