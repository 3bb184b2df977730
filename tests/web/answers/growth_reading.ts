// The growths of a trace, read from its raw events by hand: a second, slow opinion on answers/growths.ts that shares nothing with the
// model. A heap is a sorted list of chunks, which the events cut and join.

import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { detailOf, heapOf, type Trace } from '../../../web/src/trace/trace.ts';

export interface Chunk {
  size: number;
  used: boolean;
  inUse?: number; // of a slab: its blocks in use
}

const pinsOf = ({ used, inUse }: Chunk): number => (used ? Math.max(1, inUse ?? 1) : 0);

/** What the events say of one call that grew a heap. */
export interface ReadGrowth {
  readonly begin: number; // of the call
  readonly event: number;
  readonly heap: number;
  readonly begins: boolean;
  readonly request: number;
  readonly needed: number;
  readonly free: number;
  readonly pieces: number;
  readonly largest: number;
  /** Footprint of the heap before and after. */
  readonly from: number;
  readonly to: number;
  readonly refused: boolean;
  /** Fewest blocks whose removal makes a piece of `needed`; undefined: none does. */
  readonly pins: number | undefined;
}

interface Segment {
  readonly heap: number;
  size: number;
}

export class RawHeaps {
  readonly chunks = new Map<number, Chunk>();
  readonly segments = new Map<number, Segment>();
  readonly slabs = new Map<number, Chunk>(); // by the KiB in which their blocks lie
  readonly blocks = new Set<number>(); // of slabs, in use
  readonly word: number;

  constructor(word: number) {
    this.word = word;
  }

  apply(kind: number, heap: number, a: number, b: number, c: number, detail: number): void {
    const { chunks, segments, word } = this;
    const at = (address: number) => chunks.get(address) as Chunk;
    if (kind === EventKind.segmentAdded) {
      segments.set(a, { heap, size: b });
      chunks.set(c, { size: a + b - word - c, used: false });
    } else if (kind === EventKind.segmentExtended) {
      (segments.get(a) as Segment).size = c;
      chunks.set(a + b - word, { size: c - b, used: false });
    } else if (kind === EventKind.segmentTrimmed) {
      (segments.get(a) as Segment).size = c;
      chunks.delete(a + c - word);
    } else if (kind === EventKind.segmentRemoved) {
      segments.delete(a);
      chunks.delete(c);
    } else if (kind === EventKind.chunkSplit) {
      const { used } = at(a);
      chunks.set(a, { size: b, used });
      chunks.set(a + b, { size: c, used: false });
    } else if (kind === EventKind.chunksMerged) {
      chunks.delete(a + b);
      chunks.set(a, { size: b + c, used: detail !== 0 });
    } else if (kind === EventKind.chunkTaken) at(a).used = true;
    else if (kind === EventKind.chunkReleased) at(a).used = false;
    else if (kind === EventKind.burstCarved) {
      for (let i = 0; i < c; ++i) chunks.set(a + i * b, { size: b, used: true });
    } else if (kind === EventKind.slabMade && c > 0) this.#makeSlab(a);
    else if (kind === EventKind.slabEnded && c > 0) this.#endSlab(a, b);
    else if (kind === EventKind.chunkReused || kind === EventKind.chunkCached) {
      const slab = detail >= 0x100 ? this.slabs.get((a + word) >>> 10) : undefined;
      const inUse = this.blocks.has(a);
      if (slab === undefined || inUse === (kind === EventKind.chunkReused)) return;
      slab.inUse = (slab.inUse ?? 0) + (inUse ? -1 : 1);
      if (inUse) this.blocks.delete(a);
      else this.blocks.add(a);
    }
  }

  #makeSlab(a: number): void {
    const chunk = this.chunks.get(a) as Chunk;
    chunk.inUse = 0;
    for (let kib = (a + this.word) >>> 10; kib << 10 < a + chunk.size; ++kib) this.slabs.set(kib, chunk);
  }

  /** event.P8: blocks in use become chunks in use, and what lies between until it is released. */
  #endSlab(a: number, bytes: number): void {
    const { size } = this.chunks.get(a) as Chunk;
    for (let kib = (a + this.word) >>> 10; kib << 10 < a + size; ++kib) this.slabs.delete(kib);
    const own = [...this.blocks].filter((at) => at >= a && at < a + size).sort((one, two) => one - two);
    this.chunks.set(a, { size: (own[0] ?? a + size) - a, used: true });
    own.forEach((at, i) => {
      this.blocks.delete(at);
      const limit = own[i + 1] ?? a + size;
      const has = bytes + 2 * this.word;
      const isShort = limit - at - has < 4 * this.word;
      this.chunks.set(at, { size: isShort ? limit - at : has, used: true });
      if (!isShort) this.chunks.set(at + has, { size: limit - at - has, used: true });
    });
  }

  /** By segment, in the order of addresses. */
  of(heap: number): Chunk[][] {
    const addresses = [...this.chunks.keys()].sort((one, two) => one - two);
    return [...this.segments]
      .filter(([, segment]) => segment.heap === heap)
      .map(([base, { size }]) =>
        addresses.filter((at) => at >= base && at < base + size).map((at) => this.chunks.get(at) as Chunk),
      );
  }

  footprint(heap: number): number {
    let sum = 0;
    for (const segment of this.segments.values()) if (segment.heap === heap) sum += segment.size;
    return sum;
  }
}

