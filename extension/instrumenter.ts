// The recorded form of a module: from the browser's database, or made by Binaryen and put there.
//
//   bytes ─▶ checksum ─▶ kept? ─▶ yes: its bytes
//                          └─▶ no: by its own names, else by those that the page's scripts say ─▶ kept, its bytes
//
//   in.1  Binaryen takes half a second to load: the worker is made with the panel, before a page is recorded.
//   in.2  Names that scripts say are believed as the other tools believe them: where two scripts say different things, neither is.
//   in.3  Where Binaryen itself fails, its worker is replaced, and what waits goes on there. What it failed at is tried once more.

import { saidBy } from '../package/recorded/said_names.ts';
import { isLinked } from '../web/src/instrument/linked.ts';
import { keepModule, keptModule } from './kept_modules.ts';
import type { Rewrite, Rewritten } from './rewriter.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const kTries = 2;

/** The scripts of the page, each with its address. */
export type Scripts = () => Promise<readonly (readonly [address: string, text: string])[]>;

/** Gives the bytes of the recorded form, or a sentence that says why there is none. */
export type Instrument = (bytes: Bytes, scripts: Scripts, file: string) => Promise<Bytes | string>;

/** `wantsCallers`: whether modules that come now are recorded with call stacks. */
export function makeInstrument(wantsCallers: () => boolean): Instrument {
  const rewrite = startRewriter();
  return async (bytes, scripts, file) => {
    const callers = wantsCallers();
    if (isLinked(bytes)) return 'it is linked with heapglass and records itself; attach() shows it';
    const key = `${hex(await crypto.subtle.digest('SHA-256', bytes))}${callers ? ' callers' : ''}`;
    const known = await keptModule(key);
    if (known !== undefined) return known;
    let made = await rewrite({ bytes, named: {}, callers });
    if (typeof made === 'string') {
      const said = saidBy(await scripts(), bytes, file);
      const second = said === undefined ? made : await rewrite({ bytes, named: said.named, callers });
      if (typeof second !== 'string') made = second;
    }
    if (typeof made !== 'string') void keepModule(key, made);
    return made;
  };
}

interface Waiting {
  readonly rewrite: Rewrite;
  readonly answer: (made: Bytes | string) => void;
  tries: number;
}

/** in.3 */
function startRewriter(): (asked: Omit<Rewrite, 'number'>) => Promise<Bytes | string> {
  const waiting = new Map<number, Waiting>();
  let worker = startWorker();
  let asked = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL('./rewriter.ts', import.meta.url), { type: 'module' });
    started.onerror = ({ message }) => replace(`the instrumenter has failed: ${message}`);
    started.onmessage = ({ data: { number, made, failed } }: MessageEvent<Rewritten>) => {
      if (failed === true) replace(String(made), number);
      else end(number, made);
    };
    return started;
  }

  function end(number: number, made: Bytes | string): void {
    waiting.get(number)?.answer(made);
    waiting.delete(number);
  }

  /** Without a number nobody knows which one it failed at: all that waits has had its try. */
  function replace(why: string, failedAt?: number): void {
    worker.terminate();
    worker = startWorker();
    for (const [number, one] of waiting) {
      if (failedAt === undefined || number === failedAt) one.tries += 1;
      if (one.tries >= kTries) end(number, why);
      else worker.postMessage(one.rewrite);
    }
  }

  return (given) =>
    new Promise((answer) => {
      const rewrite: Rewrite = { number: ++asked, ...given };
      waiting.set(rewrite.number, { rewrite, answer, tries: 0 });
      worker.postMessage(rewrite);
    });
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
