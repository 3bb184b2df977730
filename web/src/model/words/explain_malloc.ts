// malloc in the explanation of an operation: chunks that are cached, taken again, change their holder, or are flushed.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, Op } from '../../protocol/event_layout.ts';
import { isSlabList } from '../../protocol/slab_lists.ts';
import type { Event } from '../../trace/decode.ts';
import { plural } from '../../trace/sentence.ts';
import type { Explanation, Step } from './explanation.ts';

export const kMallocSteps: Readonly<Partial<Record<EventKind, (to: Explanation, step: Step) => void>>> = {
  [EventKind.chunkCached]: (to, { event, events, i }) => {
    if (!isCutAhead(events, event.a)) explainCached(to, event, events.length === 1);
    else if (events[i - 1]?.kind !== EventKind.chunkCached) explainCutAhead(to, events, i);
  },
  [EventKind.chunkReused]: (to, { event, events }) => explainReused(to, event, events.length === 1),
  [EventKind.slabMade]: (to, { event: { b, c } }) => {
    if (c === 0) return;
    to.say(` A slab is made: one chunk of the heap for ${formatCount(c)} blocks of `, formatBytes(b));
    to.say(', without headers. One bit says of each whether it is free.');
  },
  [EventKind.slabEnded]: (to, { event: { b, c } }) => {
    if (c === 0) return;
    to.say(
      ' A slab of ',
      `${formatCount(c)} blocks of ${formatBytes(b)}`,
      ' ended, as few or none of them were in use:',
    );
    to.say(' those become chunks where they lie, and all else is free at once.');
  },
  [EventKind.cachedMoved]: (to, { events, i }) => explainMoved(to, events, i),
};

/** whole: the event is the whole call (event.P4). */
function explainCached(to: Explanation, { detail, a, b, c }: Event, whole: boolean): void {
  to.say(whole ? 'A block was given back. ' : ' ');
  if (isSlabList(detail)) {
    to.say('It has ', formatBytes(b), ' and no header: its address says in which slab it lies, and nothing is joined.');
    return;
  }
  to.say(`The chunk at ${formatAddress(a)}, `, formatBytes(b));
  to.say(
    `, goes to cache list ${detail} of thread ${c}. Its neighbours still count it as in use, so nothing is joined.`,
  );
}

/** Whether the call cut the chunk and cached it at once, for requests to come. */
export const isCutAhead = (events: readonly Event[], chunk: number): boolean =>
  [EventKind.chunkTaken, EventKind.chunkCached].every((kind) =>
    events.some((event) => event.kind === kind && event.a === chunk),
  );

/** The chunks of a run are named once, where the first one is cached. */
function explainCutAhead(to: Explanation, events: readonly Event[], i: number): void {
  let end = i + 1;
  while (events[end]?.kind === EventKind.chunkCached) ++end;
  const chunks = end - i === 1 ? '1 more chunk' : `${formatCount(end - i)} more chunks`;
  to.say(` This size is asked for often, so ${chunks} of `, formatBytes(events[i]?.b ?? 0));
  to.say(` ${end - i === 1 ? 'was' : 'were'} cut behind it, and ${end - i === 1 ? 'is' : 'are'} cached.`);
}

function explainReused(to: Explanation, { detail, a, b, c }: Event, whole: boolean): void {
  to.say(whole ? `${formatBytes(c)} were requested. ` : ' ');
  if (isSlabList(detail)) {
    to.say('A slab of blocks of ', formatBytes(b), ' had a free one: it has no header, and the heap is not asked.');
    return;
  }
  to.say(`Cache list ${detail} had the chunk at ${formatAddress(a)}, `, formatBytes(b));
  to.say(': it is given out again, and the heap is not asked.');
}

/** A run of chunks that go the same way is named once, where it begins. */
function explainMoved(to: Explanation, events: readonly Event[], i: number): void {
  const first = events[i];
  if (first === undefined || sameWay(first, events[i - 1])) return;
  let end = i + 1;
  while (sameWay(first, events[end])) ++end;
  const { b, c } = first;
  to.say(' ', end - i === 1 ? '1 chunk' : `${formatCount(end - i)} chunks`);
  to.say(
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

/** events: all of the flush, or as many as are read. */
export function explainFlush(to: Explanation, events: readonly Event[], depth: number): void {
  const ended = events.filter(({ kind }) => kind === EventKind.cachedEnded);
  const slabs = events.filter(({ kind, c }) => kind === EventKind.slabEnded && c > 0).length;
  const bytes = events.reduce((sum, { kind, b }) => sum + (kind === EventKind.chunkReleased ? b : 0), 0);
  const joined = events.filter(({ kind }) => kind === EventKind.chunksMerged).length;
  const hasEnded = events[events.length - 1]?.kind === EventKind.opEnded;
  const cache = depth > 0 ? ' No cached chunk fitted, and malloc ' : 'The cache ';
  if (depth > 0) to.say(`${cache}${hasEnded ? 'flushed' : 'flushes'} its cache first: `);
  else to.say(`${cache}${hasEnded ? 'was' : 'is being'} flushed: `);
  if (ended.length + slabs === 0) {
    to.say(hasEnded ? 'it was empty.' : 'nothing has gone back yet.');
    return;
  }
  const chunks = ended.length === 0 ? [] : [plural(ended.length, 'chunk')];
  const parts = [...chunks, ...(slabs === 0 ? [] : [plural(slabs, 'slab')])].join(' and ');
  to.say('', `${hasEnded ? '' : 'so far '}${parts}, ${formatBytes(bytes)}`, ', went back to the heap');
  to.say(joined === 0 ? '.' : `, which joined neighbours ${joined === 1 ? 'once' : `${formatCount(joined)} times`}.`);
}
