// What an address without a moment opens: a real program right before its heap grows, with "why did it grow" answered. It is a moment
// like any that a link names, only that its address is the page's own; where a program could not be built, the next one takes its place.
//
//   address without a moment ──▶ kAhead ──engine finds it (engine/first_moment.ts)──▶ firstAt(moment)
//
//   first.1  Which event it is follows from the trace: no number of it stands anywhere. Until it is found it lies ahead of the run, and is
//            waited for like any moment that does (frame_loop.ts, F4).
//   first.2  The visitor leads: who goes elsewhere before it is found stays there.

import { type Seq, seq } from '../base/brand.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import type { FirstMoment, Source, State } from './state.ts';

/** In this order. */
const kFirstScenarios = [
  /** what: runs there, for who has never been here. */
  { id: 'sqlite', what: 'SQLite’s WebAssembly heap, byte for byte.' },
  { id: 'adaptive_pool', what: 'A small program’s WebAssembly heap, byte for byte.' },
];

/** The scenario that is shown where an address names none. */
export function firstScenario(scenarios: readonly ScenarioInfo[]): string {
  const isHere = (id: string) => scenarios.some((info) => info.id === id && info.unavailable === undefined);
  const first = kFirstScenarios.find(({ id }) => isHere(id))?.id;
  return first ?? scenarios.find((info) => info.program === undefined)?.id ?? '';
}

/** first.1 */
export const kAhead: FirstMoment = { cursor: seq(Number.MAX_SAFE_INTEGER), asking: undefined };

export const firstAt = (moment: Seq): FirstMoment => ({
  cursor: moment,
  asking: { question: { ask: 'grew' }, at: moment },
});

/** It is not found yet. */
export const isAhead = ({ cursor, follow }: State): boolean => cursor === kAhead.cursor && !follow;

/** Time stands still there. */
export const standingAt = (first: FirstMoment): Partial<State> => ({ ...first, first, playing: false, follow: false });

/** A run that has no such moment is shown at its end. */
export const atEnd = (state: State): Partial<State> => (isAhead(state) ? { first: undefined, follow: true } : {});

/** The engine has found it. What the visitor has done meanwhile stays (first.2). */
export function foundAt({ first, cursor, asking }: State, moment: Seq): Partial<State> {
  if (first !== kAhead) return {};
  const found = firstAt(moment);
  if (cursor !== kAhead.cursor) return { first: found };
  return asking === undefined ? standingAt(found) : { first: found, cursor: moment };
}

/** What is shown, in a sentence for who opens the page for the first time. */
export const whatIsShown = (source: Source): string =>
  kFirstScenarios.find(({ id }) => source.kind === 'scenario' && source.id === id)?.what ??
  'A program’s WebAssembly heap, byte for byte.';
