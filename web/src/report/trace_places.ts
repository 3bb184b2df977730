// Places in a trace that a report stops at, found by one look at every event's kind before the model is folded.

import { failure, type Result, success } from '../base/result.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { isGrowth } from '../trace/decode.ts';
import { isHandleText } from '../trace/handle_marks.ts';
import { MarkCode, nameOfMark } from '../trace/texts.ts';
import { detailOf, kEventWords, kindOf, kSegmentEvents, type Trace } from '../trace/trace.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { kMostLetters, kMostMarks, kMostSamples } from './limits.ts';
import type { Place } from './report_types.ts';

const kMostNamed = 12; // marks in a sentence

export interface MarkPlace {
  readonly event: number;
  readonly name: string;
}

/** Two marks, the second behind the first. */
export interface Between {
  readonly from: Place;
  readonly to: Place;
}

export interface Places {
  /** Sequence numbers at which the heap is sampled, ascending; the last is the end. */
  readonly samples: readonly number[];
  /** memory_grown events: granted ones and refused ones. */
  readonly granted: number;
  readonly refused: number;
  /** All events that are a step of a heap's growth. */
  readonly growthSteps: readonly number[];
  readonly marks: readonly MarkPlace[];
  readonly markCount: number;
}

export function findPlaces(trace: Trace, chapters: readonly string[]): Places {
  const growthSteps: number[] = [];
  const marks: MarkPlace[] = [];
  let markCount = 0;
  let granted = 0;
  let refused = 0;
  for (let seq = 0; seq < trace.count; seq += kSegmentEvents) {
    const words = trace.segment(seq / kSegmentEvents);
    if (words === undefined) break;
    const events = Math.min(kSegmentEvents, trace.count - seq);
    for (let i = 0; i < events; ++i) {
      const at = i * kEventWords;
      const head = words[at] as number;
      const kind = kindOf(head);
      if (isGrowth(kind)) {
        growthSteps.push(seq + i);
        if (kind !== EventKind.memoryGrown) continue;
        if (detailOf(head) !== 0) granted += 1;
        else refused += 1;
      } else if (kind === EventKind.mark) {
        const name = nameOf(trace, seq + i, chapters);
        if (name === undefined) continue;
        markCount += 1;
        if (marks.length < kMostMarks) marks.push({ event: seq + i + 1, name: name.slice(0, kMostLetters) });
      }
    }
  }
  return { samples: samplePlaces(trace.count), granted, refused, growthSteps, marks, markCount };
}

/** The first mark of one name and the first of the other behind it; a sentence when there is none. */
export function findBetween(
  { trace, notes }: Pick<TraceFile, 'trace' | 'notes'>,
  from: string,
  to: string,
): Result<Between, string> {
  const names = new Set<string>();
  let first: Place | undefined;
  for (let seq = 0; seq < trace.count; ++seq) {
    if (trace.kind(seq) !== EventKind.mark) continue;
    const name = nameOf(trace, seq, notes.chapters ?? []);
    if (name === undefined) continue;
    if (names.size < kMostNamed) names.add(name.slice(0, kMostLetters));
    if (first === undefined) {
      if (name === from) first = { name, event: seq + 1 };
    } else if (name === to) return success({ from: first, to: { name, event: seq + 1 } });
  }
  if (names.size === 0) return failure('the trace has no marks; hg_mark("name") in the program writes one');
  const known = [...names].map((name) => `"${name}"`).join(', ');
  if (first === undefined) return failure(`the trace has no mark "${from}"; it has ${known}`);
  return failure(`the trace has no mark "${to}" behind the first mark "${from}"; it has ${known}`);
}

function nameOf(trace: Trace, mark: number, chapters: readonly string[]): string | undefined {
  const chapter = trace.a(mark);
  const isChapter = detailOf(trace.head(mark)) === MarkCode.chapter;
  if (isChapter) return chapters[chapter] ?? `chapter ${chapter}`;
  const name = nameOfMark(trace, mark);
  return name === undefined || isHandleText(name) ? undefined : name;
}

function samplePlaces(events: number): number[] {
  const count = Math.min(events, kMostSamples);
  return Array.from({ length: count }, (_, i) => Math.round(((i + 1) * events) / count));
}
