// What was asked, what was tried, and why it ended there: an operation's events as prose. Each sentence comes from an
// event; the allocator's rules are named only where the events name them.
//
//   explain_events.ts   event by event      explain_calls.ts   how calls begin and end
//   explain_pools.ts    pools, spans        explain_malloc.ts  chunks that malloc caches

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, kTrialNames, Op, Source } from '../../protocol/event_layout.ts';
import { type Event, hasWorked, isGrowth } from '../../trace/decode.ts';
import type { Sentence } from '../../trace/sentence.ts';
import { kMemoryPage, memoryAfter } from '../state/memory_end.ts';
import { explainBegin, explainEnd, isOfBlock } from './explain_calls.ts';
import { endOfFlush, explainFlush, isCutAhead, kMallocSteps } from './explain_malloc.ts';
import { kPoolSteps } from './explain_pools.ts';
import { Explanation, type Step, type TextPart } from './explanation.ts';

/** How far the operation has come: so many events, of which the first are read. */
export interface Progress {
  readonly count: number;
  readonly isEnded: boolean;
}

/** cause: what is said of the first step of growth, instead of that step. */
export function explainEvents(events: readonly Event[], progress: Progress, cause?: Sentence): readonly TextPart[] {
  const explanation = new Explanation();
  const depths = depthsOf(events);
  for (let i = 0; i < events.length && !explanation.full; ++i) {
    const event = events[i];
    if (event === undefined) break;
    const depth = depths[i] ?? 0;
    const end = endOfFlush(events, i);
    if (cause !== undefined && isGrowth(event.kind) && !events.slice(0, i).some(({ kind }) => isGrowth(kind)))
      explanation.say(...causeParts(cause));
    if (end === undefined) kSteps[event.kind]?.(explanation, { event, events, i, depth });
    else {
      explainFlush(explanation, events.slice(i, end), depth);
      i = end - 1;
    }
  }
  const so = progress.isEnded ? 'in all' : 'so far';
  if (explanation.full) explanation.say(` And so on, ${formatCount(progress.count)} events ${so}.`);
  return explanation.parts;
}

/** Plain and deciding parts in turn. */
function causeParts({ text, emphasis = [text.length, text.length] }: Sentence): readonly string[] {
  const [begin, end] = emphasis;
  return [` ${text.slice(0, begin)}`, text.slice(begin, end), text.slice(end)];
}

function depthsOf(events: readonly Event[]): number[] {
  let depth = 0;
  return events.map(({ kind }) => {
    if (kind === EventKind.opEnded) return --depth;
    return kind === EventKind.opBegun ? depth++ : depth;
  });
}

/** Kinds without an entry add no sentence. */
const kSteps: Readonly<Partial<Record<number, (to: Explanation, step: Step) => void>>> = {
  ...kPoolSteps,
  ...kMallocSteps,
  [EventKind.opBegun]: (to, { event, events, depth }) => explainBegin(to, event, events, depth),
  [EventKind.opEnded]: (to, { event, events, depth }) => {
    if (depth === 0) explainEnd(to, event, events);
  },
  [EventKind.binSearched]: (to, { event, events, i }) =>
    explainSearch(
      to,
      event,
      events.slice(0, i).some(({ kind }) => isGrowth(kind)),
      isForSlab(event, events),
    ),
  [EventKind.commandTried]: (to, { event: { detail, b, c } }) => {
    const way = kTrialNames.get(detail & 0xff) ?? 'another way';
    const outcome = hasWorked(detail) ? ' there; it worked.' : ' there; not enough.';
    to.say(` ${way} was tried: ${formatBytes(b)} wanted, `, formatBytes(c), outcome);
  },
  [EventKind.memoryGrown]: (to, { event: { detail, c }, events, i }) => {
    if (detail !== 0) to.say(' Linear memory grew to ', formatBytes(memoryGrownTo(events, i)), '.');
    else to.say(' Linear memory was asked to grow by ', formatBytes(c), ' and refused.');
  },
  [EventKind.segmentAdded]: (to, { event: { b }, events }) => {
    if (events[0]?.detail === Op.heapCreate)
      to.say(' It begins with a segment of ', formatBytes(b), ', which holds its state too.');
    else to.say(' The new pages do not follow the newest segment, so a segment of ', formatBytes(b), ' begins.');
  },
  [EventKind.segmentTrimmed]: (to, { event: { a, b, c } }) =>
    to.say(` The segment at ${formatAddress(a)} gave `, formatBytes(b - c), ' back.'),
  [EventKind.segmentRemoved]: (to, { event: { a, b } }) =>
    to.say(` The segment at ${formatAddress(a)} was empty and went back whole, `, formatBytes(b), '.'),
  [EventKind.memoryMoved]: (to, { event: { a, b } }) =>
    to.say(
      ' The program went on in another memory of ',
      formatBytes(b * kMemoryPage),
      `, with every block at its address. The one before had ${formatBytes(a * kMemoryPage)}.`,
    ),
  [EventKind.stateKept]: (to) => to.say(' The host kept a copy of all memory. Nothing in the heap changed.'),
  [EventKind.stateReset]: (to) =>
    to.say(
      ' The host wrote the copy back. Blocks, chunks, pools and caches are again what they were then, with the births that they had. What was made since is gone, without a free.',
    ),
  [EventKind.pagesDiscarded]: (to, { event: { a, b } }) =>
    to.say(` Free pages at ${formatAddress(a)} were given to the host, `, formatBytes(b), '.'),
  [EventKind.chunkSplit]: (to, { event, events, i }) => {
    if (!isCutAhead(events, event.a)) explainSplit(to, event, events.slice(i + 1));
  },
  [EventKind.chunksMerged]: (to, { event, events, i }) => explainMerge(to, event, events[i + 1]),
  [EventKind.burstCarved]: (to, { event: { b, c } }) =>
    to.say(
      ` One free chunk of ${formatBytes(b * c)} became `,
      formatCount(c),
      c === 1 ? ' block.' : ' blocks side by side, without a search each.',
    ),
  [EventKind.chunkReleased]: (to, { event, events, depth }) => {
    if (depth > 1 || events.length >= 64) return;
    const [call] = events;
    const isOther = call?.kind === EventKind.opBegun && call.detail === Op.deallocate && !isOfBlock(call, event);
    if (isOther)
      to.say(
        ` To make room in its cache, malloc frees the chunk at ${formatAddress(event.a)}, `,
        formatBytes(event.b),
        '.',
      );
    else to.say(' Its chunk of ', formatBytes(event.b), ' is free.');
  },
};

