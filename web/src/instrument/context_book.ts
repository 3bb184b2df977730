// Sites of contexts (shadow_stack.ts): of a new context only the innermost calls are looked at, up to one whose own context is known.
//
//   context of malloc's caller's call = ((c * kFactor + 7) * kFactor + 31) * kFactor + 2          2, 31, 7: the calls, innermost first
//   taken apart from behind:              a call's number off, times the inverse of kFactor       ─▶ the context in which that call stands
//                                           └─ known? its site, and the calls in between below it: the site
//
//   C1  kFactor is odd, so it has an inverse of 64 bits. What a stack's numbers do not say (a tail call left no frame) leads to contexts
//       that no other stack has: more is looked at then, and nothing is wrong.
//   C2  Most stacks of a program are a known one with a few calls on top, and most of these calls were on top of another one, too
//       (tail_search.ts). A look at twenty frames takes a tenth of one at 250.
//   C3  A path of more than kDeepest calls keeps the innermost (site_book.ts: B3). So with each context stands how long its path is.
//   C5  A stack ends in JavaScript: below 0, or below a context that stands for who called (callers.ts). What a call left there that ended
//       by an exception is neither, so nothing stands below it.
//   C6  Engines that put functions into their callers leave some of them out of a stack (V8 of 2026 does). What may be left out is put in
//       (left_out.ts), each possibility is followed, and the one that comes to a known context is the path. If none does, the stack itself
//       has to say which JavaScript called: it is that of the last entry, unless a call has ended so that the module is still in its context.
//   C7  What V8 has optimized (of version 13.6 on) says of a call in a block `try` where an instruction before it stands. Every entry has such
//       a block (S7). So a frame that stands at no call is in one of those behind it in the same function, if it is in any.
//   C4  Engines that say no offsets of frames but in texts are asked for the text, as a whole.

import { LeftOutCalls } from './left_out.ts';
import { PairTable } from './pair_table.ts';
import { branched, continued } from './possible_paths.ts';
import {
  type Frame,
  isOfWasm,
  kDeepest,
  type NumberOfSite,
  type SiteBook,
  stackHere,
  withFrames,
} from './site_book.ts';
import type { NumberedCall } from './site_table.ts';
import { StackPath } from './stack_path.ts';
import { kNone, TailSearch } from './tail_search.ts';
import { halves } from './words_of_context.ts';

const kLooks = [20, 40, 100, kDeepest]; // frames
const kPath = 2 ** 32; // site + length of its path * kPath
const kOuter = 2 ** 50; // more: what called the module
const kRoot = 0;
const kWhole = -2; // nothing is known up to the end of the stack

/** A frame: its call, or where it stands in the module, which is at no call (C7). */
type Step = NumberedCall | number;

/** A reading of a stack: its calls up to a known context, and what is known of that. */
interface Read {
  readonly path: StackPath;
  readonly base: number;
}

const lengthOf = (known: number): number => Math.floor((known % kOuter) / kPath);

/** C3 */
const isNear = (known: number, path: StackPath): boolean => lengthOf(known) + path.length <= kDeepest;

/** What called the module: the context that it gives, its site, and how many frames that is. */
export interface Outer {
  readonly context: bigint;
  readonly site: number;
  readonly frames: number;
}

/** What a module says of its contexts, beside where its calls stand. */
export interface ModuleTraits {
  /** What called, by the stack here (C6). */
  readonly outer: () => Outer;
  /** Whether it puts the context back after exceptions (shadow_stack.ts, S7). */
  readonly putsBack: boolean;
  /** What each call calls (call_targets.ts). */
  readonly targets?: Int32Array | undefined;
}

export class ContextBook {
  readonly #calls: ReadonlyMap<number, NumberedCall>;
  readonly #siteBelow: NumberOfSite;
  readonly #texts: SiteBook;
  readonly #known = new PairTable(); // of calls that others stand in, and of what called the module: C5
  readonly #path = new StackPath(); // of what was found
  readonly #search: TailSearch | undefined; // tail.3
  readonly #leftOut: LeftOutCalls | undefined; // C6
  readonly #outer: () => Outer;
  #last: bigint | undefined; // context of what called last; undefined: the module does not ask
  #url: string | undefined; // the module's, in frames
  #unsure = 0; // frames that stand at no call, of those that were looked at last: C7
  readonly #wrappers = new Set<number>(); // where allocators' wrappers stand, which are no calls of a path
  #inOrder: readonly NumberedCall[] | undefined; // as they stand in the module

  /** `calls`: by their offset in the module; `texts`: C4. */
  constructor(
    calls: ReadonlyMap<number, NumberedCall>,
    siteBelow: NumberOfSite,
    texts: SiteBook,
    { outer, putsBack, targets }: ModuleTraits,
  ) {
    this.#calls = calls;
    this.#siteBelow = siteBelow;
    this.#texts = texts;
    this.#outer = outer;
    this.#known.set(0, 0, kOuter + kRoot); // JavaScript, where the module does not ask who called
    if (putsBack) this.#search = new TailSearch(this.#known);
    if (targets !== undefined) this.#leftOut = new LeftOutCalls(calls.values(), targets);
  }

