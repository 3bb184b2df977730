// The operation around a moment: its events one by one, and what happened as a colleague would explain it.

import { seq } from '../../base/brand.ts';
import { formatAddress, formatBytes } from '../../base/format.ts';
import type { EventLine, ExplainFrame } from '../../panels/chunk/part.ts';
import { EventKind, Op, Status } from '../../protocol/event_layout.ts';
import { decodeEvent, type Event } from '../../trace/decode.ts';
import { describeEvent } from '../../trace/describe.ts';
import { describeBegin } from '../../trace/describe_calls.ts';
import type { Sentence } from '../../trace/sentence.ts';
import { nameOfMark } from '../../trace/texts.ts';
import type { Trace } from '../../trace/trace.ts';
import type { History } from '../time/history.ts';
import { explainEvents } from './explain_events.ts';

const kOfHost: ReadonlySet<number> = new Set([
  EventKind.pagesDiscarded,
  EventKind.memoryMoved,
  EventKind.stateKept,
  EventKind.stateReset,
]);
const kMostLines = 160;
const kMostExplained = 4_000; // events of one operation that the prose reads

/**
 * The operation that the event before `at` belongs to, or the fact that it is; undefined before the first one. What lies behind `at` is among its lines, and in
 * no sentence. cause: why the heap grew in it, which the step of growth is followed by.
 */
export function explainOperation(history: History, at: number, cause?: Sentence): ExplainFrame | undefined {
  const { trace, operations } = history;
  const fact = at === 0 ? undefined : explainFact(history, at - 1);
  if (fact !== undefined) return fact;
  const around = at === 0 ? undefined : operations.around(at - 1);
  if (around === undefined) return undefined;
  const [begin, end] = around;
  const behind = at - 1 >= end ? end : at; // between two operations the one before is explained
  const events: Event[] = [];
  for (let event = begin; event < Math.min(behind, begin + kMostExplained); ++event)
    events.push(decodeEvent(trace, event));
  const [first] = events;
  if (first === undefined) return undefined;
  // A trace may end amid an operation: by a trap, or because the program still runs.
  const isEnded = first.kind !== EventKind.opBegun || trace.kind(end - 1) === EventKind.opEnded;
  const last = behind === end && isEnded ? decodeEvent(trace, end - 1) : undefined;
  return {
    at: seq(at),
    title: titleOf(first, last, history.head.wordSize),
    lines: linesOf(trace, begin, end, at - 1),
    prose: explainEvents(events, { count: behind - begin, isEnded: last !== undefined }, cause),
  };
}

/** A mark with a name, and what a host did: each stands outside of every operation. */
function explainFact({ trace, marks }: History, event: number): ExplainFrame | undefined {
  const isMark = marks.at(marks.countBelow(event)) === event;
  if (!isMark && !kOfHost.has(trace.kind(event))) return undefined;
  const name = isMark ? nameOfMark(trace, event) : undefined;
  if (isMark && name === undefined) return undefined;
  const fact = decodeEvent(trace, event);
  return {
    at: seq(event + 1),
    title: name === undefined ? describeEvent(fact).text : `mark: ${name}`,
    lines: [lineOf(trace, event, 0)],
    prose:
      name === undefined
        ? explainEvents([fact], { count: 1, isEnded: false })
        : [{ text: 'It names this moment, and changes nothing in the heap.', strong: false }],
  };
}

/** last: undefined while the operation is under way. */
function titleOf(first: Event, last: Event | undefined, wordSize: number): string {
  const mem = formatAddress(first.a + wordSize);
  // Whole calls of one event (event.P4, event.P2).
  if (first.kind === EventKind.chunkReused) return `allocate ${formatBytes(first.c)}: ${mem}`;
  if (first.kind === EventKind.chunkCached) return `free the block at ${mem}`;
  if (first.kind !== EventKind.opBegun) return describeEvent(first).text;
  const asked = describeBegin(first).text;
  if (last?.kind !== EventKind.opEnded) return `${asked} (under way)`;
  if (last.c !== Status.ok) return `${asked}: failed`;
  const gives: readonly number[] = [
    Op.allocate,
    Op.allocateZeroed,
    Op.allocateAligned,
    Op.poolAllocate,
    Op.command,
    Op.smallAllocate,
  ];
  return last.a !== 0 && gives.includes(last.detail) ? `${asked}: ${formatAddress(last.a)}` : asked;
}

/** The events [begin, end) as lines, those around `current` when there are too many. */
function linesOf(trace: Trace, begin: number, end: number, current: number): EventLine[] {
  const from = Math.max(begin, Math.min(current - (kMostLines >> 1), end - kMostLines));
  let depth = 0;
  const lines: EventLine[] = [];
  for (let at = begin; at < end && lines.length < kMostLines; ++at) {
    const kind = trace.kind(at);
    if (kind === EventKind.opEnded) --depth;
    if (at >= from) lines.push(lineOf(trace, at, Math.max(0, depth)));
    if (kind === EventKind.opBegun) ++depth;
  }
  return lines;
}

export function lineOf(trace: Trace, at: number, depth: number): EventLine {
  const event = decodeEvent(trace, at);
  return { seq: seq(at + 1), kind: event.kind, depth, ...describeEvent(event) };
}
