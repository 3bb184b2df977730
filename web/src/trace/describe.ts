// One sentence about each event, with the number that matters in it. Exhaustive: a new kind of event is an error here
// when compiling.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import {
  CommandFlag,
  EventKind,
  kOpNames,
  kStatusTexts,
  kTrialNames,
  kWalkEvent,
  kWalkNames,
  Op,
  Shape,
  Source,
  Status,
} from '../protocol/event_layout.ts';
import { type Event, hasWorked } from './decode.ts';
import { type Sentence, sentence, strong } from './sentence.ts';
import { MarkCode } from './texts.ts';

const kMemoryPage = 65_536;

/** "pool 4 is ..." */
const kShapeTexts: Readonly<Record<Shape, string>> = {
  [Shape.segregated]: 'segregated',
  [Shape.adaptive]: 'adaptive',
  [Shape.alignedOnly]: 'aligned only',
  [Shape.sizeClass]: 'a size class of the small front',
  [Shape.fixedBlock]: 'of fixed blocks, handed out by their manager',
  [Shape.lockFree]: 'lock-free, handed out by its owner',
  [Shape.fixedSize]: 'the fixed-size path of a memory pool',
};

const plural = (count: number, one: string, many = `${one}s`) => `${formatCount(count)} ${count === 1 ? one : many}`;

