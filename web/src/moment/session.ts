// The engine's life as the page sees it: start it, run a story, hear how it goes on, notice its end, start it again.
//
//   N1  Notes of a story that was replaced are not heard: from the question to its reply all notes are of the old one.
//   N2  A dead engine is told once. `restart` begins the same source anew in a new worker; a text or trace of the
//       visitor's own is kept for that; a program that runs elsewhere tells its past again.
//       While a trace is being opened the notes are of that one alone, and frames show that there is nothing yet.
//   N3  A program that runs elsewhere is followed as long as its story is the one that is told: heed() asks it for news.

import type { Seq } from '../base/brand.ts';
import type { EngineClient } from '../client/engine_client.ts';
import { startEngine } from '../client/start_engine.ts';
import type { RemoteRecorder } from '../live/live_recorder.ts';
import type { Note, Operation, OperationResult, ScenarioInfo } from '../protocol/messages.ts';
import type { ScriptStep } from '../protocol/scripts.ts';
import { type Questions, questionsTo } from './questions.ts';
import { createStoryRun } from './story_run.ts';

/** What is asked to run; a source with what it needs. */
export type Story =
  | { readonly kind: 'scenario'; readonly id: string; readonly seed: number }
  | { readonly kind: 'words'; readonly name: string; readonly text: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'trace'; readonly name: string; readonly file: Blob; readonly address?: string }
  | { readonly kind: 'script'; readonly name: string; readonly packed: string; readonly steps: readonly ScriptStep[] }
  | { readonly kind: 'live'; readonly name: string; readonly id: string; readonly recorder: RemoteRecorder };

export interface Progress {
  readonly head: Seq;
  readonly running: boolean;
  readonly chapter: string | undefined;
  readonly done: number;
}

/** How far the opening of a trace is. */
export type Opening = Extract<Note, { type: 'opening' }>;

export interface SessionListeners {
  scenarios(scenarios: readonly ScenarioInfo[]): void;
  progress(progress: Progress): void;
  /** The story was told to its end; `message` when it broke off, in words. */
  finished(story: Story, message: string | undefined): void;
  /** undefined: nothing is being opened any more. */
  opening(opening: Opening | undefined): void;
  died(message: string, lastLines: readonly string[]): void;
  notice(message: string): void;
}

export interface Session extends Questions {
  /** Who hears of it: nobody so far. */
  connect(listeners: SessionListeners): void;
  readonly progress: () => Progress;
  readonly story: () => Story | undefined;
  /** A story has begun and frames can be asked for. */
  readonly ready: () => boolean;
  /** The first story waits for the list of scenarios: id '' is its first. Resolves to the story that runs; undefined when by then
   * another one was asked for, which goes on. */
  start(first: Story): Promise<Story | undefined>;
  run(story: Story): Promise<void>;
  /** A new engine in place of the one that died; the story, if one was being told, from its beginning. */
  restart(): Promise<void>;
  operate(heap: number, operation: Operation): Promise<OperationResult>;
  verify(): Promise<void>;
  /** Once a screen frame: asks a program that is followed for news. True while there is one. */
  heed(): boolean;
  /** Another text for the program of the story; how it goes on is told as the story was. */
  runText(text: string): Promise<void>;
  dispose(): void;
}

export type LiveStory = Extract<Story, { kind: 'live' }>;

/** What is told unasked; programs are asked for by name. */
export const firstStory = (scenarios: readonly ScenarioInfo[]): string =>
  scenarios.find((info) => info.program === undefined)?.id ?? '';

const kNobody: SessionListeners = {
  scenarios() {},
  progress() {},
  finished() {},
  opening() {},
  died() {},
  notice() {},
};

/** `workerUrl`: where the engine's script is served; '': it comes with the page. */
export function createSession(workerUrl = ''): Session {
  let listeners = kNobody;
  let dead = false; // the worker is gone
  const told = createStoryRun(
    () => client,
    () => listeners,
  );
  let client = start();

  function start(): EngineClient {
    dead = false;
    const heard = {
      note: told.hear,
      gone(message: string) {
        dead = true;
        listeners.died(message, []);
      },
    };
    return startEngine(heard, workerUrl);
  }

  return {
    connect(to) {
      listeners = to;
    },
    progress: told.progress,
    story: told.story,
    ready: () => told.isReady() && !dead,
    async start(first) {
      const { scenarios } = await client.request({ type: 'scenarios' });
      listeners.scenarios(scenarios);
      if (told.story() !== undefined) return undefined;
      const known = first.kind !== 'scenario' || scenarios.some((info) => info.id === first.id);
      const chosen: Story = known ? first : { kind: 'scenario', id: firstStory(scenarios), seed: first.seed };
      if (!known && first.id !== '') listeners.notice(`There is no scenario “${first.id}”; this is the first one.`);
      await told.run(chosen);
      return told.story() === chosen ? chosen : undefined;
    },
    run: told.run,
    async restart() {
      client.dispose();
      client = start();
      await told.again();
    },
    ...questionsTo(() => client),
    operate: told.operate,
    runText: told.runText,
    async verify() {
      told.following.refresh();
      await client.request({ type: 'verify' });
    },
    heed: told.following.heed,
    dispose() {
      told.dispose();
      client.dispose();
    },
  };
}