  /** C5: the module's calls on a stack below this have its context. */
  begin({ context, site, frames }: Outer): void {
    this.#last = context;
    const [low, high] = halves(context);
    this.#known.set(low, high, kOuter + site + frames * kPath);
  }

  /** The site of the stack here, in whose innermost call of the module the context is this one. */
  siteOf(context: bigint): number {
    const here = halves(context);
    const caller = this.#known.get(...here);
    if (caller >= kOuter) return caller % kPath; // it called malloc itself
    const found = this.#search?.find(...here);
    if (found !== undefined) {
      const path = this.#path.begin(here).addAll(found.tail);
      if (isNear(found.base, path)) return this.#siteOn(path, found.base);
    }
    return this.#lookedUp(here);
  }

  /** By the frames of the stack. */
  #lookedUp(here: readonly [number, number]): number {
    for (const most of kLooks) {
      const read = withFrames(most, (frames) => this.#read(here, frames, frames.length < most));
      if (read === undefined) break; // C4
      const { path, base } = read;
      if (base === kWhole) return this.#siteOn(path, this.#outside(path));
      if (base !== kNone) {
        this.#search?.learn(path.calls);
        this.#leftOut?.learn(path.calls);
      }
      if (base !== kNone || most === kDeepest) return this.#siteOn(path, base);
    }
    return this.#texts.siteOf(stackHere());
  }

  /** Follows the path up to a context that is known, or to its end. What is known there; kNone: more has to be looked at. */
  #read(here: readonly [number, number], frames: readonly Frame[], isWhole: boolean): Read {
    this.#unsure = 0;
    const followed = this.#followed(here, this.#callsOf(frames));
    if (followed !== undefined) {
      if (this.#unsure > 0) this.#learnWrapper(followed.path, frames);
      return followed;
    }
    const guessed = this.#unsure > 0 ? this.#followed(here, this.#stepsOf(frames)) : undefined;
    if (guessed !== undefined) return guessed;
    const path = new StackPath().begin(here).addAll(this.#callsOf(frames)); // without what it would be a guess to put in
    return { path, base: isWhole ? kWhole : kNone };
  }

  #followed(here: readonly [number, number], steps: Iterable<Step>): Read | undefined {
    let paths = [new StackPath().begin(here)];
    for (const step of steps) {
      const stands = this.#standing(paths, 0);
      if (stands !== undefined) return stands; // C5: others do stand further out
      if (typeof step !== 'number') paths = continued(paths, step, this.#leftOut);
      else if (this.#leftOut !== undefined) paths = branched(paths, this.#behind(step), this.#leftOut);
      const begun = this.#standing(paths, kOuter);
      if (begun !== undefined) return begun;
    }
    return undefined;
  }

  /** The path that ends below a known context, of which at least so much is known. */
  #standing(paths: readonly StackPath[], least: number): Read | undefined {
    for (const path of paths) {
      const base =
        path.length === 0 ? kNone : this.#known.get(path.low[path.length] as number, path.high[path.length] as number);
      if (base >= least && isNear(base, path)) return { path, base };
    }
    return undefined;
  }

  /** C6 */
  #outside(path: StackPath): number {
    if (this.#last === undefined) return kRoot;
    const outer = this.#outer();
    if (outer.context !== this.#last) return kRoot;
    const base = kOuter + outer.site + outer.frames * kPath;
    return isNear(base, path) ? base : kRoot;
  }

  /** The site of the path, whose outermost call stands where `base` says. */
  #siteOn(path: StackPath, base: number): number {
    const from = base === kNone ? kRoot : base;
    let length = lengthOf(from);
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
    for (const step of this.#stepsOf(frames)) if (typeof step !== 'number') yield step;
  }

  /** The same, and where frames stand that are at no call. */
  *#stepsOf(frames: readonly Frame[]): Generator<Step> {
    let recorder: string | undefined;
    for (const frame of frames) {
      const url = frame.getScriptNameOrSourceURL() ?? '';
      if (this.#url === undefined) {
        if (!isOfWasm(frame)) continue;
        recorder ??= url;
        if (url !== recorder) this.#url = url;
      }
      if (url !== this.#url) continue;
      const position = frame.getPosition();
      const call = this.#calls.get(position);
      if (call !== undefined) yield call;
      else if (!this.#wrappers.has(position)) {
        ++this.#unsure;
        yield position;
      }
    }
  }

  /** The innermost frame, where the path begins with the call of the next one. */
  #learnWrapper(path: StackPath, frames: readonly Frame[]): void {
    const [innermost, outer] = this.#stepsOf(frames);
    if (typeof innermost === 'number' && outer !== undefined && outer === path.calls[0]) this.#wrappers.add(innermost);
  }

  /** C7: the calls from a position on, of the function that has the first of them. */
  #behind(position: number): readonly NumberedCall[] {
    this.#inOrder ??= [...this.#calls.values()];
    const order = this.#inOrder;
    let [from, end] = [0, order.length];
    while (from < end) {
      const middle = (from + end) >> 1;
      if ((order[middle] as NumberedCall).at < position) from = middle + 1;
      else end = middle;
    }
    const index = order[from]?.function ?? -1;
    let to = from;
    while (index >= 0 && order[to]?.function === index) ++to;
    return order.slice(from, to);
  }
}
