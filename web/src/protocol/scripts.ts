// A script of the visitor's: JavaScript that calls a heap. It runs in a worker of its own, which may be ended at any time; the
// engine then makes the same calls on its own heap, and that is what the page shows.
//
//   text ──▶ script worker, sealed ── steps ──▶ page ── runScript ──▶ engine ──▶ events
//
//   SR1  A step tells what its call gave. The engine's heap must give the same, or the run ends.

import type { Addr } from '../base/brand.ts';
import type { Operation } from './messages.ts';

/** One call that a script made on its heap, or a chapter that it began. */
export type ScriptStep =
  | { readonly operation: Operation; readonly gave: Addr | undefined } // the first address that came back
  | { readonly chapter: string };

/** Why a script ended early. Lines and columns count from 1; undefined: not a place in the text. */
export interface ScriptError {
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** What the script's worker says; 'ended' is the last. */
export type ScriptNote =
  | { readonly type: 'begun' }
  | { readonly type: 'steps'; readonly steps: readonly ScriptStep[] }
  | { readonly type: 'printed'; readonly line: string }
  | { readonly type: 'ended'; readonly error: ScriptError | undefined };

/** More notes of a run, and more characters in them, are not sent, and not read. */
export const kMostNotes = 4000;
export const kMostCharacters = 1 << 25;

/** Most addresses that one call lists, taken or given back (OperationResult). */
export const kMostAtOnce = 4096;

/** More calls than this are refused. */
export const kMostScriptCalls = 100_000;
