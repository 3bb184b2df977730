// Frees of addresses at which a foreign heap's trace has no block: how many, of which kind, and what that means.
//
//   in a block     taken as that block's free (event.P10): no block is unknown, but the program may be wrong
//   replaced       no free: a block begins where one still lived. That one is held to be freed unseen (event.P7)
//   never seen     the module has given out blocks by a function that is not wrapped: a realloc or calloc without a known name; or it was run
//                  before it was packed (Wizer), and has blocks from then among its data
//   below all      its address lies below every block of the trace, so it is no block of this heap: of the stack, or of static data. Where a
//                  function that is not wrapped gave out the heap's first blocks, it is one of these
//   freed before   the same, at an address that was free; or the program has freed the block twice
//
//   uf.2  Where no block was recorded at all, none lies below: then nothing says that a free is of the stack.
//   uf.1  The last two are told apart by the trace alone. It does not say whether each function was found, so the second is never called a
//           double free alone: an address that such a function gives out may have been another block's before.

import { formatAddress, formatCount } from '../base/format.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { ForeignFrees } from './placed_blocks.ts';
import { kEventWords, kindOf, kSegmentEvents, type Trace } from './trace.ts';

interface Kind {
  count: number;
  address: number; // of the first
  event: number;
}

const kRemedy = 'name it: heapglass instrument --realloc, --calloc or --memalign';

const kAligned = 'name what gives aligned blocks: heapglass instrument --memalign or --malloc';

/** One sentence for each kind, without its full stop. */
export function unknownFrees(trace: Trace): string[] {
  const { inside, block, never, below, twice, freed, frees } = countFrees(trace);
  const sentences: string[] = [];
  const first = ({ address, event }: Kind) => `the first is ${formatAddress(address)} at event ${formatCount(event)}`;
  if (inside.count > 0) {
    const one = inside.count === 1;
    const where = `${formatCount(inside.address - block)} bytes inside the block at ${formatAddress(block)}`;
    const what = `${formatCount(inside.count)} ${one ? 'free names' : 'frees name'} an address inside a block (${first(inside)}, ${where})`;
    const taken = `taken as ${one ? "that block's free" : "those blocks' frees"}`;
    sentences.push(
      `${what}: ${taken}, as of a memalign that is part of its caller; else ${one ? 'it is' : 'they are'} the program's mistake`,
    );
  }
  if (frees.replaced > 0) {
    const one = frees.replaced === 1;
    const where = `the first is ${formatAddress(trace.a(frees.firstReplaced))} at event ${formatCount(frees.firstReplaced)}`;
    const what = `${formatCount(frees.replaced)} ${one ? 'block begins' : 'blocks begin'} where one lived by this trace (${where})`;
    const left = `${one ? 'that one' : 'each of those'} was freed by a function that was not found, or lives on behind a front that memalign gave back`;
    sentences.push(`${what}: ${left}; then its bytes are missing here; ${kAligned}`);
  }
  if (never.count > 0) {
    const what = `${freesOf(never)} whose allocation is not in this trace (${first(never)})`;
    const earlier = `or ${never.count === 1 ? 'it was' : 'they were'} in the module's data before it began, as of a program that Wizer has run`;
    sentences.push(`${what}: the module allocates by a function that was not found; ${kRemedy}; ${earlier}`);
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

/** block: that the first of `inside` is in; freed: when the first of `twice` was freed before. */
function countFrees(trace: Trace) {
  const lowest = lowestBlock(trace);
  const freedAt = new Map<number, number>();
  const [inside, never, below, twice] = [nothing(), nothing(), nothing(), nothing()];
  let [block, freed] = [0, 0];
  const count = (kind: Kind, address: number, event: number): boolean => {
    if (kind.count++ > 0) return false;
    kind.address = address;
    kind.event = event;
    return true;
  };
  const frees = new ForeignFrees(trace, (address, event, begin) => {
    const before = freedAt.get(address) ?? -1;
    freedAt.set(address, event);
    if (begin === address) return;
    if (begin !== undefined) {
      freedAt.set(begin, event);
      if (count(inside, address, event)) block = begin;
    } else if (address < lowest) count(below, address, event);
    else if (before <= frees.lostAt) count(never, address, event);
    else if (count(twice, address, event)) freed = before;
  });
  frees.readTo(trace.count);
  return { inside, block, never, below, twice, freed, frees };
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
