// The page's end of the wire to a script's worker: one worker for one run, sealed off from everything else (sealed_frame.ts).
//
//   page ── text ──▶ worker               C1  `finished` resolves once: at the script's end, when it is stopped, or at the limit
//   page ◀── begun, steps, ended ── worker    C2  the limit counts from the first `begun`: what loads before it has a limit of its own
//                                             C3  the calls that were told until then are kept, however it ended
//                                             C4  a note that is none (script_notes.ts), or one too many, ends the run

import { readNote } from '../protocol/script_notes.ts';
import {
  kMostCharacters,
  kMostNotes,
  kMostScriptCalls,
  type ScriptError,
  type ScriptNote,
  type ScriptStep,
} from '../protocol/scripts.ts';
import { startSealed } from './sealed_frame.ts';

/** The worker that runs one text, as the client needs it. */
export interface ScriptPort {
  onmessage: ((data: unknown) => void) | undefined;
  onerror: ((message: string) => void) | undefined;
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
  readonly start?: (text: string) => ScriptPort;
  readonly limitMs?: number;
}

const kLimitMs = 5_000;
const kLoadLimitMs = 30_000;
const kKept = 'The map shows the calls that were made until then.';
const kTooMuch = `The script sent more than a page can take, and was stopped. ${kKept}`;
const kForged = `The script sent what is no call and no line, and was stopped. ${kKept}`;

export function startScript(
  text: string,
  { print, start = startSealed, limitMs = kLimitMs }: ScriptClientOptions,
): ScriptClient {
  const steps: ScriptStep[] = [];
  let ended = false;
  let isBegun = false;
  let notes = 0;
  let characters = 0;
  let settle: (run: ScriptRun) => void = () => {};
  const finished = new Promise<ScriptRun>((resolve) => {
    settle = resolve;
  });
  const worker = start(text);

  function end(error: ScriptError | undefined): void {
    if (ended) return;
    ended = true;
    clearTimeout(limit);
    worker.terminate();
    settle({ steps, error });
  }
  const endWith = (message: string) => end({ message, line: undefined, column: undefined });
  let limit = setTimeout(() => endWith("The script's worker stopped: it could not be loaded"), kLoadLimitMs);

  function begin(): void {
    if (isBegun) return;
    isBegun = true;
    const seconds = limitMs / 1000;
    clearTimeout(limit);
    limit = setTimeout(() => {
      endWith(`The script did not end within ${seconds} s and was stopped. Does a loop in it never end? ${kKept}`);
    }, limitMs);
  }

  function keep(more: readonly ScriptStep[]): void {
    const left = kMostScriptCalls - steps.length;
    steps.push(...more.slice(0, left));
    if (more.length > left) endWith(kTooMuch);
  }

  function take(note: ScriptNote): void {
    if (note.type === 'begun') begin();
    else if (note.type === 'printed') print(note.line);
    else if (note.type === 'ended') end(note.error);
    else keep(note.steps);
  }

  worker.onmessage = (data) => {
    if (ended) return;
    notes += 1;
    characters += typeof data === 'string' ? data.length : 0;
    if (notes > kMostNotes + 1 || characters > 2 * kMostCharacters) {
      endWith(kTooMuch);
      return;
    }
    const note = readNote(data);
    if (note === undefined) endWith(kForged);
    else take(note);
  };
  worker.onerror = (message) => endWith(`The script's worker stopped: ${message}`);
  return { finished, stop: () => endWith(`The script was stopped. ${kKept}`) };
}
