// Sites of contexts (shadow_stack.ts): of a new context only the innermost calls are looked at, up to one whose own context is known.
//
//   context of malloc's caller's call = ((c * kFactor + 7) * kFactor + 31) * kFactor + 2          2, 31, 7: the calls, innermost first
//   taken apart from behind:              a call's number off, times the inverse of kFactor       ─▶ the context in which that call stands
//                                           └─ known? its site, and the calls in between below it: the site
//
//   C1  kFactor is odd, so it has an inverse of 64 bits. What a stack's numbers do not say (a tail call left no frame) leads to contexts
//       that no other stack has: more is looked at then, and nothing is wrong.
//   C2  A look at twenty frames takes a tenth of one at 250. Most stacks of a program are one that is known with a few calls on top.
//   C3  A path of more than kDeepest calls keeps the innermost (site_book.ts: B3). So with each context stands how long its path is.
//   C5  A stack ends in JavaScript: below 0, or below a context that stands for who called (callers.ts). What a call left there that ended
//       by an exception is neither, so nothing stands below it.
//   C4  Engines that say no offsets of frames but in texts are asked for the text, as a whole.

import {
  type Frame,
  isOfWasm,
  kDeepest,
  type NumberOfSite,
  type SiteBook,
  stackHere,
  withFrames,
} from './site_book.ts';
import { kFactor, type NumberedCall } from './site_table.ts';

const kLooks = [20, 100, kDeepest]; // frames
const kPath = 2 ** 32; // site + length of its path * kPath
const kRoot = 0;
const kBits = 64;
const kInverse = inverseOf(BigInt(kFactor));

/** x * inverse = 1, modulo 2^64: each round doubles the bits that are right. */
function inverseOf(x: bigint): bigint {
  let inverse = x;
  for (let round = 0; round < 5; ++round) inverse = BigInt.asUintN(kBits, inverse * (2n - x * inverse));
  return inverse;
}

export class ContextBook {
  readonly #calls: ReadonlyMap<number, NumberedCall>;
  readonly #siteBelow: NumberOfSite;
  readonly #texts: SiteBook;
  readonly #known = new Map<bigint, number>(); // of calls that others stand in
  readonly #begun = new Map<bigint, number>(); // sites of what called the module: C5
  #url: string | undefined; // the module's, in frames

  /** `calls`: by their offset in the module; `texts`: C4. */
  constructor(calls: ReadonlyMap<number, NumberedCall>, siteBelow: NumberOfSite, texts: SiteBook) {
    this.#calls = calls;
    this.#siteBelow = siteBelow;
    this.#texts = texts;
  }

  /** C5: the module's calls on a stack of this site, so many frames deep, have this context. */
  begin(context: bigint, site: number, path: number): void {
    this.#begun.set(context, site + path * kPath);
  }

  /** The site of the stack here, in whose innermost call of the module the context is this one. */
  siteOf(context: bigint): number {
    const caller = this.#begun.get(BigInt.asUintN(kBits, context));
    if (caller !== undefined) return caller % kPath; // it called malloc itself
    for (const most of kLooks) {
      let isWhole = false;
      const calls = withFrames(most, (frames) => {
        isWhole = frames.length < most;
        return this.#callsOf(frames);
      });
      if (calls === undefined) break; // C4
      const site = this.#siteBehind(BigInt.asUintN(kBits, context), calls, isWhole, most === kDeepest);
      if (site !== undefined) return site;
    }
    return this.#texts.siteOf(stackHere());
  }

  /** Undefined: more has to be looked at. */
  #siteBehind(context: bigint, calls: readonly NumberedCall[], isWhole: boolean, isLast: boolean): number | undefined {
    const contexts: bigint[] = []; // in each call
    let base: number | undefined;
    for (let at = context; contexts.length < calls.length && base === undefined; ) {
      const call = calls[contexts.length] as NumberedCall;
      contexts.push(at);
      at = BigInt.asUintN(kBits, (at - call.number) * kInverse);
      const isLastSeen = contexts.length === calls.length; // whether others stand further out is not known
      const known = this.#begun.get(at) ?? (isLastSeen ? undefined : this.#known.get(at)); // C5
      if (known !== undefined && Math.floor(known / kPath) + contexts.length <= kDeepest) base = known; // C3
    }
    if (base === undefined && !isWhole && !isLast) return undefined;
    let path = Math.floor((base ?? kRoot) / kPath);
    let site = (base ?? kRoot) % kPath;
    for (let nth = contexts.length - 1; nth >= 0; --nth) {
      const call = calls[nth] as NumberedCall;
      if (call.function >= 0) {
        site = this.#siteBelow(site, call);
        ++path;
      }
      const isKept = nth > 0 && (base !== undefined || isWhole); // not a path that was cut, nor the call of malloc
      if (isKept) this.#known.set(contexts[nth] as bigint, site + path * kPath);
    }
    return site;
  }

  /** The calls that set the context, innermost first: of the module whose frames stand below the recorder's. */
  #callsOf(frames: readonly Frame[]): readonly NumberedCall[] {
    const calls: NumberedCall[] = [];
    let recorder: string | undefined;
    for (const frame of frames) {
      if (!isOfWasm(frame)) continue;
      const url = frame.getScriptNameOrSourceURL() ?? '';
      if (this.#url === undefined) {
        recorder ??= url;
        if (url !== recorder) this.#url = url;
      }
      const call = url === this.#url ? this.#calls.get(frame.getPosition()) : undefined;
      if (call !== undefined) calls.push(call);
    }
    return calls;
  }
}
