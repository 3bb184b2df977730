// What an address without a moment opens: a real program right before its heap grows, with "why did it grow" answered. It is a moment
// like any that a link names, only that its address is the page's own; where a program could not be built, the next one takes its place.
//
//   first.1  The moment is the one that the growing call found: what the answer lights up is to be seen there (answers.ts, AN4).
//   first.2  An event's number follows from the program alone (watched_programs.ts, W2): tests/web/engine/first_moment.test.ts asks there.

import { seq } from '../base/brand.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import { kDefaultSeed, type Source, type State } from './state.ts';

export interface FirstMoment {
  readonly scenario: string;
  /** What runs there, for who has never been here. */
  readonly what: string;
  readonly event: number;
  /** The growth has happened by then. */
  readonly asked: number;
}

export const kFirstMoments: readonly FirstMoment[] = [
  {
    scenario: 'sqlite',
    what: 'SQLite’s WebAssembly heap, byte for byte.',
    event: 23_745,
    asked: 23_746,
  },
  {
    scenario: 'adaptive_pool',
    what: 'A small program’s WebAssembly heap, byte for byte.',
    event: 13_897,
    asked: 13_899,
  },
];

const firstOf = (source: Source): FirstMoment | undefined =>
  source.kind === 'scenario' && source.seed === kDefaultSeed
    ? kFirstMoments.find(({ scenario }) => scenario === source.id)
    : undefined;

/** The scenario that is shown where an address names none. */
export function firstScenario(scenarios: readonly ScenarioInfo[]): string {
  const isHere = (id: string) => scenarios.some((info) => info.id === id && info.unavailable === undefined);
  const first = kFirstMoments.find(({ scenario }) => isHere(scenario))?.scenario;
  return first ?? scenarios.find((info) => info.program === undefined)?.id ?? '';
}

/** The moment of such a scenario; nothing: it begins at its first event. */
export function firstMoment(source: Source): Partial<State> {
  const first = firstOf(source);
  if (first === undefined) return {};
  return {
    cursor: seq(first.event),
    playing: false,
    follow: false,
    asking: { question: { ask: 'grew' }, at: first.asked },
  };
}

/** What is shown, in a sentence for who opens the page for the first time. */
export const whatIsShown = (source: Source): string =>
  firstOf(source)?.what ?? 'A program’s WebAssembly heap, byte for byte.';
