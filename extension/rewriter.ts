// A worker of the panel: Binaryen, and what makes a module record itself.
//
//   rw.1  Binaryen waits for itself when it is loaded, and messages that come meanwhile would be lost: they are listened for first.
//   rw.2  Every question is answered, whatever fails: a page waits for it.

import type { Named } from '../web/src/instrument/family.ts';
import { instrument } from '../web/src/instrument/instrument.ts';
import { ModuleProblem } from '../web/src/instrument/module_problem.ts';
import { instrumentStacks } from '../web/src/instrument/stacks.ts';

export interface Rewrite {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Which functions are the allocator, where their names are not known ones. */
  readonly named: Named;
  /** With call stacks, and the lines of JavaScript that called. */
  readonly callers: boolean;
}

export interface Rewritten {
  readonly number: number;
  /** The recorded form, or why there is none. */
  readonly made: Uint8Array<ArrayBuffer> | string;
  /** Binaryen itself failed: what it says of other modules from now on is not to be believed. */
  readonly failed?: true;
}

const loaded = import('binaryen').then(({ default: lib }) => lib);

addEventListener('message', async ({ data }: MessageEvent<Rewrite>) => {
  const answer = await loaded.then((lib) => rewrite(lib, data), failure);
  postMessage({ number: data.number, ...answer } satisfies Rewritten);
});

type Library = typeof import('binaryen').default;

function rewrite(lib: Library, { bytes, named, callers }: Rewrite): Omit<Rewritten, 'number'> {
  try {
    const made = callers ? instrumentStacks(lib, bytes, { named, callers }) : instrument(lib, bytes, { named });
    return { made: made.binary.slice() };
  } catch (error) {
    return error instanceof ModuleProblem ? { made: error.message } : failure(error); // rw.2
  }
}

function failure(error: unknown): Omit<Rewritten, 'number'> {
  return { made: `the instrumenter has failed: ${error}`, failed: true };
}
