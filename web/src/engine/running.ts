// What runs: a scenario, a text or a program, step by step, and the proofs of its heap meanwhile.
//
//   RU1  One slice runs some ten thousand events and ends; no slice asks a clock, so a run is the same however it is sliced. A step that
//        wrote more than a slice may show is shown by the slices that follow, before the next step.
//   RU2  The real heap is walked and compared at chapter begins, at the end of a run, and whenever the trace has grown by a fifth since
//        the last time: the proof costs a share of the run, not a multiple.

import { seq } from '../base/brand.ts';
import { tailOf } from '../model/state/chunk_at.ts';
import type { SceneOutcome, SceneStep } from '../protocol/scenes.ts';
import type { Step } from '../scenarios/scenario.ts';
import { MarkCode } from '../trace/texts.ts';
import type { Session } from './session.ts';

const kSliceEvents = 16_384;
const kShownEvents = 4_096; // of a step that wrote many, in one slice
const kVerifyGrowth = 1.2;
const kVerifyAtLeast = 2_000; // events between two walks

export interface Run {
  readonly steps: Generator<Step, void, void>;
  readonly chapters: readonly string[];
  chapter: string | undefined;
  done: number;
}

export class Running {
  /** undefined: nothing runs. */
  run: Run | undefined;
  sceneSteps: SceneStep[] = [];
  #verifiedHead = 0;

  begin(steps: Generator<Step, void, void>, chapters: readonly string[]): void {
    this.run = { steps, chapters, chapter: undefined, done: 0 };
  }

  /** Of the run before. */
  forget(): void {
    this.run = undefined;
    this.sceneSteps = [];
    this.#verifiedHead = 0;
  }

  /** One slice of a run; the last one ends it. */
  tick(session: Session, run: Run): void {
    if (!this.#slice(session, run)) this.finish(session);
  }

  /** False when the run has ended. */
  #slice(session: Session, run: Run): boolean {
    const end = session.head + kSliceEvents;
    while (session.head < end) {
      if (session.behind) {
        session.update(kShownEvents);
        if (session.mismatch !== undefined) throw new Error(session.mismatch);
        if (session.behind) return true;
        break;
      }
      const step = run.steps.next();
      session.update(kSliceEvents);
      if (session.mismatch !== undefined) throw new Error(session.mismatch);
      if (step.done) return false;
      run.done = step.value.done;
      if (step.value.outcome !== undefined) this.#endSceneStep(session, step.value.outcome);
      if (step.value.rest) break;
      if (step.value.chapter === undefined) continue;
      const { chapter } = step.value;
      run.chapter = run.chapters[chapter];
      session.live?.module.call((functions) => functions.hg_trace_mark(0, MarkCode.chapter, chapter, 0, 0));
      this.prove(session);
      this.#beginSceneStep(session);
      return true;
    }
    const due = Math.max(this.#verifiedHead * kVerifyGrowth, this.#verifiedHead + kVerifyAtLeast);
    if (session.head > due && !session.behind) this.prove(session);
    return true;
  }

  /** SC1: right after the mark of a chapter. */
  #beginSceneStep(session: Session): void {
    const from = seq(session.model.trace.count);
    this.sceneSteps.push({ from, to: from, reach: reachOf(session) });
  }

  #endSceneStep(session: Session, outcome: SceneOutcome): void {
    const step = this.sceneSteps.pop();
    if (step === undefined) return;
    const to = seq(session.model.trace.count);
    this.sceneSteps.push({ ...step, ...outcome, to, reach: Math.max(step.reach, reachOf(session)) });
  }

  finish(session: Session): void {
    this.run = undefined;
    writeCheckpoints(session);
    this.prove(session);
  }

  prove(session: Session): void {
    session.verify();
    this.#verifiedHead = session.head;
  }
}

/** How far the first segment that is not all top is in use. */
function reachOf({ model, head }: Session): number {
  const { state } = model.at(head);
  const tails = state.segments.map((segment) => ({ tail: tailOf(state, segment), first: segment.firstChunk }));
  return tails.find(({ tail, first }) => tail > first)?.tail ?? 0;
}

/** So that the trace proves itself when it is opened elsewhere. */
export function writeCheckpoints(session: Session): void {
  const { live } = session;
  if (live === undefined || live.module.death !== undefined) return;
  for (const { address } of session.livingHeaps) {
    live.module.call((functions) => functions.hg_trace_checkpoint(address));
  }
  session.update();
}
