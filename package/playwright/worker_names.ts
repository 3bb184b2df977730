// What a recorded page and its workers say to each other.

import type { CompiledModule } from '../../web/src/instrument/compilers.ts';

export type FromWorker =
  | { readonly is: 'compile'; readonly number: number; readonly module: CompiledModule }
  /** Events of the worker's modules, each with its place among them. */
  | { readonly is: 'events'; readonly module: number; readonly records: Uint32Array }
  /** With the port of a worker that this one has made. */
  | { readonly is: 'worker' }
  /** Why something is not recorded. */
  | { readonly is: 'problem'; readonly text: string }
  /** All that was asked for before has been done. */
  | { readonly is: 'done'; readonly number: number };

export type ToWorker =
  | { readonly is: 'compiled'; readonly number: number; readonly bytes: CompiledModule['bytes'] }
  /** To drain, and to put a name onto the time lines where there is one. */
  | { readonly is: 'ask'; readonly number: number; readonly mark?: string };
