// Places in a trace that a report stops at, found by one look at every event's kind before the model is folded.

import { EventKind } from '../protocol/event_layout.ts';
import { MarkCode, nameOfMark } from '../trace/texts.ts';
import { detailOf, kEventWords, kindOf, kSegmentEvents, type Trace } from '../trace/trace.ts';
import { kMostGrowths, kMostLetters, kMostMarks, kMostSamples } from './limits.ts';

export interface MarkPlace {
  readonly event: number;
  readonly name: string;
}

export interface Places {
  /** Sequence numbers at which the heap is sampled, ascending; the last is the end. */
  readonly samples: readonly number[];
  /** memory_grown events: granted ones and refused ones, and where the first of them are. */
  readonly granted: number;
  readonly refused: number;
  readonly growths: readonly number[];
  readonly marks: readonly MarkPlace[];
  readonly markCount: number;
}

export function findPlaces(trace: Trace, chapters: readonly string[]): Places {
  const growths: number[] = [];
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
      if (kind === EventKind.memoryGrown) {
        if (detailOf(head) !== 0) granted += 1;
        else refused += 1;
        if (growths.length < kMostGrowths) growths.push(seq + i);
      } else if (kind === EventKind.mark) {
        const name = nameOf(trace, seq + i, chapters);
        if (name === undefined) continue;
        markCount += 1;
        if (marks.length < kMostMarks) marks.push({ event: seq + i + 1, name: name.slice(0, kMostLetters) });
      }
    }
  }
  return { samples: samplePlaces(trace.count), granted, refused, growths, marks, markCount };
}

function nameOf(trace: Trace, mark: number, chapters: readonly string[]): string | undefined {
  const chapter = trace.a(mark);
  const isChapter = detailOf(trace.head(mark)) === MarkCode.chapter;
  return isChapter ? (chapters[chapter] ?? `chapter ${chapter}`) : nameOfMark(trace, mark);
}

function samplePlaces(events: number): number[] {
  const count = Math.min(events, kMostSamples);
  return Array.from({ length: count }, (_, i) => Math.round(((i + 1) * events) / count));
}
