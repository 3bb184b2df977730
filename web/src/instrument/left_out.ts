// Calls that a stack leaves out: an engine puts a function into its callers, and shows one frame for both.
//
//   on the stack          23 in f, which calls g                        7 in h
//   what was called       23 in f, which calls g ──▶ 41 in g, which calls h ──▶ 7 in h           41 was left out
//
//  left.1  A call that does not call the function in which the next frame inward stands: what is left out leads from one to the other, by the
//          fewest calls. Which of several ways it was, the context tells (context_book.ts: C6).
//  left.2  What an indirect call has called is learned from stacks that were read. Of one that was not seen to call a function, both may be
//          so: it did now, or something is left out.
//  left.3  The innermost call is one of an allocator. Which functions are allocators is learned in the same way.

import { kNoTarget } from './call_targets.ts';
import type { NumberedCall } from './site_table.ts';

/** Calls that may be left out, innermost first. */
export type LeftOut = readonly NumberedCall[];

/** Where the innermost call of a stack leads to, as a function. */
export const kAllocator = -1;

const kMostCalls = 3; // left out one after the other
const kMostWays = 32;
const kMostLookedAt = 2000; // calls
const kNothing: readonly LeftOut[] = [[]];

export class LeftOutCalls {
  readonly #targets: Int32Array;
  readonly #callsIn = new Map<number, NumberedCall[]>(); // by function
  readonly #called = new Map<number, Set<number>>(); // by the number of an indirect call: left.2
  readonly #allocators = new Set<number>();
  readonly #ways = new Map<number, readonly LeftOut[]>();

  /** `targets`: of each call, by its number (call_targets.ts). */
  constructor(calls: Iterable<NumberedCall>, targets: Int32Array) {
    this.#targets = targets;
    for (const call of calls) setOf(this.#callsIn, call.function, () => []).push(call);
  }

  /** `calls`: a whole stack's, or its inner part. */
  learn(calls: readonly NumberedCall[]): void {
    for (const [nth, { number }] of calls.entries()) {
      const target = this.#targets[number] ?? kNoTarget;
      const inner = calls[nth - 1]?.function;
      if (inner === undefined && target !== kNoTarget) this.#add(this.#allocators, target);
      else if (inner !== undefined && target === kNoTarget)
        this.#add(
          setOf(this.#called, number, () => new Set()),
          inner,
        );
    }
  }

  #add(known: Set<number>, index: number): void {
    if (known.has(index)) return;
    known.add(index);
    this.#ways.clear();
  }

  /** What may be left out between `outer` and a call in the function `inner`: at least one possibility, which may be nothing. */
  between(outer: NumberedCall, inner: number): readonly LeftOut[] {
    const ways = this.ways(outer, inner);
    const mayBeNothing = ways.length === 0 || (inner === kAllocator && ways[0]?.length !== 0);
    return mayBeNothing ? [...kNothing, ...ways] : ways;
  }

  /** The same, as far as the module says or was seen to do so: perhaps none. */
  ways(outer: NumberedCall, inner: number): readonly LeftOut[] {
    if (this.isCall(outer, inner)) return kNothing;
    const key = outer.number * 2 ** 21 + inner;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    const found = this.#search(this.#targetsOf(outer), inner);
    const ways = this.#targets[outer.number] === kNoTarget ? [...kNothing, ...found] : found;
    this.#ways.set(key, ways);
    return ways;
  }

  /** Whether it is known to call the function `inner`. */
  isCall(outer: NumberedCall, inner: number): boolean {
    return this.#targetsOf(outer).some((target) => this.#isInner(target, inner));
  }

  #targetsOf({ number }: NumberedCall): readonly number[] {
    const target = this.#targets[number] ?? kNoTarget;
    return target === kNoTarget ? [...(this.#called.get(number) ?? [])] : [target];
  }

  #isInner(target: number, inner: number): boolean {
    if (inner !== kAllocator) return target === inner;
    return this.#allocators.size === 0 || this.#allocators.has(target);
  }

  /** left.1 */
  #search(targets: readonly number[], inner: number): LeftOut[] {
    let left = kMostLookedAt;
    let ways = targets.map((target) => ({ function: target, calls: [] as LeftOut }));
    for (let length = 1; length <= kMostCalls; ++length) {
      const found: LeftOut[] = [];
      const longer: typeof ways = [];
      for (const way of ways) {
        for (const call of this.#callsIn.get(way.function) ?? []) {
          if (--left < 0) return found;
          const calls = [call, ...way.calls];
          const next = this.#targetsOf(call);
          if (next.some((target) => this.#isInner(target, inner))) found.push(calls);
          else for (const target of next) longer.push({ function: target, calls });
        }
      }
      if (found.length > 0) return found.slice(0, kMostWays);
      ways = longer;
    }
    return [];
  }
}

function setOf<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
