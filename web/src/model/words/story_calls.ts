// What a call was asked and how it ended, for the story of an operation.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, kStatusTexts, Op, Status } from '../../protocol/event_layout.ts';
import type { Event } from '../../trace/decode.ts';
import { commandText } from '../../trace/describe.ts';
import type { Story } from './story_parts.ts';

export function tellBegin(story: Story, event: Event, depth: number): void {
  const { detail, a, b, c } = event;
  if (depth > 0) {
    if (detail === Op.allocateAligned)
      story.say(` It asks its heap for ${formatBytes(b)} aligned to ${formatBytes(c)}.`);
    else if (detail === Op.allocate) story.say(` For that, ${formatBytes(b)} are allocated.`);
    return;
  }
  switch (detail as Op) {
    case Op.allocate:
    case Op.allocateZeroed:
      story.say(`${formatBytes(b)} were asked.`);
      break;
    case Op.allocateAligned:
      story.say(`${formatBytes(b)} were asked, at a multiple of ${formatBytes(c)}.`);
      break;
    case Op.deallocate:
      story.say(a === 0 ? 'Nothing was given back.' : `The block at ${formatAddress(a)} was given back.`);
      break;
    case Op.reallocate:
      story.say(`The block at ${formatAddress(a)} shall have ${formatBytes(b)}${c === 1 ? ' without moving' : ''}.`);
      break;
    case Op.command: {
      const from = a === 0 ? '' : ` for the block at ${formatAddress(a)}`;
      story.say(`${commandText(c)}${from}: ${formatBytes(b)} would be best.`);
      break;
    }
    case Op.burstNodes:
      story.say(`${formatCount(c)} blocks of ${formatBytes(b)} were asked in one call.`);
      break;
    case Op.burstArrays:
      story.say(`${formatCount(c)} arrays were asked in one call.`);
      break;
    case Op.burstDeallocate:
      story.say(`${formatCount(c)} blocks were given back in one call.`);
      break;
    case Op.trim:
      story.say(`Whole pages at the ends of segments shall go back, all but ${formatBytes(b)} of top.`);
      break;
    case Op.poolAllocate:
      story.say(`A node of ${formatBytes(b)} was asked from pool ${c}.`);
      break;
    case Op.poolDeallocate:
      story.say(`The node at ${formatAddress(a)} was returned to pool ${c}.`);
      break;
    case Op.poolBurst:
      story.say(`${formatCount(b)} nodes were asked from pool ${c} in one call.`);
      break;
    case Op.poolBurstDeallocate:
      story.say(`${formatCount(b)} nodes were returned to pool ${c} in one call.`);
      break;
    case Op.poolTrim:
      story.say(`Pool ${c} was asked for the blocks it does not need.`);
      break;
    case Op.poolCreate:
      story.say(`A pool for nodes of ${formatBytes(b)} was asked.`);
      break;
    case Op.heapCreate:
      story.say('The call used a separate heap.');
      break;
    case Op.heapDestroy:
      story.say(`Heap ${event.heap} ends: what is in use is freed, and its segments go back.`);
      break;
    case Op.poolDestroy:
      story.say(`Pool ${c} ends, and its blocks go back.`);
      break;
    case Op.smallAllocate:
      story.say(`${formatBytes(b)} were asked of the small front.`);
      break;
    case Op.smallDeallocate:
      story.say(
        a === 0 ? 'Nothing was given back.' : `The block at ${formatAddress(a)} was given back to the small front.`,
      );
      break;
    case Op.smallSqueeze:
      story.say('The small front was asked for every span it does not need.');
      break;
    case Op.smallFlush:
      story.say('The cache of the thread goes to the central lists.');
      break;
    case Op.bulkFree:
      story.say(`${formatCount(c)} blocks were given back in one call.`);
      break;
    default:
      break;
  }
}

export function tellEnd(story: Story, event: Event, events: readonly Event[]): void {
  const { detail, a, b, c } = event;
  if (c !== Status.ok) {
    story.say(' It failed: ', kStatusTexts.get(c) ?? `status ${c}`, '.');
    return;
  }
  switch (detail as Op) {
    case Op.trim:
      story.say(b === 0 ? ' There was no whole page to give.' : ` In all ${formatBytes(b)} went back.`);
      break;
    case Op.smallSqueeze:
      story.say(b === 0 ? ' No span was wholly free.' : ` In all ${formatBytes(b)} went back.`);
      break;
    case Op.smallAllocate:
      tellSmallEnd(story, event, events);
      break;
    case Op.reallocate: {
      const old = events[0]?.a ?? 0;
      if (a !== 0 && old !== 0)
        story.say(a === old ? ' It stayed where it was, with ' : ' It moved, with ', formatBytes(b), ' usable.');
      break;
    }
    case Op.command:
      if (a !== 0) story.say(` The result is at ${formatAddress(a)} with `, formatBytes(b), ' usable.');
      break;
    case Op.allocate:
    case Op.allocateZeroed:
    case Op.allocateAligned:
      if (a !== 0) story.say(` The block is at ${formatAddress(a)}.`);
      break;
    default:
      break;
  }
}

function tellSmallEnd(story: Story, { a, b }: Event, events: readonly Event[]): void {
  if (a === 0) return;
  const kinds = events.map(({ kind }) => kind);
  const from = kinds.includes(EventKind.batchFetched)
    ? ' one of the nodes fetched'
    : kinds.includes(EventKind.nodeTaken)
      ? " a node from the thread's cache, without asking anyone"
      : ' a chunk of the heap, for it is larger than any class';
  story.say(` The block at ${formatAddress(a)} is${from}; `, formatBytes(b), ' are usable.');
}
