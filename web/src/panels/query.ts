// What a panel's half in the worker is: the answer to what its other half wants of a frame.
//
//   PQ1  A query reads the model and changes nothing of it. Only `prepare` may go to another moment, because that takes the
//        state of the first one away; it comes before the frame's own moment is made.

import type { HeapEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import type { History } from '../model/time/history.ts';
import type { Model } from '../model/time/model.ts';
import type { PartKey } from '../protocol/parts.ts';

/** One moment, as a query sees it. */
export interface QueryContext {
  readonly history: History;
  readonly state: HeapState;
  /** The chosen heap; undefined: there is none. */
  readonly heap: HeapEntry | undefined;
  /** Linear memory, when the moment is now. */
  readonly memory: Uint8Array | undefined;
}

export interface PartQuery<Want, Data> {
  readonly key: PartKey<Want, Data>;
  /** PQ1 */
  prepare?(model: Model, want: Want, at: number): void;
  /** undefined: there is nothing to show. */
  query(context: QueryContext, want: Want): Data | undefined;
}

/** What is wanted of a query comes with its key (parts.ts, PK1), so here its type is of no account. */
export type AnyQuery = Pick<PartQuery<never, unknown>, 'prepare' | 'query'> & { readonly key: string };
