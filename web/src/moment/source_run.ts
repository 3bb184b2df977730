// The source that the engine runs: how far it is, what is being opened, the program that is followed.

import { seq } from '../base/brand.ts';
import type { EngineClient } from '../client/engine_client.ts';
import type { Note, Operation, OperationResult } from '../protocol/messages.ts';
import { createFollowing } from './follow_program.ts';
import type { LoadedSource, Progress, SessionListeners } from './session.ts';

const kIdle: Progress = { head: seq(0), running: false, chapter: undefined, done: 0 };

/** `client`: the engine there is, which another one replaces when it has died. Rules as in session.ts. */
export function createSourceRun(client: () => EngineClient, listeners: () => SessionListeners) {
  let progress = kIdle;
  let loaded: LoadedSource | undefined;
  let starting = 0; // sources asked for whose reply is not here yet
  let opening = false; // a trace, whose notes come

  const move = (next: Partial<Progress>): void => {
    progress = { ...progress, ...next };
    listeners().progress(progress);
  };
  /** N3 */
  const following = createFollowing(client, {
    moved: (head) => move({ head }),
    ended: () => move({ running: false }),
    notice: (message) => listeners().notice(message),
  });

  function onNote(note: Note): void {
    if (note.type === 'died') {
      progress = { ...progress, running: false };
      listeners().died(note.message, note.lastLines);
      return;
    }
    if (note.type === 'opening') {
      if (loaded?.kind !== 'trace' || loaded.name !== note.name || starting === 0) return;
      opening = true;
      listeners().opening(note);
      return;
    }
    if (starting > 0) return; // N1
    const wasRunning = progress.running;
    progress = { head: note.head, running: note.running, chapter: note.chapter, done: note.done };
    listeners().progress(progress);
    if (wasRunning && !note.running && loaded !== undefined) listeners().finished(loaded, note.message);
  }

  async function run(next: LoadedSource): Promise<void> {
    following.stop();
    if (loaded?.kind === 'live' && loaded !== next) loaded.recorder.close();
    loaded = next;
    progress = { ...kIdle, running: true };
    endOpening();
    starting++;
    try {
      const opened = await askFor(client(), next);
      if (loaded !== next) return; // given up, for what is shown now
      if (next.kind === 'live') following.start(next);
      if (next.kind !== 'trace' || opened === undefined) return;
      progress = { ...kIdle, head: seq(opened.events), done: 1 };
      listeners().progress(progress);
      if (opened.notice !== undefined) listeners().notice(opened.notice);
    } catch (error) {
      if (loaded === next) progress = kIdle;
      throw error;
    } finally {
      starting--;
      if (loaded === next) endOpening();
    }
  }

  function endOpening(): void {
    if (!opening) return;
    opening = false;
    listeners().opening(undefined);
  }

  return {
    progress: () => progress,
    loaded: () => loaded,
    /** It has begun, and frames can be asked for. */
    isReady: () => loaded !== undefined && (starting === 0 || opening),
    onNote,
    run,
    following,
    /** N2, with a new engine. */
    async again(): Promise<void> {
      progress = kIdle;
      if (loaded !== undefined) await run(loaded);
    },
    async operate(heap: number, operation: Operation): Promise<OperationResult> {
      const { result, head } = await client().request({ type: 'operate', heap, operation });
      progress = { ...progress, head };
      return result;
    },
    async runText(text: string): Promise<void> {
      starting++;
      try {
        await client().request({ type: 'runText', text });
        move({ running: true, done: 0 });
      } finally {
        starting--;
      }
    },
    dispose(): void {
      following.stop();
      if (loaded?.kind === 'live') loaded.recorder.close();
    },
  };
}

/** Asks the engine to begin it; resolves when frames can be asked for. Of a trace, when it is open. */
async function askFor(client: EngineClient, loaded: LoadedSource) {
  switch (loaded.kind) {
    case 'scenario':
      await client.request({ type: 'runScenario', scenario: loaded.id, seed: loaded.seed, number: loaded.number });
      return undefined;
    case 'words': {
      const text = loaded.text.slice().buffer; // kept for a restart
      await client.request({ type: 'runWordIndex', text }, [text]);
      return undefined;
    }
    case 'script':
      await client.request({ type: 'runScript', steps: loaded.steps });
      return undefined;
    case 'live':
      await client.request({ type: 'openStream', name: loaded.name });
      return undefined;
    case 'trace':
      return client.request({ type: 'openTrace', name: loaded.name, file: loaded.file });
  }
}
