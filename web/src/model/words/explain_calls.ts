// What a call was asked and how it ended, for the explanation of an operation.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, kStatusTexts, Op, Status } from '../../protocol/event_layout.ts';
import type { Event } from '../../trace/decode.ts';
import { commandText } from '../../trace/describe_calls.ts';
import { plural } from '../../trace/sentence.ts';
import type { Explanation } from './explanation.ts';

/** events: those of the call that have happened. */
export function explainBegin(to: Explanation, event: Event, events: readonly Event[], depth: number): void {
  const { detail, b, c } = event;
  if (depth > 0) {
    if (detail === Op.allocateAligned) to.say(` It asks its heap for ${formatBytes(b)} aligned to ${formatBytes(c)}.`);
    else if (detail === Op.allocate) to.say(` For that, ${formatBytes(b)} are allocated.`);
    return;
  }
  const given = event.a === 0 && event.c === 0 ? undefined : kGivenBack[detail as Op]?.(event);
  to.say(given === undefined ? (kAsked[detail as Op]?.(event) ?? '') : `${given} ${givenText(event, events)}.`);
}

/** What was asked; operations without an entry are explained by their events alone. */
const kAsked: Readonly<Partial<Record<Op, (event: Event) => string>>> = {
  [Op.allocate]: ({ b }) => `${formatBytes(b)} were requested.`,
  [Op.allocateZeroed]: ({ b }) => `${formatBytes(b)} were requested.`,
  [Op.allocateAligned]: ({ b, c }) => `${formatBytes(b)} were requested, at a multiple of ${formatBytes(c)}.`,
  [Op.deallocate]: () => 'Nothing was given back.',
  [Op.reallocate]: ({ a, b, c }) =>
    `The block at ${formatAddress(a)} shall have ${formatBytes(b)}${c === 1 ? ' without moving' : ''}.`,
  [Op.command]: ({ a, b, c }) => {
    const from = a === 0 ? '' : ` for the block at ${formatAddress(a)}`;
    return `${commandText(c)}${from}: ${formatBytes(b)} would be best.`;
  },
  [Op.burstNodes]: ({ b, c }) => `${formatCount(c)} blocks of ${formatBytes(b)} were requested in one call.`,
  [Op.burstArrays]: ({ c }) => `${formatCount(c)} arrays were requested in one call.`,
  [Op.trim]: ({ b }) => `Whole pages at the ends of segments shall go back, all but ${formatBytes(b)} of top.`,
  [Op.poolAllocate]: ({ b, c }) => `A node of ${formatBytes(b)} was requested from pool ${c}.`,
  [Op.poolBurst]: ({ b, c }) => `${formatCount(b)} nodes were requested from pool ${c} in one call.`,
  [Op.poolTrim]: ({ c }) => `Pool ${c} was asked for the blocks it does not need.`,
  [Op.poolCreate]: ({ b }) => `A pool for nodes of ${formatBytes(b)} was requested.`,
  [Op.heapCreate]: () => 'A new heap was asked for.',
  [Op.heapDestroy]: ({ heap }) => `Heap ${heap} ends: what is in use is freed, and its segments go back.`,
  [Op.poolDestroy]: ({ c }) => `Pool ${c} ends, and its blocks go back.`,
  [Op.smallAllocate]: ({ b }) => `${formatBytes(b)} were requested from the small front.`,
  [Op.smallDeallocate]: () => 'Nothing was given back.',
  [Op.smallSqueeze]: () => 'The small front was asked for every span it does not need.',
  [Op.smallFlush]: () => 'The cache of the thread goes to the central lists.',
};

