// What was asked, what was tried, and why it ended there: an operation's events as prose. Each sentence comes from an
// event; the story knows the rules of the house only where the events name them.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import { EventKind, kStatusTexts, kTrialNames, Op, Source, Status } from '../protocol/event_layout.ts';
import type { Event } from '../trace/decode.ts';
import { commandText } from '../trace/describe.ts';

export interface StoryPart {
  readonly text: string;
  readonly strong: boolean;
}

const kMostParts = 40;
const kWorked = 0x100;

export function tellStory(events: readonly Event[]): readonly StoryPart[] {
  const story = new Story();
  const depths = depthsOf(events);
  events.forEach((_, i) => {
    if (!story.full) tellEvent(story, events, i, depths[i] ?? 0);
  });
  if (story.full) story.say(` And so on, ${formatCount(events.length)} events in all.`);
  return story.parts;
}

class Story {
  readonly parts: StoryPart[] = [];

  get full(): boolean {
    return this.parts.length >= kMostParts;
  }

  /** Plain and deciding parts in turn: say('It has ', '48 B', ' left.') */
  say(...parts: readonly string[]): void {
    parts.forEach((text, i) => {
      const strong = i % 2 === 1;
      const last = this.parts[this.parts.length - 1];
      if (!strong && last !== undefined && !last.strong)
        this.parts[this.parts.length - 1] = { text: last.text + text, strong };
      else if (text !== '') this.parts.push({ text, strong });
    });
  }
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
      const worked = (detail & kWorked) !== 0;
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
    case EventKind.blockMoved:
      story.say(' That changed the order of the blocks: the tree keeps the fullest first.');
      break;
    default:
      break;
  }
}

/** Whether an operation of the small front is told. */
const isSmall = (events: readonly Event[]): boolean => (events[0]?.detail ?? 0) >= Op.smallAllocate;

function tellBegin(story: Story, event: Event, depth: number): void {
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
      story.say('A heap of its own was asked.');
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
    default:
      break;
  }
}

function tellSearch(story: Story, { detail, a, b, c }: Event): void {
  const size = `With its header that is a chunk of ${formatBytes(a)}, the business of bin ${detail}.`;
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

function tellEnd(story: Story, event: Event, events: readonly Event[]): void {
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