export function describeEvent(event: Event): Sentence {
  const { kind, detail, a, b, c } = event;
  if (kind >= kWalkEvent) {
    const what = (kWalkNames.get(kind - kWalkEvent) ?? 'record').replaceAll('_', ' ');
    return sentence(`snapshot: ${what} at ${formatAddress(a)}, `, strong(formatBytes(b)));
  }
  switch (kind) {
    case EventKind.heapCreated:
      if (detail === 0) return sentence(`heap ${event.heap} is foreign: only its blocks are known`);
      return sentence(`heap ${event.heap} is made at ${formatAddress(a)}, with words of `, strong(formatBytes(detail)));
    case EventKind.heapDestroyed:
      return sentence(`heap ${event.heap} ends`);
    case EventKind.memoryGrown:
      return detail !== 0
        ? sentence(
            `linear memory is now `,
            strong(formatBytes(b * kMemoryPage)),
            `, before ${formatBytes(a * kMemoryPage)}`,
          )
        : sentence('linear memory cannot grow by ', strong(formatBytes(c)));
    case EventKind.segmentAdded:
      return sentence('a segment of ', strong(formatBytes(b)), ` begins at ${formatAddress(a)}`);
    case EventKind.segmentExtended:
      return sentence(`the segment at ${formatAddress(a)} grows from ${formatBytes(b)} to `, strong(formatBytes(c)));
    case EventKind.segmentTrimmed:
      return sentence(`the segment at ${formatAddress(a)} shrinks from ${formatBytes(b)} to `, strong(formatBytes(c)));
    case EventKind.segmentRemoved:
      return sentence(`the segment at ${formatAddress(a)} goes back, `, strong(formatBytes(b)));
    case EventKind.opBegun:
      return describeBegin(event);
    case EventKind.opEnded:
      return describeEnd(event);
    case EventKind.binSearched:
      return describeSearch(event);
    case EventKind.commandTried: {
      const way = kTrialNames.get(detail & 0xff) ?? 'a way';
      const outcome = hasWorked(detail) ? 'works' : 'does not reach';
      return sentence(`${way} ${outcome}: ${formatBytes(b)} wanted, `, strong(`${formatBytes(c)}`), ' available');
    }
    case EventKind.chunkSplit:
      return sentence(
        `the chunk at ${formatAddress(a)} is cut after ${formatBytes(b)}; the `,
        strong(formatBytes(c)),
        ' behind are free',
      );
    case EventKind.chunksMerged: {
      const who = detail === 0 ? 'free chunks' : 'a chunk in use and a free one';
      return sentence(
        `${who} of ${formatBytes(b)} and ${formatBytes(c)} join at ${formatAddress(a)} to `,
        strong(formatBytes(b + c)),
      );
    }
    case EventKind.chunkTaken:
      return sentence(
        `the chunk at ${formatAddress(a)} is in use, `,
        strong(formatBytes(b)),
        ` for ${formatBytes(c)} asked`,
      );
    case EventKind.chunkReleased:
      return sentence(`the chunk at ${formatAddress(a)} is free, `, strong(formatBytes(b)));
    case EventKind.burstCarved:
      return sentence(
        `the free chunk at ${formatAddress(a)} becomes `,
        strong(plural(c, 'chunk')),
        ` of ${formatBytes(b)} in use`,
      );
    case EventKind.blockAllocated:
      return sentence(`the program has a block at ${formatAddress(a)}, `, strong(formatBytes(b)));
    case EventKind.blockFreed:
      return sentence(`the block at ${formatAddress(a)} is free`);
    case EventKind.binInserted:
      return sentence(`the chunk at ${formatAddress(a)}, ${formatBytes(b)}, goes into bin `, strong(`${detail}`));
    case EventKind.binRemoved:
      return sentence(`the chunk at ${formatAddress(a)}, ${formatBytes(b)}, leaves bin `, strong(`${detail}`));
    case EventKind.topChanged:
      return a === 0
        ? sentence(`top at ${formatAddress(b)} is taken out`)
        : sentence(`top is now at ${formatAddress(a)}`);
    case EventKind.victimChanged:
      return a === 0
        ? sentence(`the victim at ${formatAddress(b)} is taken out`)
        : sentence(`the chunk at ${formatAddress(a)} is the designated victim`);
    case EventKind.poolCreated:
      return sentence(`pool ${detail} is made for nodes of `, strong(formatBytes(b)), `, ${formatCount(c)} a block`);
    case EventKind.poolShaped: {
      const shape = kShapeTexts[(c & 0xff) as Shape] ?? 'of an unknown shape';
      const cut = b === 0 ? '' : `: blocks of ${plural(b, 'sub-block')}, ${formatBytes(a)} each`;
      return sentence(`pool ${detail} is ${shape}${cut}`);
    }
    case EventKind.poolRuled:
      return sentence(`a block of pool ${detail} has `, strong(formatBytes(c)), `, its nodes begin at byte ${a}`);
    case EventKind.poolDestroyed:
      return sentence(`pool ${detail} ends`);
    case EventKind.blockMade:
      return sentence(`pool ${detail} gets a block at ${formatAddress(a)}, `, strong(formatBytes(b)));
    case EventKind.blockRetired:
      return sentence(`pool ${detail} gives the block at ${formatAddress(a)} back, `, strong(formatBytes(b)));
    case EventKind.blockInserted:
      return sentence(
        `the block at ${formatAddress(a)} enters the tree of pool ${detail} with `,
        strong(plural(c, 'free node')),
      );
    case EventKind.blockRemoved:
      return sentence(
        `the block at ${formatAddress(a)} leaves the tree of pool ${detail} with `,
        strong(plural(c, 'free node')),
      );
    case EventKind.blockMoved: {
      const place = c === 0 ? 'comes first' : `now follows the one at ${formatAddress(c)}`;
      return sentence(`the block at ${formatAddress(a)} ${place} in the tree of pool ${detail}`);
    }
    case EventKind.nodeTaken:
      return describeNode(event, 'is in use');
    case EventKind.nodeReturned:
      return describeNode(event, 'is free');
    case EventKind.batchFetched:
      return sentence(
        `thread ${c} fetches `,
        strong(plural(b, 'node')),
        ` of pool ${detail} from the central list, the first at ${formatAddress(a)}`,
      );
    case EventKind.batchStored:
      return sentence(
        `thread ${c} stores `,
        strong(plural(b, 'node')),
        ` of pool ${detail} in the central list, the first at ${formatAddress(a)}`,
      );
    case EventKind.threadChanged:
      return sentence('from here on ', strong(`thread ${a}`), ` acts, before it was thread ${b}`);
    case EventKind.chunkCached:
      return sentence(
        `thread ${c} puts the chunk at ${formatAddress(a)}, `,
        strong(formatBytes(b)),
        `, on cache list ${detail}`,
      );
    case EventKind.chunkReused:
      return sentence(
        `the chunk at ${formatAddress(a)}, ${formatBytes(b)}, leaves cache list ${detail} for `,
        strong(formatBytes(c)),
        ' asked',
      );
    case EventKind.cachedMoved:
      return sentence(
        `the chunk at ${formatAddress(a)} goes from ${cacheOf(b)} to ${cacheOf(c)}, size class `,
        strong(`${detail}`),
      );
    case EventKind.cachedEnded:
      return sentence(
        `the chunk at ${formatAddress(a)}, `,
        strong(formatBytes(b)),
        `, leaves ${holderOfList(detail, c)} for the heap`,
      );
    case EventKind.mark:
      return detail === MarkCode.named
        ? sentence('a mark with the text before it')
        : sentence(`mark ${detail}: ${a}, ${b}, ${c}`);
    case EventKind.checkpoint: {
      const hash = a.toString(16).padStart(8, '0');
      return sentence(`checkpoint: the walk of heap ${event.heap} has `, strong(plural(b, 'record')), `, hash ${hash}`);
    }
    case EventKind.eventsLost:
      return sentence(strong(plural(a, 'event')), a === 0 ? ' lost: recording began here' : ' lost');
    case EventKind.text:
      return sentence(`${detail} bytes of text`);
    case EventKind.stringDefined:
      return sentence(`the text has the number ${a}`);
    case EventKind.siteDefined:
      return sentence(`site ${a}: text ${c}`, b === 0 ? '' : `, called from site ${b}`);
    case EventKind.siteEntered:
      return sentence(`the next call comes from site ${a}`);
    case EventKind.snapshotBegun:
      return sentence('a snapshot of ', strong(plural(a, 'heap')), ' begins');
    case EventKind.snapshotHeap:
      return sentence(`heap ${event.heap}: `, strong(plural(b, 'walk record')));
    case EventKind.snapshotEnded:
      return sentence('the snapshot ends: the heaps are what it says');
    default:
      return unknownText(kind, 'an event of kind');
  }
}

