// What a program did wrong, where an event cannot be applied because of it: a block freed twice, or an address freed that is none.
//
//   misuse.1  It is a free or a resize whose address is not in use by what the trace says. Everything else that contradicts is damage.
//   misuse.2  The allocator's own events decide: the last one before the call that took or gave back the chunk of this address.

import { formatAddress, formatCount } from '../../base/format.ts';
import { EventKind, Op } from '../../protocol/event_layout.ts';
import { detailOf, type Trace } from '../../trace/trace.ts';

/** A block as the trace knows it. */
interface Known {
  /** Where its chunk begins, and how many bytes it has. */
  readonly chunk: number;
  readonly size: number;
  readonly request: number; // bytes asked for
  readonly taken: number; // event
  /** The event that freed it; undefined: it is in use. */
  readonly freed: number | undefined;
}

const kGives = new Set<number>([EventKind.chunkTaken, EventKind.chunkReused, EventKind.blockAllocated]);
const kTakes = new Set<number>([EventKind.chunkCached, EventKind.chunkReleased, EventKind.blockFreed]);
const kFrees = new Set<number>([Op.deallocate, Op.reallocate]);
const kMostInside = 4096; // events of one call that are looked at

/**
 * In a sentence without its full stop; undefined: it is none. `siteOf`: the function that an event was made for, if that is known.
 * pre: event `seq` cannot be applied
 */
export function misuseAt(
  trace: Trace,
  seq: number,
  wordSize: number,
  siteOf: (event: number) => string | undefined,
): string | undefined {
  const call = callAround(trace, seq, wordSize);
  if (call === undefined) return undefined;
  const place = (event: number) => {
    const site = siteOf(event);
    return `at event ${formatCount(event)}${site === undefined ? '' : ` in ${site}`}`;
  };
  const what = `${formatAddress(call.address)} is freed ${place(call.begin)}`;
  const known = knownAt(trace, call.begin, call.address - wordSize);
  if (known === undefined) return `a foreign pointer: ${what}, and no block begins there`;
  const { chunk, request, taken, freed } = known;
  const block = formatAddress(chunk + wordSize);
  if (chunk + wordSize !== call.address) {
    if (freed !== undefined) return `a foreign pointer: ${what}, and no block begins there`;
    const inside = `${formatCount(call.address - chunk - wordSize)} bytes inside the block at ${block}`;
    return `a foreign pointer: ${what}, and lies ${inside} (${formatCount(request)} bytes, allocated ${place(taken)})`;
  }
  if (freed === undefined) return undefined;
  return `a double free: ${what}, and was freed already ${place(freed)} (${formatCount(request)} bytes, allocated ${place(taken)})`;
}

/** The free or resize that an event belongs to. */
function callAround(trace: Trace, seq: number, wordSize: number): { address: number; begin: number } | undefined {
  let inner = 0;
  for (let event = seq; event >= 0 && event > seq - kMostInside; --event) {
    const kind = trace.kind(event);
    if (kind === EventKind.opEnded && event !== seq) ++inner;
    else if (kind === EventKind.opBegun && inner-- === 0) {
      return kFrees.has(detailOf(trace.head(event))) ? { address: trace.a(event), begin: event } : undefined;
    }
  }
  // A free that the cache serves is one event by itself.
  return trace.kind(seq) === EventKind.chunkCached ? { address: trace.a(seq) + wordSize, begin: seq } : undefined;
}

/** The chunk that begins at an address, or else the one in use that it lies in, before an event. */
function knownAt(trace: Trace, before: number, chunk: number): Known | undefined {
  const taken = new Map<number, Known>(); // those that have the address inside
  for (let event = 0; event < before; ++event) {
    const kind = trace.kind(event);
    const isGiven = kGives.has(kind);
    if (!isGiven && !kTakes.has(kind)) continue;
    const [at, size] = [trace.a(event), trace.b(event)];
    const old = taken.get(at);
    if (isGiven && at <= chunk && chunk < at + size) {
      const request = kind === EventKind.blockAllocated ? size : trace.c(event);
      taken.set(at, { chunk: at, size, request, taken: event, freed: undefined });
    } else if (isGiven) taken.delete(at);
    else if (old !== undefined) taken.set(at, { ...old, freed: old.freed ?? event });
  }
  return taken.get(chunk) ?? [...taken.values()].find(({ freed }) => freed === undefined);
}
