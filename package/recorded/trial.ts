// Which functions of a module without names allocate: each that could is tried, in an instance in which nothing else runs.
//
//   malloc    gives blocks that lie apart in memory and keep what is written to them
//   free      with it, 300 blocks one after the other take a few addresses, and the blocks that live keep their bytes
//   realloc   what was in the block is in the new one, and the old one is free
//   calloc    its block is zero where a freed block had other bytes
//   memalign  addresses are multiples of 64 and of 256, and free takes them back; posix_memalign stores them where it is given a place
//
//   try.1  What passes is offered and not taken: functions of a layer above the allocator pass, too, so who knows the program decides. Of
//          several, one that reaches no other of them by its calls is offered; of these the one that most functions call. Of frees all of these: compilers
//          make copies of free, and all are the allocator's.
//          Where a name says which function is malloc, what calls no other such function and takes back what this malloc gives is its free; and
//          where names say which functions are malloc and free, what calls this malloc and behaves like memalign is no layer's: free takes
//          back what it gives. So it is taken.
//   try.3  Where memalign is part of a function that knows the alignment, that one takes a size alone, as a malloc does. It is told from what only calls
//          malloc by its addresses. It is taken as one more malloc, as try.1 says of memalign.
//   Over 300 lines: the trials, each of which is a few lines, and what they have in common.
//   try.4  Where JavaScript says in which place the heap begins, a trial says it in its place (trial_begin.ts).
//   try.2  Imports do nothing and give 0. A trial that traps, or does not end in 400 ms (of memalign: kPatience), has failed.

import type { Companions } from '../../web/src/instrument/family.ts';
import { type TrialFunction, type TrialModule, trialModule } from '../../web/src/instrument/trial_module.ts';
import { readModule, type WasmModule } from '../../web/src/symbols/index.ts';
import { attempt } from './attempt.ts';
import { beginOf } from './trial_begin.ts';
import { type Call, instancesOf, type TrialInstance } from './trial_instance.ts';

export interface Tried {
  readonly malloc: number;
  /** More than one where compilers made copies of it. */
  readonly free: readonly number[];
  readonly realloc?: number;
  readonly calloc?: number;
  readonly memalign?: number;
}

const kPatience = 5000; // milliseconds, where few are tried and what passes is taken: a busy machine must not change what is found
const kMostTried = 150; // of each type
const kMostBegun = 20; // that are asked where the heap begins
const kMostCalls = 8; // functions that one without an alignment calls, beside malloc mostly what it does where there is no memory
const kLeastAligned = 16;
const kMultiple = 64; // some refuse what is no multiple of their alignment
const kRounds = 300;
const kFewAddresses = 24;
const kCopied = 400; // more may be copied by an import, which does nothing here
const kSizes = [24, 40, 1000, 5000, 8, 120, 64, 300];

/** The functions that behave like memalign and posix_memalign of this malloc, and where free is not known, like free; none where the module cannot be tried. */
export function triedCompanions(original: WasmModule, malloc: number, free: number | undefined): Companions {
  try {
    return companionsOf(original, malloc, free);
  } catch {
    return {};
  }
}

/** Which of these pairs, given by their indices, behave like malloc and its free; none where the module cannot be tried. */
export function behaving(original: WasmModule, pairs: readonly (readonly [malloc: number, free: number])[]): boolean[] {
  try {
    const { exporting, functions } = trialModule(original);
    const mallocs = functions.malloc.filter(({ index }) => pairs.some(([malloc]) => malloc === index));
    const frees = functions.free.filter(({ index }) => pairs.some(([, free]) => free === index));
    const binary = exporting([...mallocs, ...frees]);
    return pairs.map(([mallocIndex, freeIndex]) => {
      const malloc = mallocs.find(({ index }) => index === mallocIndex);
      const free = frees.find(({ index }) => index === freeIndex);
      return malloc !== undefined && free !== undefined && isFreeOf(malloc, free, beginIn(binary, malloc));
    });
  } catch {
    return pairs.map(() => false);
  }
}

