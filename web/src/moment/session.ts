// The engine's life as the page sees it: start it, run a story, hear how it goes on, notice its end, start it again.
//
//   N1  Notes of a story that was replaced are not heard: from the question to its reply all notes are of the old one.
//   N2  A dead engine is told once. `restart` begins the same source anew in a new worker; a text or trace of the
//       visitor's own is kept for that; a program that runs elsewhere tells its past again.
//       While a trace is being opened the notes are of that one alone, and frames show that there is nothing yet.
//   N3  A program that runs elsewhere is followed as long as its story is the one that is told: heed() asks it for news.

import { type Seq, seq } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import type { EngineClient } from '../client/engine_client.ts';
import { startEngine } from '../client/start_engine.ts';
import { type Feed, kMostEvents, startFeed } from '../live/feed.ts';
import type { RemoteRecorder } from '../live/live_recorder.ts';
import type { Frame } from '../protocol/frames.ts';
import type {
  Found,
  FrameRequest,
  Note,
  Operation,
  OperationResult,
  Printed,
  ScenarioInfo,
  Wanted,
  WordRow,
} from '../protocol/messages.ts';
import type { SceneStep } from '../protocol/scenes.ts';
import type { ScriptStep } from '../protocol/scripts.ts';
import type { LivesFrame, LivesWindow, TemporariesFrame } from '../protocol/whole_trace.ts';

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

export interface Session {
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
  /** Gives up the trace that is being opened; run() then resolves, and nothing is open. */
  cancelOpening(): Promise<void>;
  /** A new engine in place of the one that died; the story, if one was being told, from its beginning. */
  restart(): Promise<void>;
  frame(request: FrameRequest): Promise<Frame | undefined>;
  find(wanted: Wanted, from: Seq, by: 1 | -1): Promise<Found>;
  lives(window: LivesWindow): Promise<LivesFrame>;
  temporaries(within: number): Promise<TemporariesFrame>;
  operate(heap: number, operation: Operation): Promise<OperationResult>;
  verify(): Promise<void>;
  sceneSteps(): Promise<readonly SceneStep[]>;
  /** Once a screen frame: asks a program that is followed for news. True while there is one. */
  heed(): boolean;
  saveTrace(): Promise<{ readonly file: ArrayBuffer; readonly name: string }>;
  wordTop(count: number): Promise<{ readonly total: number; readonly rows: readonly WordRow[] }>;
  wordFind(word: string): Promise<readonly WordRow[]>;
  /** Another text for the program of the story; how it goes on is told as the story was. */
  runText(text: string): Promise<void>;
  stopText(): Promise<void>;
  printed(): Promise<Printed>;
  dispose(): void;
}

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

const kIdle: Progress = { head: seq(0), running: false, chapter: undefined, done: 0 };

