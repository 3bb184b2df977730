// The engine's life as the page sees it: start it, run a source, receive its progress, notice its end, start it again.
//
//   N1  Notes of a source that was replaced are ignored: from the question to its reply all notes are of the old one.
//   N2  The death of an engine is reported once. `restart` begins the same source anew in a new worker; a text or trace of the
//       visitor's own is kept for that; a program that runs elsewhere sends its past again.
//       While a trace is being opened the notes are of that one alone, and frames show that there is nothing yet.
//   N3  A program that runs elsewhere is followed as long as it is the source that is shown: heed() asks it for news.

import type { Seq } from '../base/brand.ts';
import type { EngineClient } from '../client/engine_client.ts';
import { startEngine } from '../client/start_engine.ts';
import type { RemoteRecorder } from '../live/live_recorder.ts';
import type { Note, Operation, OperationResult, ScenarioInfo } from '../protocol/messages.ts';
import type { ScriptStep } from '../protocol/scripts.ts';
import { firstScenario } from './first_moment.ts';
import { type Questions, questionsTo } from './questions.ts';
import { createSourceRun } from './source_run.ts';
import { namedScenario } from './url.ts';

/** What is asked to run; a source with what it needs. */
export type LoadedSource =
  /** number: the one that a scene lets be changed; undefined: its first. */
  | { readonly kind: 'scenario'; readonly id: string; readonly seed: number; readonly number?: number | undefined }
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
  /** The source has run to its end; `message` when it broke off, in words. */
  finished(loaded: LoadedSource, message: string | undefined): void;
  /** undefined: nothing is being opened any more. */
  opening(opening: Opening | undefined): void;
  died(message: string, lastLines: readonly string[]): void;
  notice(message: string): void;
}

export interface Session extends Questions {
  /** Sets the listeners: none so far. */
  connect(listeners: SessionListeners): void;
  readonly progress: () => Progress;
  readonly loaded: () => LoadedSource | undefined;
  /** A source has begun and frames can be asked for. */
  readonly ready: () => boolean;
  /** The first scenario waits for the list of scenarios: id '' is the one of the first moment. Resolves to the source that runs; undefined when by then
   * another one was asked for, which goes on. */
  start(first: LoadedSource): Promise<LoadedSource | undefined>;
  run(loaded: LoadedSource): Promise<void>;
  /** A new engine in place of the one that died; the source, if there was one, from its beginning. */
  restart(): Promise<void>;
  operate(heap: number, operation: Operation): Promise<OperationResult>;
  verify(): Promise<void>;
  /** Once a screen frame: asks a program that is followed for news. True while there is one. */
  heed(): boolean;
  /** Another text for the program of the source; its progress is reported like that of the source. */
  runText(text: string): Promise<void>;
  dispose(): void;
}

export type LiveSource = Extract<LoadedSource, { kind: 'live' }>;

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
  const current = createSourceRun(
    () => client,
    () => listeners,
  );
  let client = start();

  function start(): EngineClient {
    dead = false;
    const callbacks = {
      note: current.onNote,
      gone(message: string) {
        dead = true;
        listeners.died(message, []);
      },
    };
    return startEngine(callbacks, workerUrl);
  }

  return {
    connect(to) {
      listeners = to;
    },
    progress: current.progress,
    loaded: current.loaded,
    ready: () => current.isReady() && !dead,
    async start(first) {
      const { scenarios } = await client.request({ type: 'scenarios' });
      listeners.scenarios(scenarios);
      if (current.loaded() !== undefined) return undefined;
      const known = first.kind !== 'scenario' || scenarios.some((info) => info.id === first.id);
      const chosen: LoadedSource = known ? first : { kind: 'scenario', id: firstScenario(scenarios), seed: first.seed };
      if (!known && first.id !== '')
        listeners.notice(`There is no ${namedScenario(first.id)}; this is the first scenario.`);
      await current.run(chosen);
      return current.loaded() === chosen ? chosen : undefined;
    },
    run: current.run,
    async restart() {
      client.dispose();
      client = start();
      await current.again();
    },
    ...questionsTo(() => client),
    operate: current.operate,
    runText: current.runText,
    async verify() {
      current.following.refresh();
      await client.request({ type: 'verify' });
    },
    heed: current.following.heed,
    dispose() {
      current.dispose();
      client.dispose();
    },
  };
}
