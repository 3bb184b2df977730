// malloc in the story of an operation: chunks that are cached, taken again, change their holder, or are flushed.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, Op } from '../../protocol/event_layout.ts';
import type { Event } from '../../trace/decode.ts';
import type { Story } from './story_parts.ts';

/** whole: the event is the whole call (event.P4). */
export function tellCached(story: Story, { detail, a, b, c }: Event, whole: boolean): void {
  story.say(whole ? 'A block was given back. ' : ' ');
  story.say(`The chunk at ${formatAddress(a)}, `, formatBytes(b));
  story.say(`, goes to cache list ${detail} of thread ${c}. For its neighbours it is in use, so nothing is joined.`);
}

/** Whether the call cut the chunk and cached it at once, for requests to come. */
export const isCutAhead = (events: readonly Event[], chunk: number): boolean =>
  [EventKind.chunkTaken, EventKind.chunkCached].every((kind) =>
    events.some((event) => event.kind === kind && event.a === chunk),
  );

/** The chunks of a run are told once, where the first one is cached. */
export function tellCutAhead(story: Story, events: readonly Event[], i: number): void {
  let end = i + 1;
  while (events[end]?.kind === EventKind.chunkCached) ++end;
  const chunks = end - i === 1 ? '1 more chunk' : `${formatCount(end - i)} more chunks`;
  story.say(` This size is asked for often, so ${chunks} of `, formatBytes(events[i]?.b ?? 0));
  story.say(` ${end - i === 1 ? 'was' : 'were'} cut behind it, and ${end - i === 1 ? 'is' : 'are'} cached.`);
}

export function tellReused(story: Story, { detail, a, b, c }: Event, whole: boolean): void {
  story.say(whole ? `${formatBytes(c)} were asked. ` : ' ');
  story.say(`Cache list ${detail} had the chunk at ${formatAddress(a)}, `, formatBytes(b));
  story.say(': it is given out again, and the heap is not asked.');
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
  other?.kind === EventKind.cachedMoved && other.b === one.b && other.c === one.c;

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
  const ended = events.filter(({ kind }) => kind === EventKind.cachedEnded);
  const bytes = ended.reduce((sum, { b }) => sum + b, 0);
  const joined = events.filter(({ kind }) => kind === EventKind.chunksMerged).length;
  const more = events[events.length - 1]?.kind === EventKind.opEnded ? '' : 'more than ';
  story.say(depth > 0 ? ' No cached chunk fitted, and malloc flushed its cache first: ' : 'The cache was flushed: ');
  if (ended.length === 0) {
    story.say('it was empty.');
    return;
  }
  const chunks = ended.length === 1 ? '1 chunk' : `${formatCount(ended.length)} chunks`;
  story.say('', `${more}${chunks}, ${formatBytes(bytes)}`, ', went back to the heap');
  story.say(
    joined === 0 ? '.' : `, which joined neighbours ${joined === 1 ? 'once' : `${formatCount(joined)} times`}.`,
  );
}