function companionsOf(original: WasmModule, mallocIndex: number, freeIndex: number | undefined): Companions {
  const { exporting, functions } = trialModule(original);
  const malloc = functions.malloc.find(({ index }) => index === mallocIndex);
  if (malloc === undefined) return {};
  const maybe =
    freeIndex === undefined
      ? functions.free.slice(0, kMostTried)
      : functions.free.filter(({ index }) => index === freeIndex);
  const callers = callersIn(functions, malloc);
  const begin = beginIn(exporting([malloc, ...maybe, ...Object.values(callers).flat()]), malloc);
  const frees = freeIndex === undefined ? allInnermost(maybe.filter((it) => isFreeOf(malloc, it, begin))) : maybe;
  const [free] = frees;
  if (free === undefined) return {};
  const found = freeIndex === undefined ? { free: frees.map(({ index }) => index) } : {};
  return { ...found, ...alignersOf(callers, malloc, free, begin) };
}

/** What makes a heap that nobody has used yet. */
const beginIn = (binary: Uint8Array, malloc: TrialFunction): (() => TrialHeap) =>
  begunIn(binary, [malloc]) ?? plainIn(binary);

function plainIn(binary: Uint8Array): () => TrialHeap {
  const instance = instancesOf(binary);
  return () => new TrialHeap(instance());
}

/** try.4: if one of these mallocs shows where the heap begins. */
function begunIn(binary: Uint8Array, mallocs: readonly TrialFunction[]): (() => TrialHeap) | undefined {
  const plain = instancesOf(binary);
  for (const malloc of mallocs) {
    const begin = beginOf(plain, malloc);
    if (begin === undefined) continue;
    const instance = instancesOf(binary, begin);
    return () => new TrialHeap(instance());
  }
  return undefined;
}

/** Those that may have a memalign in them. */
function callersIn(functions: TrialModule['functions'], malloc: TrialFunction) {
  const calling = (all: readonly TrialFunction[]) =>
    all.filter(({ calls }) => calls.has(malloc.index)).slice(0, kMostTried);
  const alone = calling(functions.malloc).filter(({ calls }) => calls.size <= kMostCalls);
  return { pairs: calling(functions.pair), triples: calling(functions.triple), alone };
}

const isFreeOf = (malloc: TrialFunction, it: TrialFunction, begin: () => TrialHeap): boolean =>
  attempt(() => {
    const heap = begin();
    return heap.reuses(heap.of(malloc), heap.of(it));
  }, kPatience);

function alignersOf(
  { pairs, triples, alone }: ReturnType<typeof callersIn>,
  malloc: TrialFunction,
  free: TrialFunction,
  begin: () => TrialHeap,
): Companions {
  const passing = (all: readonly TrialFunction[], alignedBy: (heap: TrialHeap, it: Call) => Call) =>
    innermost(
      all.filter((it) => {
        const heap = begin();
        const work = () => heap.aligns(alignedBy(heap, heap.of(it)), heap.of(malloc), heap.of(free));
        return attempt(work, kPatience);
      }),
    )?.index;
  const mallocs = allInnermost(alone.filter((it) => alignsAlone(it, malloc, free, begin)));
  const memalign = passing(pairs, (_, it) => it);
  const posix_memalign = passing(triples, (heap, it) => heap.stored(it, heap.of(malloc)));
  return {
    ...(mallocs.length === 0 ? {} : { malloc: mallocs.map(({ index }) => index) }),
    ...(memalign === undefined ? {} : { memalign }),
    ...(posix_memalign === undefined ? {} : { posix_memalign }),
  };
}

/** try.3: with malloc in its place blocks lie elsewhere, at multiples of less. */
const alignsAlone = (it: TrialFunction, malloc: TrialFunction, free: TrialFunction, begin: () => TrialHeap): boolean =>
  attempt(() => {
    const rounded = (heap: TrialHeap, of: TrialFunction): Call => {
      const call = heap.of(of);
      return (size = 0) => call(Math.ceil(size / kMultiple) * kMultiple);
    };
    const alignmentOf = (heap: TrialHeap, of: TrialFunction) => heap.alignment(rounded(heap, of), heap.of(malloc));
    const own = alignmentOf(begin(), it);
    if (own < kLeastAligned || own <= alignmentOf(begin(), malloc)) return false;
    const heap = begin();
    return heap.reuses(rounded(heap, it), heap.of(free));
  }, kPatience);

