// A worker of the panel: Binaryen, and what makes a module record itself.
//
//   rw.1  Binaryen waits for itself when it is loaded, and messages that come meanwhile would be lost: they are listened for first.
//   rw.2  Every question is answered, whatever fails: a page waits for it.

import type { Named } from '../web/src/instrument/family.ts';
import { instrument } from '../web/src/instrument/instrument.ts';
import { ModuleProblem } from '../web/src/instrument/module_problem.ts';

export interface Rewrite {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Which functions are the allocator, where their names are not known ones. */
  readonly named: Named;
}

export interface Rewritten {
  readonly number: number;
  /** The recorded form, or why there is none. */
  readonly made: Uint8Array<ArrayBuffer> | string;
}

const loaded = import('binaryen').then(({ default: lib }) => lib);

addEventListener('message', async ({ data: { number, bytes, named } }: MessageEvent<Rewrite>) => {
  const made = await loaded.then((lib) => rewrite(lib, bytes, named), String);
  postMessage({ number, made } satisfies Rewritten);
});

function rewrite(lib: typeof import('binaryen').default, bytes: Uint8Array, named: Named): Rewritten['made'] {
  try {
    return instrument(lib, bytes, { named }).binary.slice();
  } catch (error) {
    return error instanceof ModuleProblem ? error.message : `the instrumenter has failed: ${error}`; // rw.2
  }
}