/** `workerUrl`: where the engine's script is served; '': it comes with the page. */
export function createSession(workerUrl = ''): Session {
  let listeners = kNobody;
  let progress = kIdle;
  let story: Story | undefined;
  let dead = false; // the worker is gone
  let client = start();
  let starting = 0; // stories asked for whose reply is not here yet
  let feed: Feed | undefined;
  let opening = false; // a trace, whose notes come

  function start(): EngineClient {
    dead = false;
    const heard = {
      note: hear,
      gone(message: string) {
        dead = true;
        listeners.died(message, []);
      },
    };
    return startEngine(heard, workerUrl);
  }

  function hear(note: Note): void {
    if (note.type === 'died') {
      progress = { ...progress, running: false };
      listeners.died(note.message, note.lastLines);
      return;
    }
    if (note.type === 'opening') {
      if (story?.kind !== 'trace' || story.name !== note.name || starting === 0) return;
      opening = true;
      listeners.opening(note);
      return;
    }
    if (starting > 0) return; // N1
    const wasRunning = progress.running;
    progress = { head: note.head, running: note.running, chapter: note.chapter, done: note.done };
    listeners.progress(progress);
    if (wasRunning && !note.running && story !== undefined) listeners.finished(story, note.message);
  }

  /** N3 */
  function follow({ recorder, name }: Extract<Story, { kind: 'live' }>): Feed {
    const followed: Feed = startFeed({
      recorder,
      async send(records) {
        const { events } = await client.request({ type: 'appendEvents', records }, [records]);
        if (feed !== followed) return;
        progress = { ...progress, head: seq(events) };
        listeners.progress(progress);
      },
      failed: (error) => listeners.notice(error instanceof Error ? error.message : String(error)),
      bound: {
        mostEvents: kMostEvents,
        async renew() {
          await client.request({ type: 'openStream', name });
          if (feed !== followed) return;
          progress = { ...progress, head: seq(0) };
          listeners.progress(progress);
          listeners.notice(
            `The page keeps ${formatCount(kMostEvents)} events: the trace begins anew here, with a snapshot of ${name}.`,
          );
        },
      },
    });
    recorder.onend = (reason) => {
      if (feed !== followed) return;
      unfollow();
      progress = { ...progress, running: false };
      listeners.progress(progress);
      listeners.notice(`${name} is not followed any more: ${reason}`);
    };
    return followed;
  }

  function unfollow(): void {
    feed?.stop();
    feed = undefined;
  }

  async function run(next: Story): Promise<void> {
    unfollow();
    if (story?.kind === 'live' && story !== next) story.recorder.close();
    story = next;
    progress = { ...kIdle, running: true };
    endOpening();
    starting++;
    try {
      if (next.kind === 'scenario') {
        await client.request({ type: 'runScenario', scenario: next.id, seed: next.seed });
      } else if (next.kind === 'words') {
        const text = next.text.slice().buffer; // kept for a restart
        await client.request({ type: 'runWordIndex', text }, [text]);
      } else if (next.kind === 'script') {
        await client.request({ type: 'runScript', steps: next.steps });
      } else if (next.kind === 'live') {
        await client.request({ type: 'openStream', name: next.name });
        if (story === next) feed = follow(next);
      } else {
        const opened = await client.request({ type: 'openTrace', name: next.name, file: next.file });
        if (story !== next) return; // given up, for what is told now
        progress = { ...kIdle, head: seq(opened.events), done: 1 };
        listeners.progress(progress);
        if (opened.notice !== undefined) listeners.notice(opened.notice);
      }
    } catch (error) {
      if (story === next) progress = kIdle;
      throw error;
    } finally {
      starting--;
      if (story === next) endOpening();
    }
  }

  function endOpening(): void {
    if (!opening) return;
    opening = false;
    listeners.opening(undefined);
  }

  return {
    connect(to) {
      listeners = to;
    },
    progress: () => progress,
    story: () => story,
    ready: () => story !== undefined && (starting === 0 || opening) && !dead,
    async start(first) {
      const { scenarios } = await client.request({ type: 'scenarios' });
      listeners.scenarios(scenarios);
      if (story !== undefined) return undefined;
      const known = first.kind !== 'scenario' || scenarios.some((info) => info.id === first.id);
      const chosen: Story = known ? first : { kind: 'scenario', id: firstStory(scenarios), seed: first.seed };
      if (!known && first.id !== '') listeners.notice(`There is no scenario “${first.id}”; this is the first one.`);
      await run(chosen);
      return story === chosen ? chosen : undefined;
    },
    run,
    async cancelOpening() {
      await client.request({ type: 'stopOpening' });
    },
    async restart() {
      client.dispose();
      client = start();
      progress = kIdle;
      if (story !== undefined) await run(story);
    },
    frame: (request) => client.frame(request),
    find: async (wanted, from, by) => (await client.request({ type: 'find', wanted, from, by })).found,
    lives: async (window) => (await client.request({ type: 'lives', window })).lives,
    temporaries: async (within) => (await client.request({ type: 'temporaries', within })).temporaries,
    async operate(heap, operation) {
      const { result, head } = await client.request({ type: 'operate', heap, operation });
      progress = { ...progress, head };
      return result;
    },
    sceneSteps: async () => (await client.request({ type: 'sceneSteps' })).steps,
    async verify() {
      feed?.refresh();
      await client.request({ type: 'verify' });
    },
    heed() {
      feed?.heed();
      return feed !== undefined;
    },
    saveTrace: () => client.request({ type: 'exportTrace' }),
    wordTop: (count) => client.request({ type: 'wordTop', count }),
    wordFind: async (word) => (await client.request({ type: 'wordFind', word })).rows,
    async runText(text) {
      starting++;
      try {
        await client.request({ type: 'runText', text });
        progress = { ...progress, running: true, done: 0 };
        listeners.progress(progress);
      } finally {
        starting--;
      }
    },
    async stopText() {
      await client.request({ type: 'stopText' });
    },
    printed: async () => (await client.request({ type: 'printed' })).printed,
    dispose() {
      unfollow();
      if (story?.kind === 'live') story.recorder.close();
      client.dispose();
    },
  };
}
