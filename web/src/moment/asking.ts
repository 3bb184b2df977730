// The question that is open, and its answer: asked of the engine when the question changes, and again when another moment is shown.
//
//   visitor ──ask──▶ state.asking ──▶ session ──▶ answer ──▶ line, map, time line        the visitor asked: on to where the cause is
//
//   ask.1  Newest wins: the answer of an older question is dropped.
//   ask.2  While a trace is played or the visitor moves through time nothing is asked: the moment has to stand for kRestMs. A link's
//          question does not rest: it is asked with the first frame behind which its moment lies. That may lie ahead of a trace that is
//          still being read, and is waited for.
//   ask.3  What was answered while more was still read is asked again behind the end: the growths after the moment count, too.
//   ask.4  What the page moves by itself ends with anything the visitor does (travel.ts).

import type { Question, ShownAnswer } from '../protocol/answers.ts';
import { followsMoment } from './question.ts';
import type { Asking, State, Store } from './state.ts';
import type { Travel } from './travel.ts';

const kRestMs = 160;

export interface AskingOptions {
  readonly store: Store;
  /** heap: as in the state; 0: the first that lives then. */
  ask(question: Question, at: number, heap: number): Promise<ShownAnswer>;
  /** The event that is shown; undefined: nothing is. */
  shown(): number | undefined;
  /** The trace has come so far, or comes no further. */
  reaches(event: number): boolean;
  readonly travel: Travel;
  failed(error: unknown): void;
}

export type AnswerOf = ReturnType<typeof createAsking>;

export function createAsking(options: AskingOptions) {
  const { store, ask, shown, failed, travel } = options;
  let changed = () => {};
  let perform: (answer: ShownAnswer) => void = () => {};
  let answer: ShownAnswer | undefined;
  let asked: Asking | undefined; // what the answer is to, or what is on its way
  let isWhole = true; // all that there is was read by then
  let performs: Asking | undefined; // that the visitor asked: the page goes to its cause
  let rest: ReturnType<typeof setTimeout> | undefined;
  let disposed = false;

  async function request(asking: Asking, heap: number): Promise<void> {
    asked = asking;
    isWhole = options.reaches(Number.POSITIVE_INFINITY);
    try {
      const next = await ask(asking.question, asking.at, heap);
      if (asked !== asking || disposed) return; // ask.1
      answer = next;
      changed();
      if (performs === asking) {
        perform(next);
        travel.to(next.evidence.event);
      }
    } catch (error) {
      if (asked !== asking || disposed) return;
      answer = undefined;
      changed();
      failed(error);
    } finally {
      if (performs === asking) performs = undefined;
    }
  }

  /** After every change of the state. */
  function follow(state: State, before: State): void {
    if (state.asking === before.asking && state.heap === before.heap) return;
    if (state.asking === undefined) {
      asked = undefined;
      answer = undefined;
      changed();
    } else if (options.reaches(state.asking.at)) void request(state.asking, state.heap);
  }
  const unsubscribe = store.subscribe(follow);

  /** ask.2 */
  function again(): void {
    rest = undefined;
    const { asking, playing } = store.get();
    const at = shown();
    if (asking === undefined || at === undefined || playing || travel.isUnderWay() || asking !== asked) return;
    if (followsMoment(asking.question) && asking.at !== at) store.set({ asking: { ...asking, at } });
  }

  return {
    /** `onAnswer`: there is another answer, or none any more; `performed`: it is to what the visitor asked just now. */
    connect(onAnswer: () => void, performed: (answer: ShownAnswer) => void): void {
      changed = onAnswer;
      perform = performed;
    },
    /** undefined: nothing was asked, or the answer is not here yet. */
    answer: () => answer,
    /** The visitor asks about the moment that is shown; a growth may have been asked for already, at a later one. */
    ask(question: Question, at = shown()): void {
      if (at === undefined) return;
      performs = { question, at };
      store.set({ asking: performs, playing: false, follow: false, place: undefined });
    },
    close: () => store.set({ asking: undefined }),
    /** A frame is shown. */
    shown(): void {
      clearTimeout(rest);
      const { asking, heap, playing } = store.get();
      const isLeft = asking !== asked || (!isWhole && options.reaches(Number.POSITIVE_INFINITY)); // ask.3
      if (asking !== undefined && isLeft && !playing && options.reaches(asking.at)) void request(asking, heap);
      rest = asking === undefined ? undefined : setTimeout(again, kRestMs);
    },
    /** It will change by itself. */
    isBusy: () => rest !== undefined,
    /** Another trace is shown. */
    forget(): void {
      asked = undefined;
      answer = undefined;
    },
    dispose(): void {
      disposed = true;
      clearTimeout(rest);
      unsubscribe();
    },
  };
}