/** The end of an exhaustive switch over what a file says: a number that event.h does not have. */
const unknownText = (value: never, what: string): Sentence => sentence(`${what} ${String(value)}, which is not known`);

/** Of malloc: who has a cached chunk. */
const cacheOf = (holder: number): string => (holder === 0 ? 'the central list' : `thread ${holder}`);
const holderOfList = (list: number, holder: number): string =>
  holder === 0 ? `central list ${list}` : `cache list ${list} of thread ${holder}`;

function describeNode({ detail, a, b, c }: Event, what: string): Sentence {
  const node = `the node at ${formatAddress(a)} of pool ${detail} ${what}`;
  return b === 0 ? sentence(node) : sentence(`${node}; its block has `, strong(plural(c, 'free node')), ' left');
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

export function describeBegin({ heap, detail, a, b, c }: Event): Sentence {
  const op = detail as Op;
  const at = formatAddress(a);
  switch (op) {
    case Op.allocate:
      return sentence('allocate ', strong(formatBytes(b)));
    case Op.allocateZeroed:
      return sentence('allocate ', strong(formatBytes(b)), ', zeroed');
    case Op.allocateAligned:
      return sentence('allocate ', strong(formatBytes(b)), ` aligned to ${formatBytes(c)}`);
    case Op.deallocate:
      return a === 0 ? sentence('free nothing') : sentence(`free the block at ${at}`);
    case Op.reallocate:
      return sentence(`make the block at ${at} `, strong(formatBytes(b)), c === 1 ? ', in place only' : '');
    case Op.command: {
      const reuse = a === 0 ? '' : `, from the block at ${at}`;
      return sentence(`command ${commandText(c)}: `, strong(formatBytes(b)), ` preferred${reuse}`);
    }
    case Op.burstNodes:
      return sentence('allocate ', strong(plural(c, 'block')), ` of ${formatBytes(b)} at once`);
    case Op.burstArrays:
      return sentence('allocate ', strong(plural(c, 'array')), ` of ${formatBytes(b)} objects at once`);
    case Op.burstDeallocate:
      return sentence('free ', strong(plural(c, 'block')), ' at once');
    case Op.trim:
      return sentence('trim: give whole pages back, keep ', strong(formatBytes(b)), ' of top');
    case Op.poolAllocate:
      return sentence(`take a node of `, strong(formatBytes(b)), ` from pool ${c}`);
    case Op.poolDeallocate:
      return sentence(`return the node at ${at} to pool ${c}`);
    case Op.poolBurst:
      return sentence('take ', strong(plural(b, 'node')), ` from pool ${c} at once`);
    case Op.poolBurstDeallocate:
      return sentence('return ', strong(plural(b, 'node')), ` to pool ${c} at once`);
    case Op.poolTrim:
      return sentence(`pool ${c} gives its free blocks back`);
    case Op.poolCreate:
      return sentence(`make a pool for nodes of `, strong(formatBytes(b)));
    case Op.poolDestroy:
      return sentence(`end pool ${c}`);
    case Op.heapCreate:
      return sentence('make a heap');
    case Op.heapDestroy:
      return sentence(`end heap ${heap}`);
    case Op.smallAllocate:
      return sentence('small front: allocate ', strong(formatBytes(b)));
    case Op.smallDeallocate:
      return a === 0 ? sentence('small front: free nothing') : sentence(`small front: free the block at ${at}`);
    case Op.smallSqueeze:
      return sentence('small front: give every wholly free span back');
    case Op.smallFlush:
      return sentence("small front: empty the thread's cache into the central lists");
    case Op.mallocFlush:
      return sentence('flush the cache into the heap');
    case Op.bulkFree:
      return sentence('free ', strong(plural(c, 'block')), ' in one call');
    default:
      return unknownText(op, 'operation');
  }
}

export function describeEnd({ detail, a, b, c }: Event): Sentence {
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
