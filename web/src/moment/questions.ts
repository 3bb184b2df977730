// What the page asks the engine of the source that is open: questions with one answer each, which change nothing of the session.

import type { Addr, Seq } from '../base/brand.ts';
import type { EngineClient } from '../client/engine_client.ts';
import type { AnswerTo, Question, Shown } from '../protocol/answers.ts';
import type { Frame } from '../protocol/frames.ts';
import type { Found, FrameRequest, Printed, Wanted, WordRow } from '../protocol/messages.ts';
import type { SceneStep } from '../protocol/scenes.ts';
import type { LivesFrame, LivesWindow, RangeSitesFrame, TemporariesFrame } from '../protocol/whole_trace.ts';

/** Of a question of one kind, with what the page gets more (protocol/answers.ts). */
export type ShownTo<Asked extends Question> = AnswerTo<Asked['ask']> & Shown;

export interface Questions {
  /** An answer is on its way. */
  isBusy(): boolean;
  frame(request: FrameRequest): Promise<Frame | undefined>;
  find(wanted: Wanted, from: Seq, by: 1 | -1): Promise<Found>;
  lives(window: LivesWindow): Promise<LivesFrame>;
  temporaries(within: number): Promise<TemporariesFrame>;
  rangeSites(from: Seq, to: Seq, libraries: boolean): Promise<RangeSitesFrame>;
  /** Innermost call first; none: not known. */
  stack(address: Addr, at: Seq): Promise<readonly string[]>;
  /** One of the standing questions, about a moment. */
  answer<Asked extends Question>(question: Asked, at: Seq, heap: number): Promise<ShownTo<Asked>>;
  /** The number that a standing question carries; '': the trace has no answer. */
  standing(question: Question, at: Seq, heap: number): Promise<string>;
  /** Where the run is shown at first, as soon as it has come there; undefined: it has no such moment. */
  firstMoment(): Promise<Seq | undefined>;
  sceneSteps(): Promise<readonly SceneStep[]>;
  saveTrace(): Promise<{ readonly file: ArrayBuffer; readonly name: string }>;
  wordTop(count: number): Promise<{ readonly total: number; readonly rows: readonly WordRow[] }>;
  wordFind(word: string): Promise<readonly WordRow[]>;
  printed(): Promise<Printed>;
  /** Gives up the text that runs. */
  stopText(): Promise<void>;
  /** Gives up the trace that is being opened; its run() then resolves, and nothing is open. */
  cancelOpening(): Promise<void>;
}

/** `client`: the engine there is, which another one replaces when it has died. */
export const questionsTo = (client: () => EngineClient): Questions => ({
  isBusy: () => client().isBusy(),
  frame: (request) => client().frame(request),
  find: async (wanted, from, by) => (await client().request({ type: 'find', wanted, from, by })).found,
  lives: async (window) => (await client().request({ type: 'lives', window })).lives,
  temporaries: async (within) => (await client().request({ type: 'temporaries', within })).temporaries,
  rangeSites: async (from, to, libraries) =>
    (await client().request({ type: 'rangeSites', from, to, libraries })).range,
  stack: async (address, at) => (await client().request({ type: 'stack', address, at })).stack,
  answer: async <Asked extends Question>(question: Asked, at: Seq, heap: number) =>
    (await client().request({ type: 'answer', question, at, heap })).answer as ShownTo<Asked>,
  standing: async (question, at, heap) => (await client().request({ type: 'standing', question, at, heap })).number,
  firstMoment: async () => (await client().request({ type: 'firstMoment' })).moment,
  sceneSteps: async () => (await client().request({ type: 'sceneSteps' })).steps,
  saveTrace: () => client().request({ type: 'exportTrace' }),
  wordTop: (count) => client().request({ type: 'wordTop', count }),
  wordFind: async (word) => (await client().request({ type: 'wordFind', word })).rows,
  printed: async () => (await client().request({ type: 'printed' })).printed,
  async stopText() {
    await client().request({ type: 'stopText' });
  },
  async cancelOpening() {
    await client().request({ type: 'stopOpening' });
  },
});
