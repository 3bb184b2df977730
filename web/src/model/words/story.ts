// What was asked, what was tried, and why it ended there: an operation's events as prose. Each sentence comes from an
// event; the story knows the rules of the house only where the events name them.
//
//   story.ts   event by event      story_calls.ts   how calls begin and end      story_malloc.ts   malloc

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, kTrialNames, Op, Source } from '../../protocol/event_layout.ts';
import { type Event, hasWorked } from '../../trace/decode.ts';
import { tellBegin, tellEnd } from './story_calls.ts';
import { endOfFlush, isCutAhead, tellCached, tellCutAhead, tellFlush, tellMoved, tellReused } from './story_malloc.ts';
import { Story, type StoryPart } from './story_parts.ts';

export function tellStory(events: readonly Event[]): readonly StoryPart[] {
  const story = new Story();
  const depths = depthsOf(events);
  for (let i = 0; i < events.length && !story.full; ++i) {
    const end = endOfFlush(events, i);
    if (end === undefined) tellEvent(story, events, i, depths[i] ?? 0);
    else {
      tellFlush(story, events.slice(i, end), depths[i] ?? 0);
      i = end - 1;
    }
  }
  if (story.full) story.say(` And so on, ${formatCount(events.length)} events in all.`);
  return story.parts;
}

function depthsOf(events: readonly Event[]): number[] {
  let depth = 0;
  return events.map(({ kind }) => {
    if (kind === EventKind.opEnded) return --depth;
    return kind === EventKind.opBegun ? depth++ : depth;
  });
}

function tellEvent(story: Story, events: readonly Event[], i: number, depth: number): void {
  const event = events[i];
  if (event === undefined) return;
  const { kind, detail, a, b, c } = event;
  const next = events[i + 1];
  switch (kind) {
    case EventKind.opBegun:
      tellBegin(story, event, depth);
      break;
    case EventKind.opEnded:
      if (depth === 0) tellEnd(story, event, events);
      break;
    case EventKind.binSearched:
      tellSearch(story, event);
      break;
    case EventKind.commandTried: {
      const way = kTrialNames.get(detail & 0xff) ?? 'another way';
      const worked = hasWorked(detail);
      story.say(
        ` ${way} was tried: ${formatBytes(b)} wanted, `,
        formatBytes(c),
        worked ? ' there; it worked.' : ' there; not enough.',
      );
      break;
    }
    case EventKind.memoryGrown:
      if (detail !== 0) story.say(' Linear memory grew to ', formatBytes(b * 65_536), '.');
      else story.say(' Linear memory was asked to grow by ', formatBytes(c), ' and refused.');
      break;
    case EventKind.segmentAdded:
      if (events[0]?.detail === Op.heapCreate)
        story.say(' It begins with a segment of ', formatBytes(b), ', which holds its state too.');
      else story.say(' The new pages do not follow the newest segment, so a segment of ', formatBytes(b), ' begins.');
      break;
    case EventKind.segmentTrimmed:
      story.say(` The segment at ${formatAddress(a)} gave `, formatBytes(b - c), ' back.');
      break;
    case EventKind.segmentRemoved:
      story.say(` The segment at ${formatAddress(a)} was empty and went back whole, `, formatBytes(b), '.');
      break;
    case EventKind.chunkSplit:
      if (isCutAhead(events, a)) break;
      tellSplit(story, event, events.slice(i + 1));
      break;
    case EventKind.chunksMerged:
      if (detail === 1) story.say(' The block took in the free chunk behind it, ', formatBytes(c), '.');
      else if (detail === 2)
        story.say(' The block took in ', formatBytes(b), ' before it: its start moved, its bytes did not.');
      else if (next?.kind !== EventKind.chunksMerged)
        story.say(' Free neighbours joined to one chunk of ', formatBytes(b + c), '.');
      break;
    case EventKind.burstCarved:
      story.say(
        ` One free chunk of ${formatBytes(b * c)} became `,
        formatCount(c),
        ` blocks side by side, without a search each.`,
      );
      break;
    case EventKind.chunkReleased:
      if (depth <= 1 && events.length < 64) story.say(' Its chunk of ', formatBytes(b), ' is free.');
      break;
    case EventKind.blockMade:
      if (isSmall(events))
        story.say(
          ` The central list of pool ${detail} had nothing left, so the class got a span of `,
          formatBytes(b),
          '.',
        );
      else story.say(` The pool had no free node left and got a block of `, formatBytes(b), '.');
      break;
    case EventKind.blockRetired:
      if (isSmall(events))
        story.say(
          ` All nodes of the span at ${formatAddress(a)} were in the central list: its `,
          formatBytes(b),
          ' went back.',
        );
      else
        story.say(
          ` The block at ${formatAddress(a)} was wholly free and more than the pool keeps, so its `,
          formatBytes(b),
          ' went back to the heap.',
        );
      break;
    case EventKind.nodeTaken:
      if (events.length === 1) tellOwned(story, event, 'handed out');
      else if (events.length < 64 && b !== 0) {
        story.say(
          ` The node comes from the fullest block that has one, at ${formatAddress(b)}; it has `,
          formatCount(c),
          ' free left.',
        );
      }
      break;
    case EventKind.nodeReturned:
      if (events.length === 1) tellOwned(story, event, 'taken back');
      else if (events.length < 64 && b !== 0)
        story.say(` Its block at ${formatAddress(b)} now has `, formatCount(c), ' free nodes.');
      break;
    case EventKind.batchFetched:
      story.say(
        ` The cache of thread ${c} had no node of pool ${detail}; it fetched `,
        formatCount(b),
        ' from the central list.',
      );
      break;
    case EventKind.batchStored:
      if (events[0]?.detail === Op.smallFlush)
        story.say(` Of pool ${detail} it stored `, formatCount(b), b === 1 ? ' node.' : ' nodes.');
      else
        story.say(
          ` The cache of thread ${c} had enough of pool ${detail}: `,
          formatCount(b),
          ' nodes went to the central list.',
        );
      break;
    case EventKind.chunkCached:
      if (!isCutAhead(events, a)) tellCached(story, event, events.length === 1);
      else if (events[i - 1]?.kind !== EventKind.chunkCached) tellCutAhead(story, events, i);
      break;
    case EventKind.chunkReused:
      tellReused(story, event, events.length === 1);
      break;
    case EventKind.cachedMoved:
      tellMoved(story, events, i);
      break;
    case EventKind.blockMoved:
      story.say(' That changed the order of the blocks: the tree keeps the fullest first.');
      break;
    default:
      break;
  }
}

