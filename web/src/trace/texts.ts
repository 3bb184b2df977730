// Texts in a trace: rule P5 of event.h.
//
//   | text 12 bytes | text 12 bytes | text 5 bytes | mark, code named |      the mark's name has 29 bytes

import { EventKind } from '../protocol/event_layout.ts';
import { detailOf, headOf, kEventWords, kindOf, type Trace } from './trace.ts';

/** Marks in a trace, by their code. named: the text before it is its name. */
export const MarkCode = { chapter: 1, named: 2 } as const;

const kTextBytes = 12; // of one event
const kMostBytes = 12_000; // of a text that is read

/** The text that the event `taker` takes: of the text events right before it; '' when there is none. */
export function textBefore(trace: Trace, taker: number): string {
  let first = taker;
  const least = Math.max(0, taker - kMostBytes / kTextBytes);
  while (first > least && trace.kind(first - 1) === EventKind.text) --first;
  const bytes = new Uint8Array((taker - first) * kTextBytes);
  let count = 0;
  for (let event = first; event < taker; ++event) {
    const words = [trace.a(event), trace.b(event), trace.c(event)];
    const used = Math.min(detailOf(trace.head(event)), kTextBytes);
    for (let i = 0; i < used; ++i) bytes[count++] = (words[i >>> 2] ?? 0) >>> ((i & 3) * 8);
  }
  return new TextDecoder().decode(bytes.subarray(0, count));
}

/** The name of a mark; undefined when it has none. */
export function nameOfMark(trace: Trace, mark: number): string | undefined {
  const head = trace.head(mark);
  if (kindOf(head) !== EventKind.mark || detailOf(head) !== MarkCode.named) return undefined;
  return textBefore(trace, mark);
}

/** The text of text records that follow each other. */
export function textOfRecords(records: readonly Uint32Array[]): string {
  const bytes = records.flatMap((record) => {
    const used = Math.min(detailOf(record[0] ?? 0), kTextBytes);
    return Array.from({ length: used }, (_, i) => ((record[1 + (i >>> 2)] ?? 0) >>> ((i & 3) * 8)) & 0xff);
  });
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The text events of a text, to be followed by the event that takes it. */
export function textRecords(text: string): Uint32Array {
  const bytes = new TextEncoder().encode(text).subarray(0, kMostBytes);
  const records = new Uint32Array(Math.ceil(bytes.length / kTextBytes) * kEventWords);
  for (let from = 0, at = 0; from < bytes.length; from += kTextBytes, at += kEventWords) {
    const part = bytes.subarray(from, from + kTextBytes);
    records[at] = headOf(EventKind.text, 0, part.length);
    part.forEach((byte, i) => {
      const word = at + 1 + (i >>> 2);
      records[word] = ((records[word] ?? 0) | (byte << ((i & 3) * 8))) >>> 0;
    });
  }
  return records;
}