/** undefined: no two functions behave like malloc and free. */
export function triedAllocator(bytes: Uint8Array): Tried | undefined {
  const { exporting, functions } = trialModule(readModule(bytes));
  const [mayAllocate, mayFree] = [functions.malloc.slice(0, kMostTried), functions.free.slice(0, kMostTried)];
  const passesIn = (begin: () => TrialHeap) => (test: (heap: TrialHeap) => boolean) => attempt(() => test(begin()));
  const binary = exporting([...mayAllocate, ...mayFree]);
  const pairIn = (begin: () => TrialHeap) => {
    const passes = passesIn(begin);
    const mallocs = mayAllocate.filter((malloc) => passes((heap) => heap.fill(heap.of(malloc), 60)));
    return pairOf(mallocs, (malloc) =>
      mayFree.filter((free) => passes((heap) => heap.reuses(heap.of(malloc), heap.of(free)))),
    );
  };
  let pair = pairIn(plainIn(binary));
  const begun = pair === undefined ? begunIn(binary, mayAllocate.slice(0, kMostBegun)) : undefined;
  if (begun !== undefined) pair = pairIn(begun);
  if (pair === undefined) return undefined;
  const { malloc, frees } = pair;
  const [free] = frees;
  const callers = functions.pair.filter(({ calls }) => calls.has(malloc.index));
  const passesNow = passesIn(beginIn(exporting([malloc, ...frees, ...callers]), malloc));
  const only = (
    name: 'realloc' | 'calloc' | 'memalign',
    test: (heap: TrialHeap, it: Call, malloc: Call, free: Call) => boolean,
  ) => {
    const found = innermost(
      callers.filter((it) => passesNow((heap) => test(heap, heap.of(it), heap.of(malloc), heap.of(free)))),
    );
    return found === undefined ? {} : { [name]: found.index };
  };
  return {
    malloc: malloc.index,
    free: frees.map(({ index }) => index),
    ...only('realloc', (heap, ...calls) => heap.resizes(...calls)),
    ...only('calloc', (heap, ...calls) => heap.clears(...calls)),
    ...only('memalign', (heap, ...calls) => heap.aligns(...calls)),
  };
}

interface Pair {
  readonly malloc: TrialFunction;
  readonly frees: readonly [TrialFunction, ...TrialFunction[]];
}

/** From the innermost layer outwards: below malloc lies what takes memory from the system, which no free gives back to. */
function pairOf(
  mallocs: readonly TrialFunction[],
  freesOf: (malloc: TrialFunction) => readonly TrialFunction[],
): Pair | undefined {
  for (let left = mallocs; left.length > 0; ) {
    const malloc = innermost(left) ?? left[0];
    if (malloc === undefined) return undefined;
    const [free, ...others] = allInnermost(freesOf(malloc));
    if (free !== undefined) return { malloc, frees: [free, ...others] };
    left = left.filter(({ index }) => index !== malloc.index);
  }
  return undefined;
}

/** try.1: those that most functions call first. */
function allInnermost(all: readonly TrialFunction[]): TrialFunction[] {
  const isAbove = (it: TrialFunction, other: TrialFunction): boolean =>
    it.calls.has(other.index) || (it.reaches(other.index) && !other.reaches(it.index));
  const inner = all.filter((it) => !all.some((other) => other !== it && isAbove(it, other)));
  return inner.sort((one, other) => other.callers - one.callers);
}

const innermost = (all: readonly TrialFunction[]): TrialFunction | undefined => allInnermost(all)[0];

/** A block that the trial has, whose bytes are all `mark`. */
interface Block {
  readonly address: number;
  readonly size: number;
  readonly mark: number;
}

/** What an instance must do to pass. */
class TrialHeap {
  readonly #instance: TrialInstance;
  #mark = 0;

  constructor(instance: TrialInstance) {
    this.#instance = instance;
  }

  of(it: TrialFunction): Call {
    return this.#instance.of(it);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#instance.memory.buffer);
  }

  /** A block full of a mark of its own. Throws where there is none. */
  #taken(result: unknown, size: number): Block {
    const address = typeof result === 'number' ? result >>> 0 : 0;
    if (address === 0 || address % 4 !== 0 || address + size > this.#bytes.length) throw new Error('no block');
    this.#mark = (this.#mark % 250) + 1;
    this.#bytes.fill(this.#mark, address, address + size);
    return { address, size, mark: this.#mark };
  }

  #isWhole({ address, size, mark }: Block): boolean {
    return this.#bytes.subarray(address, address + size).every((byte) => byte === mark);
  }