/** What the heap then took of it belongs to the same growth. */
function memoryGrownTo(events: readonly Event[], grown: number): number {
  const next = events.findIndex(({ kind }, i) => i > grown && kind === EventKind.memoryGrown);
  return events.slice(grown, next < 0 ? undefined : next).reduce(memoryAfter, 0);
}

/** Whether malloc asks the heap for far more than it was asked: a small request makes a slab of many blocks. */
const isForSlab = ({ a }: Event, [call]: readonly Event[]): boolean =>
  call?.kind === EventKind.opBegun && call.detail === Op.allocate && 2 * call.b < a && a >= kLeastSlab;
const kLeastSlab = 1024;

/** grew: a heap grew in the same operation, before. forSlab: it is for a slab. */
function explainSearch(to: Explanation, { detail, a, b, c }: Event, grew: boolean, forSlab: boolean): void {
  const what = forSlab
    ? `A slab is to be made, which needs ${formatBytes(a)} in one piece`
    : `With its header that is a chunk of ${formatBytes(a)}`;
  const size = `${what}, which belongs in bin ${detail}.`;
  switch (c as Source) {
    case Source.exactBin:
      to.say(` ${size} The bin had one of exactly `, formatBytes(b), ', which serves whole.');
      break;
    case Source.largerBin:
      to.say(` ${size} The bin had none; the next larger one that was not empty had `, formatBytes(b), '.');
      break;
    case Source.victim:
      to.say(
        ` ${size} The bin had none, so the designated victim of `,
        formatBytes(b),
        ' serves, to stay near the last ones.',
      );
      break;
    case Source.top:
      if (grew) to.say(` ${size} Nothing free was as large, so the heap grew, and top then had `, formatBytes(b), '.');
      else to.say(` ${size} No bin had one as large, so it comes from top, which had `, formatBytes(b), '.');
      break;
    case Source.ownBinScan:
      to.say(` ${size} The best of the first few there has `, formatBytes(b), '.');
      break;
    case Source.none:
      to.say(` ${size} No free chunk has `, formatBytes(a), ', and memory could not grow.');
      break;
  }
}

/** Where the rest of a cut went, when the events that follow say so. */
function explainSplit(to: Explanation, { a, b, c }: Event, after: readonly Event[]): void {
  const rest = a + b;
  const kept = after.find((event) => event.a === rest && kPlaces.has(event.kind));
  const where = (kept === undefined ? undefined : kPlaces.get(kept.kind)?.(kept)) ?? ' were cut off';
  to.say(' ', formatBytes(c), `${where}.`);
}

const kPlaces: ReadonlyMap<number, (event: Event) => string> = new Map([
  [EventKind.topChanged, () => ' stay top'],
  [EventKind.victimChanged, () => ' are the next victim'],
  [EventKind.binInserted, ({ detail }: Event) => ` went to bin ${detail}`],
]);

/** Of free chunks that join one after the other, only the last says so. */
function explainMerge(to: Explanation, { detail, b, c }: Event, next: Event | undefined): void {
  if (detail === 1) to.say(' The block took in the free chunk behind it, ', formatBytes(c), '.');
  else if (detail === 2)
    to.say(' The block took in ', formatBytes(b), ' before it: its start moved, its bytes did not.');
  else if (next?.kind !== EventKind.chunksMerged)
    to.say(' Free neighbours joined to one chunk of ', formatBytes(b + c), '.');
}
