// Whether a trace is whole, and how much of it can be known: the same for every command and for the page of a report.
//
//   V1  Not whole is a file that is cut or damaged, an event that contradicts the state, a walk of the heap that differs from it, and a
//       loss that no snapshot follows. A loss with a snapshot behind it is none: the recorder counted it, and the heap is known again.
//   V2  What follows a contradiction is not used by any command: knownPart() is the trace up to there.

import { formatCount } from '../base/format.ts';
import { hashModelWalk } from '../model/state/walk_compare.ts';
import { Model } from '../model/time/model.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { heapOf, kEventWords, kSegmentEvents, Trace } from '../trace/trace.ts';
import type { TraceFile } from '../trace/trace_file.ts';

export interface Verdict {
  readonly isWhole: boolean;
  /** Why not, one sentence each. */
  readonly sentences: readonly string[];
}

/** The last walk hash that the writer took of the real heap, beside that of the model at the same place. */
export interface Proof {
  readonly event: number;
  readonly equal: boolean;
}

/** pre: the model is folded */
export function verdictOf(file: TraceFile, { history }: Model, proof: Proof | null): Verdict {
  const sentences: string[] = [];
  if (file.notice !== undefined) sentences.push(file.notice);
  const { broken, head, differs, lostAt } = history;
  if (broken !== undefined)
    sentences.push(`the heap is known only up to event ${formatCount(broken.seq)}: ${broken.misuse ?? broken.text}`);
  else if (head.awaiting)
    sentences.push(
      `the heap is known only up to event ${formatCount(lostAt - 1)}: ${whyUnknown(file.trace, lostAt - 1)}`,
    );
  if (differs !== undefined) sentences.push(differs.text);
  else if (proof?.equal === false)
    sentences.push(`the checkpoint at event ${formatCount(proof.event)} differs from the model`);
  return { isWhole: sentences.length === 0, sentences };
}

const whyUnknown = (trace: Trace, event: number): string =>
  trace.kind(event) === EventKind.stateReset
    ? 'memory was set back there to a copy that the trace does not have, and no snapshot follows'
    : 'no snapshot follows the events lost there';

/** null: there is no checkpoint. pre: the model is folded */
export function proofOf(model: Model): Proof | null {
  const { history, trace } = model;
  if (history.differs !== undefined) return { event: history.differs.seq, equal: false };
  const event = history.checkpoints.last();
  if (event === undefined || event >= history.head.seq) return null;
  const { state } = model.at(event);
  const { hash, records } = hashModelWalk(state, heapOf(trace.head(event)), trace.version);
  return { event, equal: hash === trace.a(event) && records === trace.b(event) };
}

export interface Known {
  readonly verdict: Verdict;
  /** V2 */
  readonly file: TraceFile;
}

/** Folds the whole trace. */
export function knownPart(file: TraceFile): Known {
  const model = new Model(file.trace);
  model.history.fold();
  return known(file, model);
}

const kSlice = 100_000; // events: some 20 ms

/** The same for who answers others meanwhile. */
export async function knownPartMeanwhile(file: TraceFile, pause: () => Promise<void>): Promise<Known> {
  const model = new Model(file.trace);
  for (let before = -1; before < model.history.head.seq; ) {
    before = model.history.head.seq;
    model.history.fold(kSlice);
    await pause();
  }
  return known(file, model);
}

function known(file: TraceFile, model: Model): Known {
  const { seq } = model.history.head;
  const trace = seq < file.trace.count ? prefixOf(file.trace, seq) : file.trace;
  return { verdict: verdictOf(file, model, proofOf(model)), file: { ...file, trace } };
}

function prefixOf(trace: Trace, count: number): Trace {
  const prefix = new Trace(trace.version);
  for (let from = 0; from < count; from += kSegmentEvents) {
    const words = trace.segment(from / kSegmentEvents) ?? new Uint32Array(0);
    prefix.append(words.subarray(0, Math.min(count - from, kSegmentEvents) * kEventWords));
  }
  return prefix;
}
