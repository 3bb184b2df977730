// The recorded form of a module: from the browser's database, or made by Binaryen and put there.
//
//   checksum ─▶ kept? ─▶ yes: its bytes
//                └─▶ no: bytes ─▶ by its own names, else by those that the page's scripts say ─▶ kept, its bytes
//
//   in.1  Binaryen takes half a second to load: the worker is made with the panel, before a page is recorded.
//   in.2  Names that scripts say are believed as the other tools believe them: where two scripts say different things, neither is.
//   in.3  Where Binaryen itself fails, its worker is replaced, and what waits goes on there. What it failed at is tried once more.
//   in.4  A page may say any checksum: it gets what is kept by that. What is kept has the checksum that the panel has made of the bytes.

import { saidBy } from '../package/recorded/said_names.ts';
import { isLinked } from '../web/src/instrument/linked.ts';
import { checksumOf } from './checksum.ts';
import { keepModule, keptModule } from './kept_modules.ts';
import type { Rewrite, Rewritten } from './rewriter.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const kTries = 2;

/** The scripts of the page, each with its address. */
export type Scripts = () => Promise<readonly (readonly [address: string, text: string])[]>;

export interface Asked {
  readonly name: string;
  readonly checksum: string | undefined;
  bytes(): Promise<Bytes>;
}

/** Gives the bytes of the recorded form, or a sentence that says why there is none. */
export type Instrument = (asked: Asked, scripts: Scripts) => Promise<Bytes | string>;

/** `wantsCallers`: whether modules that come now are recorded with call stacks. */
export function makeInstrument(wantsCallers: () => boolean): Instrument {
  const rewrite = startRewriter();
  return async ({ name, checksum, bytes: ask }, scripts) => {
    const callers = wantsCallers();
    const keyOf = (sum: string) => `${sum}${callers ? ' callers' : ''}`;
    const said = checksum === undefined ? undefined : await keptModule(keyOf(checksum));
    if (said !== undefined) return said;
    const bytes = await ask();
    if (isLinked(bytes)) return 'it is linked with heapglass and records itself; attach() shows it';
    const sum = await checksumOf(bytes); // in.4
    const known = sum === checksum ? undefined : await keptModule(keyOf(sum));
    if (known !== undefined) return known;
    let made = await rewrite({ bytes, named: {}, callers });
    if (typeof made === 'string') {
      const names = saidBy(await scripts(), bytes, name);
      const second = names === undefined ? made : await rewrite({ bytes, named: names.named, callers });
      if (typeof second !== 'string') made = second;
    }
    if (typeof made !== 'string') void keepModule(keyOf(sum), made);
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
