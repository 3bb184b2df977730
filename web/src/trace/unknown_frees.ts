// Frees of blocks that a foreign heap's trace did not see allocated: how many, of which kind, and what that means.
//
//   never seen     the module has given out blocks by a function that is not wrapped: a realloc or calloc without a known name
//   below all      its address lies below every block of the trace, so it is no block of this heap: of the stack, or of static data. Where a
//                  function that is not wrapped gave out the heap's first blocks, it is one of these
//   freed before   the same, at an address that was free; or the program has freed the block twice
//
//   uf.2  Where no block was recorded at all, none lies below: then nothing says that a free is of the stack.
//   uf.1  Both kinds are told apart by the trace alone. It does not say whether each function was found, so the second is never called a
//           double free alone: an address that such a function gives out may have been another block's before.

import { formatAddress, formatCount } from '../base/format.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords, kindOf, kSegmentEvents, type Trace } from './trace.ts';

interface Kind {
  count: number;
  address: number; // of the first
  event: number;
}

const kRemedy = 'name it: heapglass instrument --realloc, --calloc or --memalign';

/** One sentence for each kind, without its full stop. */
export function unknownFrees(trace: Trace): string[] {
  const { never, below, twice, freed } = countFrees(trace);
  const sentences: string[] = [];
  const first = ({ address, event }: Kind) => `the first is ${formatAddress(address)} at event ${formatCount(event)}`;
  if (never.count > 0) {
    const what = `${freesOf(never)} whose allocation is not in this trace (${first(never)})`;
    sentences.push(`${what}: the module allocates by a function that was not found; ${kRemedy}`);
  }
  if (below.count > 0) {
    const what = `${freesAre(below)} of ${below.count === 1 ? 'an address' : 'addresses'} below every block of this trace (${first(below)})`;
    const more = never.count > 0 ? 'the function that was not found' : `a function that was not found; ${kRemedy}`;
    sentences.push(`${what}: of the stack or of static data, which malloc never gave, or blocks of ${more}`);
  }
  if (twice.count > 0) {
    const before = `freed at event ${formatCount(freed)}`;
    const what = `${freesOf(twice)} freed already (${first(twice)}, ${before})`;
    const found = never.count > 0 ? 'the function that was not found' : `a function that was not found; ${kRemedy}`;
    sentences.push(`${what}: ${twice.count === 1 ? 'a double free' : 'double frees'}, or blocks of ${found}`);
  }
  return sentences;
}

const freesAre = ({ count }: Kind): string => (count === 1 ? '1 free is' : `${formatCount(count)} frees are`);
const freesOf = (kind: Kind): string => `${freesAre(kind)} of ${kind.count === 1 ? 'a block' : 'blocks'}`;

function countFrees(trace: Trace): { never: Kind; below: Kind; twice: Kind; freed: number } {
  const lowest = lowestBlock(trace);
  const live = new Set<number>();
  const freedAt = new Map<number, number>();
  const [never, below, twice] = [nothing(), nothing(), nothing()];
  let freed = 0;
  const note = (kind: Kind, address: number, event: number) => {
    if (kind.count++ > 0) return;
    kind.address = address;
    kind.event = event;
    if (kind === twice) freed = freedAt.get(address) ?? 0;
  };
  for (let event = 0; event < trace.count; ++event) {
    const words = trace.segment(Math.floor(event / kSegmentEvents)) as Uint32Array;
    const at = (event % kSegmentEvents) * kEventWords;
    const kind = kindOf(words[at] as number);
    const address = words[at + 1] as number;
    if (kind === EventKind.eventsLost) {
      live.clear(); // what lives is restated behind it
      freedAt.clear();
    } else if (kind === EventKind.blockAllocated) live.add(address);
    else if (kind === EventKind.blockFreed) {
      if (!live.delete(address)) note(address < lowest ? below : freedAt.has(address) ? twice : never, address, event);
      freedAt.set(address, event);
    }
  }
  return { never, below, twice, freed };
}

/** 0: there is no block. */
function lowestBlock(trace: Trace): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let event = 0; event < trace.count; ++event) {
    const words = trace.segment(Math.floor(event / kSegmentEvents)) as Uint32Array;
    const at = (event % kSegmentEvents) * kEventWords;
    if (kindOf(words[at] as number) === EventKind.blockAllocated) lowest = Math.min(lowest, words[at + 1] as number);
  }
  return Number.isFinite(lowest) ? lowest : 0; // uf.2
}

const nothing = (): Kind => ({ count: 0, address: 0, event: 0 });
