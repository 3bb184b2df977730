// Sentences about calls: how an operation begins and ends, and what was searched and tried on the way.

import { formatAddress, formatBytes } from '../base/format.ts';
import { CommandFlag, kOpNames, kStatusTexts, kTrialNames, Op, Source, Status } from '../protocol/event_layout.ts';
import { type Event, hasWorked } from './decode.ts';
import { type Describe, plural, type Sentence, sentence, strong } from './sentence.ts';

export const kCallSentences = {
  opBegun: (event) => describeBegin(event),
  opEnded: (event) => describeEnd(event),
  binSearched: (event) => describeSearch(event),
  commandTried: ({ detail, b, c }) => {
    const way = kTrialNames.get(detail & 0xff) ?? 'a way';
    const outcome = hasWorked(detail) ? 'works' : 'does not reach';
    return sentence(`${way} ${outcome}: ${formatBytes(b)} wanted, `, strong(`${formatBytes(c)}`), ' available');
  },
} satisfies Record<string, Describe>;

const kBegins: Readonly<Record<Op, Describe>> = {
  [Op.allocate]: ({ b }) => sentence('allocate ', strong(formatBytes(b))),
  [Op.allocateZeroed]: ({ b }) => sentence('allocate ', strong(formatBytes(b)), ', zeroed'),
  [Op.allocateAligned]: ({ b, c }) => sentence('allocate ', strong(formatBytes(b)), ` aligned to ${formatBytes(c)}`),
  [Op.deallocate]: ({ a }) => (a === 0 ? sentence('free nothing') : sentence(`free the block at ${formatAddress(a)}`)),
  [Op.reallocate]: ({ a, b, c }) =>
    sentence(`make the block at ${formatAddress(a)} `, strong(formatBytes(b)), c === 1 ? ', in place only' : ''),
  [Op.command]: ({ a, b, c }) => {
    const reuse = a === 0 ? '' : `, from the block at ${formatAddress(a)}`;
    return sentence(`command ${commandText(c)}: `, strong(formatBytes(b)), ` preferred${reuse}`);
  },
  [Op.burstNodes]: ({ b, c }) => sentence('allocate ', strong(plural(c, 'block')), ` of ${formatBytes(b)} at once`),
  [Op.burstArrays]: ({ b, c }) =>
    sentence('allocate ', strong(plural(c, 'array')), ` of ${formatBytes(b)} objects at once`),
  [Op.burstDeallocate]: ({ c }) => sentence('free ', strong(plural(c, 'block')), ' at once'),
  [Op.trim]: ({ b }) => sentence('trim: give whole pages back, keep ', strong(formatBytes(b)), ' of top'),
  [Op.poolAllocate]: ({ b, c }) => sentence(`take a node of `, strong(formatBytes(b)), ` from pool ${c}`),
  [Op.poolDeallocate]: ({ a, c }) => sentence(`return the node at ${formatAddress(a)} to pool ${c}`),
  [Op.poolBurst]: ({ b, c }) => sentence('take ', strong(plural(b, 'node')), ` from pool ${c} at once`),
  [Op.poolBurstDeallocate]: ({ b, c }) => sentence('return ', strong(plural(b, 'node')), ` to pool ${c} at once`),
  [Op.poolTrim]: ({ c }) => sentence(`pool ${c} gives its free blocks back`),
  [Op.poolCreate]: ({ b }) => sentence(`make a pool for nodes of `, strong(formatBytes(b))),
  [Op.poolDestroy]: ({ c }) => sentence(`end pool ${c}`),
  [Op.heapCreate]: () => sentence('make a heap'),
  [Op.heapDestroy]: ({ heap }) => sentence(`end heap ${heap}`),
  [Op.smallAllocate]: ({ b }) => sentence('small front: allocate ', strong(formatBytes(b))),
  [Op.smallDeallocate]: ({ a }) =>
    a === 0 ? sentence('small front: free nothing') : sentence(`small front: free the block at ${formatAddress(a)}`),
  [Op.smallSqueeze]: () => sentence('small front: give every wholly free span back'),
  [Op.smallFlush]: () => sentence("small front: empty the thread's cache into the central lists"),
  [Op.mallocFlush]: () => sentence('flush the cache into the heap'),
  [Op.bulkFree]: ({ c }) => sentence('free ', strong(plural(c, 'block')), ' in one call'),
};

export function describeBegin(event: Event): Sentence {
  const begin: Describe | undefined = kBegins[event.detail as Op];
  return begin?.(event) ?? sentence(`operation ${event.detail}, which is not known`);
}

/** The names of a command's flags, as the header writes them. */
export function commandText(flags: number): string {
  const names: readonly (readonly [number, string])[] = [
    [CommandFlag.allocateNew, 'allocate_new'],
    [CommandFlag.expandFwd, 'expand_fwd'],
    [CommandFlag.expandBwd, 'expand_bwd'],
    [CommandFlag.shrinkInPlace, 'shrink_in_place'],
    [CommandFlag.tryShrinkInPlace, 'try_shrink_in_place'],
  ];
  const set = names.filter(([flag]) => (flags & flag) !== 0).map(([, name]) => name);
  return set.length === 0 ? 'no command' : set.join(' | ');
}

function describeEnd({ detail, a, b, c }: Event): Sentence {
  const name = (kOpNames.get(detail) ?? 'operation').replaceAll('_', ' ');
  if (c !== Status.ok) return sentence(`${name} fails: ${kStatusTexts.get(c) ?? `status ${c}`}`);
  switch (detail as Op) {
    case Op.burstNodes:
    case Op.burstArrays:
      return sentence(`${name} gives `, strong(plural(b, 'block')));
    case Op.poolBurst:
      return sentence(`${name} gives `, strong(plural(b, 'node')));
    case Op.poolTrim:
      return sentence(`${name} gave `, strong(plural(b, 'block')), ' back');
    case Op.trim:
    case Op.smallSqueeze:
    case Op.mallocFlush:
      return sentence(`${name} gave `, strong(formatBytes(b)), ' back');
    case Op.heapCreate:
      return sentence(`the heap is at ${formatAddress(a)}, its segment has `, strong(formatBytes(b)));
    case Op.poolCreate:
      return sentence(`the pool is at ${formatAddress(a)}`);
    default:
      if (a === 0) return sentence(`${name} is done`);
      return sentence(`${name} gives the address ${formatAddress(a)}, `, strong(formatBytes(b)), ' usable');
  }
}

function describeSearch({ detail, a, b, c }: Event): Sentence {
  const wanted = formatBytes(a);
  const found = strong(formatBytes(b));
  switch (c as Source) {
    case Source.exactBin:
      return sentence(`bin ${detail} has a chunk of exactly `, found);
    case Source.largerBin:
      return sentence(`bin ${detail} has nothing for ${wanted}; the next larger bin gives a chunk of `, found);
    case Source.victim:
      return sentence(`bin ${detail} has nothing for ${wanted}; the victim of `, found, ' serves');
    case Source.top:
      return sentence(`no bin has ${wanted}; top of `, found, ' serves');
    case Source.ownBinScan:
      return sentence(`bin ${detail} has a chunk of `, found, `, enough for ${wanted}`);
    case Source.none:
      return sentence(`no free chunk has `, strong(wanted));
    default:
      return sentence(`bin ${detail} was searched for ${wanted}`);
  }
}