/** Every set of neighbours is tried: O(chunks squared). */
function fewestPins(segments: readonly Chunk[][], needed: number): number | undefined {
  let fewest: number | undefined;
  for (const chunks of segments) {
    for (let first = 0; first < chunks.length; ++first) {
      let size = 0;
      let used = 0;
      for (let last = first; last < chunks.length && size < needed; ++last) {
        const chunk = chunks[last] as Chunk;
        size += chunk.size;
        used += pinsOf(chunk);
      }
      if (size >= needed && (fewest === undefined || used < fewest)) fewest = used;
    }
  }
  return fewest;
}

interface Found {
  readonly event: number;
  readonly heap: number;
  to: number;
  refused: boolean;
  needed: number | undefined;
}

/** pre: no event is lost, and the heaps are heapglass's own */
export function readGrowths(trace: Trace, word: number): ReadGrowth[] {
  const heaps = new RawHeaps(word);
  const growths: ReadGrowth[] = [];
  let depth = 0;
  let call:
    | {
        readonly begin: number;
        readonly request: number;
        readonly op: number;
        readonly copy: Map<number, Chunk[][]>;
        readonly footprints: Map<number, number>;
      }
    | undefined;
  let found: Found | undefined;
  const willGrow = growingCalls(trace);
  for (let seq = 0; seq < trace.count; ++seq) {
    const [head, a, b, c] = [trace.head(seq), trace.a(seq), trace.b(seq), trace.c(seq)];
    const kind = trace.kind(seq);
    const heap = heapOf(head);
    if (kind === EventKind.opBegun && depth++ === 0 && willGrow.has(seq)) {
      const ids = new Set([...heaps.segments.values()].map((segment) => segment.heap));
      const copies = [...ids].map(
        (id) => [id, heaps.of(id).map((chunks) => chunks.map((chunk) => ({ ...chunk })))] as const,
      );
      const footprints = new Map([...ids].map((id) => [id, heaps.footprint(id)]));
      const counted = ![Op.poolBurst, Op.burstArrays].some((op) => op === detailOf(head));
      call = { begin: seq, request: counted ? b : 0, op: detailOf(head), copy: new Map(copies), footprints };
    }
    const isStep =
      kind === EventKind.memoryGrown || kind === EventKind.segmentAdded || kind === EventKind.segmentExtended;
    heaps.apply(kind, heap, a, b, c, detailOf(head));
    if (isStep) {
      found ??= { event: seq, heap, to: 0, refused: false, needed: undefined };
      if (kind === EventKind.memoryGrown && detailOf(head) === 0) found.refused = true;
      found.needed = undefined;
      found.to = heaps.footprint(found.heap);
    } else if (kind === EventKind.binSearched && found !== undefined && heap === found.heap) found.needed ??= a;
    if (kind !== EventKind.opEnded || --depth > 0) continue;
    if (found !== undefined && call !== undefined) growths.push(growthFrom(found, call, word));
    found = undefined;
    call = undefined;
  }
  return growths;
}

function growthFrom(
  found: Found,
  call: {
    readonly begin: number;
    readonly request: number;
    readonly copy: Map<number, Chunk[][]>;
    readonly footprints: Map<number, number>;
  },
  word: number,
): ReadGrowth {
  const segments = call.copy.get(found.heap) ?? [];
  const free = segments.flat().filter(({ used }) => !used);
  const least = Math.max(4 * word, Math.ceil((call.request + word) / (2 * word)) * 2 * word);
  const needed = found.needed ?? least;
  return {
    begin: call.begin,
    event: found.event,
    heap: found.heap,
    begins: !call.copy.has(found.heap),
    request: call.request,
    needed,
    free: free.reduce((sum, { size }) => sum + size, 0),
    pieces: free.length,
    largest: free.reduce((most, { size }) => Math.max(most, size), 0),
    from: call.footprints.get(found.heap) ?? 0,
    to: found.to,
    refused: found.refused,
    pins: fewestPins(segments, needed),
  };
}

/** The begins of calls in which a heap grows: only of them the heaps are copied. */
function growingCalls(trace: Trace): Set<number> {
  const begins = new Set<number>();
  let depth = 0;
  let begin = 0;
  for (let seq = 0; seq < trace.count; ++seq) {
    const kind = trace.kind(seq);
    if (kind === EventKind.opBegun && depth++ === 0) begin = seq;
    else if (kind === EventKind.opEnded) depth -= 1;
    else if ([EventKind.memoryGrown, EventKind.segmentAdded, EventKind.segmentExtended].some((step) => step === kind))
      begins.add(begin);
  }
  return begins;
}