/** Calls that give memory back, with what they give: until that has happened it is only to be given back. */
const kGivenBack: Readonly<Partial<Record<Op, (event: Event) => string>>> = {
  [Op.deallocate]: ({ a }) => `The block at ${formatAddress(a)}`,
  [Op.burstDeallocate]: ({ c }) => plural(c, 'block'),
  [Op.poolDeallocate]: ({ a, c }) => `The node at ${formatAddress(a)} of pool ${c}`,
  [Op.poolBurstDeallocate]: ({ b, c }) => `${plural(b, 'node')} of pool ${c}`,
  [Op.smallDeallocate]: ({ a }) => `The block at ${formatAddress(a)} of the small front`,
  [Op.bulkFree]: ({ c }) => plural(c, 'block'),
};

/** What takes a block or a node from the program. */
const kTakenBack: ReadonlySet<number> = new Set([
  EventKind.chunkReleased,
  EventKind.chunkCached,
  EventKind.nodeReturned,
  EventKind.blockFreed,
]);

/** From a chunk, or from the block in it, to the block: before it stands a header of a word. */
const kToBlock: readonly number[] = [0, 4, 8];

/** The event takes back the block that `given` names, a call or a pool's step. Before that malloc may release a chunk that it cached earlier. */
export const isOfBlock = (given: Event | undefined, { kind, a }: Event): boolean =>
  kTakenBack.has(kind) && kToBlock.includes((given?.a ?? 0) - a);

/** Of several blocks the last one must be gone: that is known where the call has ended. */
function givenText(call: Event, events: readonly Event[]): string {
  const { detail, b, c } = call;
  const single: readonly number[] = [Op.deallocate, Op.poolDeallocate, Op.smallDeallocate];
  const count = single.includes(detail) ? 1 : detail === Op.poolBurstDeallocate ? b : c;
  const hasEnded = depthBehind(events) === 0;
  const isDone = hasEnded || (single.includes(detail) && events.some((event) => isOfBlock(call, event)));
  const together = single.includes(detail) ? '' : ' in one call';
  if (isDone) return `${count === 1 ? 'was' : 'were'} given back${together}`;
  return `${count === 1 ? 'is' : 'are'} to be given back${together}`;
}

/** How many calls have not ended behind the events. */
export const depthBehind = (events: readonly Event[]): number =>
  events.reduce((depth, { kind }) => depth + (kind === EventKind.opBegun ? 1 : kind === EventKind.opEnded ? -1 : 0), 0);

export function explainEnd(to: Explanation, event: Event, events: readonly Event[]): void {
  const { detail, a, b, c } = event;
  if (c !== Status.ok) {
    to.say(' It failed: ', kStatusTexts.get(c) ?? `status ${c}`, '.');
    return;
  }
  switch (detail as Op) {
    case Op.trim:
      to.say(b === 0 ? ' There was no whole page to give.' : ` In all ${formatBytes(b)} went back.`);
      break;
    case Op.smallSqueeze:
      to.say(b === 0 ? ' No span was wholly free.' : ` In all ${formatBytes(b)} went back.`);
      break;
    case Op.smallAllocate:
      explainSmallEnd(to, event, events);
      break;
    case Op.reallocate: {
      const old = events[0]?.a ?? 0;
      if (a !== 0 && old !== 0)
        to.say(a === old ? ' It stayed where it was, with ' : ' It moved, with ', formatBytes(b), ' usable.');
      break;
    }
    case Op.command:
      if (a !== 0) to.say(` The result is at ${formatAddress(a)} with `, formatBytes(b), ' usable.');
      break;
    case Op.allocate:
    case Op.allocateZeroed:
    case Op.allocateAligned:
      if (a !== 0) to.say(` The block is at ${formatAddress(a)}.`);
      break;
    default:
      break;
  }
}

function explainSmallEnd(to: Explanation, { a, b }: Event, events: readonly Event[]): void {
  if (a === 0) return;
  const kinds = events.map(({ kind }) => kind);
  const from = kinds.includes(EventKind.batchFetched)
    ? ' one of the nodes fetched'
    : kinds.includes(EventKind.nodeTaken)
      ? " a node from the thread's cache, without asking anyone"
      : ' a chunk of the heap, for it is larger than any class';
  to.say(` The block at ${formatAddress(a)} is${from}; `, formatBytes(b), ' are usable.');
}
