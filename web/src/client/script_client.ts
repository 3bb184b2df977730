// The page's end of the wire to a script's worker: one worker for one run.
//
//   page ── text ──▶ worker               C1  `finished` resolves once: at the script's end, when it is stopped, or at the limit
//   page ◀── begun, steps, ended ── worker    C2  the limit counts from `begun`: what loads before it takes its time
//                                             C3  the calls that were told until then are kept, however it ended

import type { ScriptError, ScriptNote, ScriptStep } from '../protocol/scripts.ts';

/** What the client needs of a Worker. */
export interface ScriptPort {
  postMessage(text: string): void;
  addEventListener(type: 'message' | 'error', listener: (event: Event) => void): void;
  terminate(): void;
}

export interface ScriptRun {
  readonly steps: readonly ScriptStep[];
  readonly error: ScriptError | undefined;
}

export interface ScriptClient {
  readonly finished: Promise<ScriptRun>;
  stop(): void;
}

export interface ScriptClientOptions {
  print(line: string): void;
  readonly start?: () => ScriptPort;
  readonly limitMs?: number;
}

const kLimitMs = 5_000;
const kKept = 'The map shows the calls that were made until then.';

const startWorker = (): ScriptPort => new Worker(new URL('../script/worker.ts', import.meta.url), { type: 'module' });

export function startScript(
  text: string,
  { print, start = startWorker, limitMs = kLimitMs }: ScriptClientOptions,
): ScriptClient {
  const steps: ScriptStep[] = [];
  const worker = start();
  let limit: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  let settle: (run: ScriptRun) => void = () => {};
  const finished = new Promise<ScriptRun>((resolve) => {
    settle = resolve;
  });

  function end(error: ScriptError | undefined): void {
    ended = true;
    clearTimeout(limit);
    worker.terminate();
    settle({ steps, error });
  }
  const endWith = (message: string) => end({ message, line: undefined, column: undefined });

  worker.addEventListener('message', (event) => {
    if (ended || !(event instanceof MessageEvent)) return;
    const note = event.data as ScriptNote;
    if (note.type === 'steps') steps.push(...note.steps);
    else if (note.type === 'printed') print(note.line);
    else if (note.type === 'ended') end(note.error);
    else {
      const seconds = limitMs / 1000;
      limit = setTimeout(() => {
        endWith(`The script did not end within ${seconds} s and was stopped. Does a loop in it never end? ${kKept}`);
      }, limitMs);
    }
  });
  worker.addEventListener('error', (event) => {
    const detail = 'message' in event && typeof event.message === 'string' ? event.message : '';
    endWith(`The script's worker stopped: ${detail === '' ? 'it could not be loaded' : detail}`);
  });
  worker.postMessage(text);
  return { finished, stop: () => endWith(`The script was stopped. ${kKept}`) };
}