  #blocks(malloc: Call, count: number): Block[] {
    return Array.from({ length: count }, (_, i) => {
      const size = kSizes[i % kSizes.length] ?? 8;
      return this.#taken(malloc(size), size);
    });
  }

  /** Blocks lie apart: a mark that is written over shows where they do not. */
  fill(malloc: Call, count: number): boolean {
    return this.#blocks(malloc, count).every((block) => this.#isWhole(block));
  }

  /** The power of two that divides all addresses of `it`, between blocks of malloc. */
  alignment(it: Call, malloc: Call): number {
    let bits = 0;
    for (let round = 0; round < 5; ++round) {
      for (const size of kSizes) {
        this.#taken(malloc(size + 4 * round), size);
        bits |= this.#taken(it(size), size).address;
      }
    }
    return (bits & -bits) >>> 0;
  }

  reuses(malloc: Call, free: Call): boolean {
    const living = this.#blocks(malloc, 40);
    const addresses = new Set<number>();
    for (let round = 0; round < kRounds; ++round) {
      const { address } = this.#taken(malloc(5000), 5000);
      addresses.add(address);
      free(address);
      if (addresses.size > kFewAddresses) return false;
    }
    if (!living.every((block) => this.#isWhole(block))) return false;
    const [kept, given] = [living.filter((_, i) => i % 2 === 0), living.filter((_, i) => i % 2 === 1)];
    for (const { address } of given) free(address);
    const again = given.map(({ size }) => this.#taken(malloc(size), size));
    return [...kept, ...again].every((block) => this.#isWhole(block));
  }

  resizes(realloc: Call, malloc: Call, free: Call): boolean {
    const living = this.#blocks(malloc, 20);
    const addresses = new Set<number>();
    for (let round = 0; round < kRounds; ++round) {
      const before = this.#taken(malloc(kCopied), kCopied);
      const moved = { ...before, address: Number(realloc(before.address, 2 * kCopied)) >>> 0 };
      if (moved.address === 0 || !this.#isWhole(moved)) return false;
      const { address } = this.#taken(moved.address, 2 * kCopied);
      addresses.add(address);
      free(address);
      if (addresses.size > kFewAddresses) return false;
    }
    return living.every((block) => this.#isWhole(block));
  }

  clears(calloc: Call, malloc: Call, free: Call): boolean {
    for (let round = 0; round < 20; ++round) {
      const dirty = this.#taken(malloc(91), 91);
      free(dirty.address);
      const address = Number(calloc(7, 13)) >>> 0;
      if (address === 0 || !this.#bytes.subarray(address, address + 91).every((byte) => byte === 0)) return false;
      const [one, other] = [this.#taken(address, 91), this.#taken(malloc(91), 91)];
      if (!this.#isWhole(one) || !this.#isWhole(other)) return false;
      free(one.address);
      free(other.address);
    }
    return true;
  }

  aligns(memalign: Call, malloc: Call, free: Call): boolean {
    const aligned = (alignment: number): Block => {
      const size = 2 * alignment; // some refuse what is no multiple
      const block = this.#taken(memalign(alignment, size), size);
      if (block.address % alignment !== 0) throw new Error('not aligned');
      return block;
    };
    const blocks = [64, 256, 64, 256, 1024].flatMap((alignment) => [aligned(alignment), this.#taken(malloc(24), 24)]);
    if (!blocks.every((block) => this.#isWhole(block))) return false;
    const addresses = new Set<number>();
    for (let round = 0; round < kRounds; ++round) {
      const { address } = aligned(1024);
      addresses.add(address);
      free(address);
      if (addresses.size > kFewAddresses) return false;
    }
    const areWhole = blocks.every((block) => this.#isWhole(block));
    for (const { address } of blocks) free(address);
    return areWhole;
  }

  /** memalign out of a posix_memalign, which stores the block's address at a place and gives 0. */
  stored(posixMemalign: Call, malloc: Call): Call {
    const place = this.#taken(malloc(8), 8).address;
    return (alignment, size) => {
      if (posixMemalign(place, alignment ?? 0, size ?? 0) !== 0) throw new Error('it fails');
      return new DataView(this.#bytes.buffer).getUint32(place, true);
    };
  }
}
