// The numbers that the five standing questions carry before they are pressed, of the moment that is shown.
//
//   frame shown ──▶ stands for kRestMs ──▶ question by question ──▶ changed()
//
//   standing.1  They are asked for when nothing else is: the page does not play, read or travel, and a frame has stood. Each question is a
//               request of its own, so that a frame waits for one answer at most.
//   standing.2  What was asked of another moment is dropped. The numbers of before stay, marked as such, until those of now are here.
//   standing.3  The size that the visitor asked about last is the one that may fit; at first it is the most that does.

import type { Question, QuestionId } from '../protocol/answers.ts';
import { kStanding } from '../protocol/question_words.ts';
import type { State, Store } from './state.ts';

const kRestMs = 160;

export interface StandingOptions {
  readonly store: Store;
  number(question: Question, at: number, heap: number): Promise<string>;
  /** The event that is shown; undefined: nothing is. */
  shown(): number | undefined;
  /** Something is under way that comes before. */
  isMoving(): boolean;
}

/** What the buttons show. */
export interface StandingNumbers {
  readonly questions: readonly Question[];
  /** '': the trace has no answer; none: not known yet. */
  readonly numbers: Readonly<Partial<Record<QuestionId, string>>>;
  /** They are of the moment that is shown. */
  readonly isNow: boolean;
}

export type Standing = ReturnType<typeof createStanding>;

export function createStanding({ store, number, shown, isMoving }: StandingOptions) {
  let changed = () => {};
  let fits: Question = { ask: 'fits' };
  let numbers: Partial<Record<QuestionId, string>> = {};
  let known = ''; // what all of them are of
  let rest: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let sources = 0;
  let disposed = false;

  const questions = (): readonly Question[] => kStanding.map((question) => (question.ask === 'fits' ? fits : question));
  const keyNow = (): string => JSON.stringify([shown(), store.get().heap, fits, sources]);

  function wait(): void {
    clearTimeout(rest);
    rest = shown() === undefined || known === keyNow() ? undefined : setTimeout(ask, kRestMs);
  }

  async function ask(): Promise<void> {
    rest = undefined;
    if (isAsking || isMoving()) return; // standing.1: the next frame, or the end of what is asked, waits again
    const at = shown();
    if (at === undefined) return;
    isAsking = true;
    const asked = keyNow();
    const next: Partial<Record<QuestionId, string>> = {};
    try {
      for (const question of questions()) {
        next[question.ask] = await number(question, at, store.get().heap);
        if (disposed || asked !== keyNow() || isMoving()) return; // standing.2
      }
      known = asked;
      numbers = next;
    } catch {
      known = asked; // a trace that cannot be asked has no numbers; what is asked by the visitor says why
      numbers = {};
    } finally {
      isAsking = false;
      if (!disposed) {
        changed();
        if (known !== keyNow()) wait();
      }
    }
  }

  const unsubscribe = store.subscribe((state: State, before: State) => {
    const question = state.asking?.question;
    if (question?.ask === 'fits') fits = question;
    const isOther = state.asking !== before.asking || state.heap !== before.heap || state.playing !== before.playing;
    if (isOther) wait();
  });

  return {
    /** There are other numbers. */
    connect(onNumbers: () => void): void {
      changed = onNumbers;
    },
    /** A frame is shown, or what came before it has ended. */
    shown: wait,
    now: (): StandingNumbers => ({ questions: questions(), numbers, isNow: known === keyNow() }),
    isBusy: () => rest !== undefined || isAsking,
    /** Another trace is shown. */
    forget(): void {
      sources++;
      numbers = {};
    },
    dispose(): void {
      disposed = true;
      clearTimeout(rest);
      unsubscribe();
    },
  };
}