/** Whether an operation of the small front is told. */
const isSmall = ([first]: readonly Event[]): boolean =>
  first !== undefined && first.detail >= Op.smallAllocate && first.detail <= Op.smallFlush;

function tellSearch(story: Story, { detail, a, b, c }: Event): void {
  const size = `With its header that is a chunk of ${formatBytes(a)}, which belongs in bin ${detail}.`;
  switch (c as Source) {
    case Source.exactBin:
      story.say(` ${size} The bin had one of exactly `, formatBytes(b), ': it was taken whole.');
      break;
    case Source.largerBin:
      story.say(` ${size} The bin had none; the next larger one that is not empty gave `, formatBytes(b), '.');
      break;
    case Source.victim:
      story.say(
        ` ${size} The bin had none, so the designated victim of `,
        formatBytes(b),
        ' was cut, to stay near the last ones.',
      );
      break;
    case Source.top:
      story.say(` ${size} No bin had one as large, so it comes from top, which had `, formatBytes(b), '.');
      break;
    case Source.ownBinScan:
      story.say(` ${size} The best of the first few there has `, formatBytes(b), '.');
      break;
    case Source.none:
      story.say(` ${size} No free chunk has `, formatBytes(a), ', and memory could not grow.');
      break;
  }
}

/** Where the rest of a cut went, when the events that follow say so. */
function tellSplit(story: Story, { a, b, c }: Event, after: readonly Event[]): void {
  const rest = a + b;
  const kept = after.find((event) => event.a === rest && kPlaces.has(event.kind));
  const where =
    kept?.kind === EventKind.topChanged
      ? ' stay top'
      : kept?.kind === EventKind.victimChanged
        ? ' are the next victim'
        : kept?.kind === EventKind.binInserted
          ? ` went to bin ${kept.detail}`
          : ' were cut off';
  story.say(' ', formatBytes(c), `${where}.`);
}
const kPlaces: ReadonlySet<number> = new Set([EventKind.topChanged, EventKind.victimChanged, EventKind.binInserted]);

/** A node outside every call: the owner of the pool keeps the list of free nodes itself. */
function tellOwned(story: Story, { detail, a }: Event, what: string): void {
  story.say(`The owner of pool ${detail} has ${what} the node at `, formatAddress(a));
  story.say(': a step on its own list of free nodes, without a call of the heap.');
}
