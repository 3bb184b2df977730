// What every answer is made from: the trace's model, a moment, a heap; and what its parts have in common.
//
//   question ──▶ answer (answer.ts) ──▶ who_holds │ what_leaked │ why_grew │ will_fit │ what_pins

import { isUnnamed } from '../base/frames.ts';
import { chooseHeap } from '../model/queries/query_lists.ts';
import type { HeapEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import type { History } from '../model/time/history.ts';
import type { Model } from '../model/time/model.ts';
import { ownFrameAt } from '../model/time/own_frames.ts';
import type { Answer, Evidence, QuestionId } from '../protocol/answers.ts';
import { addressEnd } from '../trace/address_end.ts';
import { noCalls } from '../trace/no_calls.ts';
import { samplingMean } from '../trace/sampling.ts';
import type { Sentence } from '../trace/sentence.ts';
import type { Trace } from '../trace/trace.ts';
import { unknownFrees } from '../trace/unknown_frees.ts';

/** One question's surroundings. */
export interface Asked {
  readonly model: Model;
  /** After so many events; never beyond what is known. */
  readonly event: number;
  /** 0: all heaps, or where a question is of one heap, the first that lives. */
  readonly heap: number;
}

export interface Known extends Asked {
  readonly history: History;
  readonly state: HeapState;
  /** Where a question is of one heap. */
  readonly entry: HeapEntry | undefined;
}

/** The state is valid until the next call of model.at(). */
export function known(asked: Asked): Known {
  const { model, heap } = asked;
  const event = Math.max(0, Math.min(asked.event, model.history.head.seq));
  const { state } = model.at(event);
  return { ...asked, event, history: model.history, state, entry: chooseHeap(state, heap) };
}

export const kQuestions: Readonly<Record<QuestionId, string>> = {
  holds: 'Who holds the memory?',
  leaked: 'What leaked?',
  grew: 'Why did it grow?',
  fits: 'Will it fit?',
  pins: 'What pins this hole?',
};

export const noEvidence = (event: number): Evidence => ({
  sites: [],
  blocks: [],
  holes: [],
  event,
  from_event: 0,
  to_event: event,
});

/** What each answer has, from its sentence. */
export function said(
  { event }: Known,
  heap: number,
  ask: QuestionId,
  { text, emphasis }: Sentence,
  rest: Partial<Pick<Answer, 'answered' | 'missing' | 'evidence' | 'question'>> = {},
): Omit<Answer, 'ask' | 'figures'> {
  return {
    heap,
    event,
    question: kQuestions[ask],
    sentence: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`,
    deciding: emphasis ?? [0, 0],
    answered: true,
    missing: '',
    evidence: noEvidence(event),
    ...rest,
  };
}

const kSites =
  'Call stacks say who, with file and line where it is linked with -g. To record them: cp app.wasm original.wasm && npx heapglass instrument original.wasm --stacks -o app.wasm && npx heapglass run app.js';
/** Where no call stack says whose blocks are. */
export const kNotWhose = 'which function made them, this trace does not say';
const kNames =
  'Names come from the module as it was linked: with --profiling-funcs it has those of functions, with -g files and lines too. If they are in another file, heapglass symbolize trace app.debug.wasm reads them. If there are none, heapglass instrument --callers goes on to the lines of JavaScript that call it.';
const kMostLooked = 32; // sites
const kFreeLists =
  "This program's own allocator does not say what is free: linked with heapglass --ldflags --profile trace, it does.";

/** What would say whose blocks are; '' where the trace does. */
export function missingSites({ sites }: History): string {
  if (!sites.areEntered) return kSites;
  let looked = 0;
  for (const { site } of sites.all()) {
    if (isUnnamed(ownFrameAt(sites, site))) return kNames;
    if (looked++ === kMostLooked) break;
  }
  return '';
}

export const missingFreeLists = (state: HeapState): string => (state.isForeign ? kFreeLists : '');

/** Where the trace is not all of the program: a sample, lost events, an end before its time. */
export function missingEvents({ trace, lostEvents, broken }: History): string {
  const mean = samplingMean(trace);
  if (mean !== undefined)
    return `The trace has a sample of the blocks, about one in ${mean} bytes: heapglass report estimates the whole, and without --sample every block is recorded.`;
  const all = addressEnd(trace) ?? noCalls(trace);
  if (all !== undefined) return `${all.slice(0, 1).toUpperCase()}${all.slice(1)}.`;
  if (lostEvents > 0) return 'Events were lost while recording: heapglass run --mode lossless waits for the recorder.';
  if (broken !== undefined) return 'The heap is known up to here only: what follows does not fit the events before it.';
  return '';
}

const unknownFreesOf = new WeakMap<Trace, { readonly count: number; readonly sentences: readonly string[] }>();

/** Frees of blocks that the trace does not have: some may be held that it does not have either. O(events), once for each length of a trace. */
export function missingBlocks({ trace, head }: History): string {
  if (!head.isForeign) return '';
  const before = unknownFreesOf.get(trace);
  const known = before?.count === trace.count ? before : { count: trace.count, sentences: unknownFrees(trace) };
  unknownFreesOf.set(trace, known);
  return known.sentences.map((one) => `${one}.`).join(' ');
}

export const together = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');
