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
//   C6  Engines that put functions into their callers leave some of them out of a stack (V8 of 2026 does). Then no context on the way out is
//       known, and the stack itself has to say which JavaScript called: it is that of the last entry, unless a call has ended so that the
//       module is still in its context.
//   C4  Engines that say no offsets of frames but in texts are asked for the text, as a whole.

import { PairTable } from './pair_table.ts';
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

const kLooks = [20, 40, 100, kDeepest]; // frames
const kPath = 2 ** 32; // site + length of its path * kPath
const kRoot = 0;
const kNone = -1;
const kWhole = -2; // nothing is known up to the end of the stack
const [kInverseLow, kInverseHigh] = halves(inverseOf(BigInt(kFactor)));

/** x * inverse = 1, modulo 2^64: each round doubles the bits that are right. */
function inverseOf(x: bigint): bigint {
  let inverse = x;
  for (let round = 0; round < 5; ++round) inverse = BigInt.asUintN(64, inverse * (2n - x * inverse));
  return inverse;
}

/** Low and high 32 bits. */
function halves(context: bigint): readonly [number, number] {
  return [Number(BigInt.asUintN(32, context)), Number(BigInt.asUintN(32, context >> 32n))];
}

/** The upper half of a product of two words. */
function highOfProduct(one: number, other: number): number {
  const [oneLow, oneHigh, otherLow, otherHigh] = [one & 0xffff, one >>> 16, other & 0xffff, other >>> 16];
  const middle = oneHigh * otherLow + ((oneLow * otherLow) >>> 16);
  return oneHigh * otherHigh + (middle >>> 16) + ((oneLow * otherHigh + (middle & 0xffff)) >>> 16);
}

/** The calls on a stack, innermost first, and the context in each of them. */
class Path {
  readonly calls: NumberedCall[] = [];
  readonly low = new Uint32Array(kDeepest + 1);
  readonly high = new Uint32Array(kDeepest + 1);
  length = 0;

  /** `context`: in the innermost call. */
  begin([low, high]: readonly [number, number]): void {
    this.length = 0;
    this.low[0] = low;
    this.high[0] = high;
  }

  /** The next call outward: then the context in which it stands is the last one. */
  add(call: NumberedCall): void {
    const nth = this.length++;
    this.calls[nth] = call;
    const low = this.low[nth] as number;
    const less = (low - call.number) >>> 0;
    const lessHigh = (this.high[nth] as number) - (low < call.number ? 1 : 0);
    this.low[nth + 1] = Math.imul(less, kInverseLow);
    this.high[nth + 1] =
      highOfProduct(less, kInverseLow) + Math.imul(less, kInverseHigh) + Math.imul(lessHigh, kInverseLow);
  }
}

/** What called the module: the context that it gives, its site, and how many frames that is. */
export interface Outer {
  readonly context: bigint;
  readonly site: number;
  readonly frames: number;
}

export class ContextBook {
  readonly #calls: ReadonlyMap<number, NumberedCall>;
  readonly #siteBelow: NumberOfSite;
  readonly #texts: SiteBook;
  readonly #known = new PairTable(); // of calls that others stand in
  readonly #begun = new PairTable(); // sites of what called the module: C5
  readonly #path = new Path();
  readonly #outer: () => Outer | undefined;
  #last: bigint | undefined; // context of what called last
  #url: string | undefined; // the module's, in frames

  /** `calls`: by their offset in the module; `texts`: C4; `outer`: what called, by the stack here (C6). */
  constructor(
    calls: ReadonlyMap<number, NumberedCall>,
    siteBelow: NumberOfSite,
    texts: SiteBook,
    outer: () => Outer | undefined = () => undefined,
  ) {
    this.#calls = calls;
    this.#siteBelow = siteBelow;
    this.#texts = texts;
    this.#outer = outer;
  }

  /** C5: the module's calls on a stack below this have its context. */
  begin({ context, site, frames }: Outer): void {
    this.#last = context;
    const [low, high] = halves(context);
    this.#begun.set(low, high, site + frames * kPath);
  }

  /** The site of the stack here, in whose innermost call of the module the context is this one. */
  siteOf(context: bigint): number {
    const here = halves(context);
    const caller = this.#begun.get(...here);
    if (caller !== kNone) return caller % kPath; // it called malloc itself
    for (const most of kLooks) {
      this.#path.begin(here);
      const base = withFrames(most, (frames) => this.#baseIn(frames, frames.length < most));
      if (base === undefined) break; // C4
      if (base === kWhole) return this.#siteOn(this.#outside());
      if (base !== kNone || most === kDeepest) return this.#siteOn(base);
    }
    return this.#texts.siteOf(stackHere());
  }

  /** Follows the path up to a context that is known, or to its end. What is known there; kNone: more has to be looked at. */
  #baseIn(frames: readonly Frame[], isWhole: boolean): number {
    const path = this.#path;
    let known = kNone;
    for (const call of this.#callsOf(frames)) {
      if (known !== kNone) return known; // C5: others do stand further out
      path.add(call);
      const begun = this.#begun.get(path.low[path.length] as number, path.high[path.length] as number);
      if (this.#isNear(begun)) return begun;
      known = this.#known.get(path.low[path.length] as number, path.high[path.length] as number);
      if (!this.#isNear(known)) known = kNone;
    }
    return isWhole ? kWhole : kNone;
  }

  /** C6 */
  #outside(): number {
    const outer = this.#outer();
    if (outer === undefined || outer.context !== this.#last) return kRoot;
    const base = outer.site + outer.frames * kPath;
    return this.#isNear(base) ? base : kRoot;
  }

  /** C3 */
  #isNear(known: number): boolean {
    return known !== kNone && Math.floor(known / kPath) + this.#path.length <= kDeepest;
  }

  /** The site of the path, whose outermost call stands where `base` says. */
  #siteOn(base: number): number {
    const path = this.#path;
    const from = base === kNone ? kRoot : base;
    let length = Math.floor(from / kPath);
    let site = from % kPath;
    for (let nth = path.length - 1; nth >= 0; --nth) {
      const call = path.calls[nth] as NumberedCall;
      if (call.function >= 0) {
        site = this.#siteBelow(site, call);
        ++length;
      }
      const isKept = nth > 0 && base !== kNone; // not a path that was cut, nor the call of malloc
      if (isKept) this.#known.set(path.low[nth] as number, path.high[nth] as number, site + length * kPath);
    }
    return site;
  }

  /** The calls that set the context, innermost first: of the module whose frames stand below the recorder's. */
  *#callsOf(frames: readonly Frame[]): Generator<NumberedCall> {
    let recorder: string | undefined;
    for (const frame of frames) {
      const url = frame.getScriptNameOrSourceURL() ?? '';
      if (this.#url === undefined) {
        if (!isOfWasm(frame)) continue;
        recorder ??= url;
        if (url !== recorder) this.#url = url;
      }
      const call = url === this.#url ? this.#calls.get(frame.getPosition()) : undefined;
      if (call !== undefined) yield call;
    }
  }
}
