// The malloc front in the story of an operation: chunks that wait, are taken again, change their holder, or all go back.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import { EventKind, kRoomList, Op } from '../protocol/event_layout.ts';
import type { Event } from '../trace/decode.ts';
import type { Story } from './story_parts.ts';

export function tellHeld(story: Story, { detail, a, b, c }: Event): void {
  story.say(` The chunk at ${formatAddress(a)}, `, formatBytes(b));
  if (detail === kRoomList) {
    story.say(', stays behind the block as its room: the next growth takes from it and need not move.');
    return;
  }
  story.say(`, waits on quick list ${detail} of thread ${c}. For its neighbours it is in use, so nothing is joined.`);
}

export function tellReused(story: Story, { detail, a, b }: Event): void {
  story.say(` On quick list ${detail} the chunk at ${formatAddress(a)} waited, `, formatBytes(b));
  story.say(': it is given out again, and the heap is not asked.');
}

/** What goes back to the heap outside a flush, told once for the whole operation. */
export function tellEnded(story: Story, events: readonly Event[], i: number): void {
  const isEnded = ({ kind }: Event) => kind === EventKind.heldEnded;
  if (events.slice(0, i).some(isEnded)) return;
  const ended = events.slice(i).filter(isEnded);
  const bytes = ended.reduce((sum, { b }) => sum + b, 0);
  story.say(' ', ended.length === 1 ? 'A chunk that waited' : `${formatCount(ended.length)} chunks that waited`);
  story.say(`, ${formatBytes(bytes)}, went back to the heap for it.`);
}

/** A run of chunks that go the same way is told once, where it begins. */
export function tellMoved(story: Story, events: readonly Event[], i: number): void {
  const first = events[i];
  if (first === undefined || sameWay(first, events[i - 1])) return;
  let end = i + 1;
  while (sameWay(first, events[end])) ++end;
  const { b, c } = first;
  story.say(' ', end - i === 1 ? '1 chunk' : `${formatCount(end - i)} chunks`);
  story.say(
    ` went from ${c === 0 ? `thread ${b} to the central lists` : b === 0 ? `the central lists to thread ${c}` : `thread ${b} to thread ${c}`}.`,
  );
}

const sameWay = (one: Event, other: Event | undefined): boolean =>
  other?.kind === EventKind.heldMoved && other.b === one.b && other.c === one.c;

/** Behind the flush that begins at event i; undefined when none begins there. */
export function endOfFlush(events: readonly Event[], i: number): number | undefined {
  const begins = (event: Event | undefined) => event?.kind === EventKind.opBegun && event.detail === Op.mallocFlush;
  if (!begins(events[i])) return undefined;
  const ends = (event: Event) => event.kind === EventKind.opEnded && event.detail === Op.mallocFlush;
  const end = events.findIndex((event, at) => at > i && ends(event));
  return end < 0 ? events.length : end + 1;
}

/** events: all of the flush, or as many as the story reads. */
export function tellFlush(story: Story, events: readonly Event[], depth: number): void {
  const ended = events.filter(({ kind }) => kind === EventKind.heldEnded);
  const bytes = ended.reduce((sum, { b }) => sum + b, 0);
  const joined = events.filter(({ kind }) => kind === EventKind.chunksMerged).length;
  const more = events[events.length - 1]?.kind === EventKind.opEnded ? '' : 'more than ';
  if (depth > 0) story.say(' Memory would have had to grow, so the quick lists were emptied first: ');
  else story.say('The quick lists were emptied into the heap: ');
  if (ended.length === 0) {
    story.say('nothing waited there.');
    return;
  }
  const chunks = ended.length === 1 ? '1 chunk' : `${formatCount(ended.length)} chunks`;
  story.say('', `${more}${chunks}, ${formatBytes(bytes)}`, ', went back to the heap');
  story.say(
    joined === 0 ? '.' : `, which joined neighbours ${joined === 1 ? 'once' : `${formatCount(joined)} times`}.`,
  );
}
