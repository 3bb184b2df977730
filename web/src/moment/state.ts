// The page's whole primary state in one place. Everything else on the screen is a frame from the engine or follows
// from these fields; nothing else remembers.
//
//   S1  A patch that changes nothing tells nobody.
//   S2  Listeners are called after the state has changed, in the order they came.

import { type Addr, addr, type Bytes, bytes, type Seq, seq } from '../base/brand.ts';
import type { Question } from '../protocol/answers.ts';
import type { ExperimentId } from '../protocol/experiments.ts';
import type { Colouring } from '../protocol/map_frames.ts';

export type Theme = 'auto' | 'light' | 'dark';
export type StepUnit = 'event' | 'operation';
export const kViews = ['map', 'lives'] as const;
export type View = (typeof kViews)[number];
/** Where the events come from. */
export type Source =
  /** number: the one that a scene lets be changed; undefined: its first. */
  | { readonly kind: 'scenario'; readonly id: string; readonly seed: number; readonly number?: number | undefined }
  | { readonly kind: 'words'; readonly name: string }
  /** address: where its file can be fetched again; undefined: it was the visitor's own. */
  | { readonly kind: 'trace'; readonly name: string; readonly address?: string }
  /** A script of the visitor's; packed: its text, as in the address. */
  | { readonly kind: 'script'; readonly name: string; readonly packed: string }
  /** A program that runs elsewhere; id: how it is found. */
  | { readonly kind: 'live'; readonly name: string; readonly id: string };

/** First byte shown and bytes per row: what of the map's viewport is a choice and not the window's size. */
export interface Place {
  readonly origin: Addr;
  readonly bytesPerRow: Bytes;
}

/** A question, and the moment that it is about: after so many events. */
export interface Asking {
  readonly question: Question;
  readonly at: number;
}

/** What an address without a moment means: where the source is shown at first (first_moment.ts). */
export type FirstMoment = Pick<State, 'cursor' | 'asking'>;

/** Events from ... to. */
export interface EventRange {
  readonly from: number;
  readonly to: number;
}

export interface State {
  readonly source: Source;
  /** undefined: the source's first event, and it plays from there. */
  readonly first: FirstMoment | undefined;
  /** Events applied in what is shown. */
  readonly cursor: Seq;
  /** The cursor stays at the newest event. */
  readonly follow: boolean;
  readonly playing: boolean;
  /** Steps per second, a step being `unit`. */
  readonly speed: number;
  readonly unit: StepUnit;
  /** The stretch of time that the time line shows; undefined: all of it. */
  readonly range: EventRange | undefined;
  /** The moment that the one shown is compared with. */
  readonly since: number | undefined;
  /** Events to come back to, ascending. */
  readonly bookmarks: readonly number[];
  /** undefined: the map shows all of the memory. */
  readonly place: Place | undefined;
  /** What stands in the middle: the map, or lifetimes over address and time. */
  readonly view: View;
  /** On the map runs of emptiness take one row. */
  readonly folded: boolean;
  /** What the chunks in use are coloured by. */
  readonly colour: Colouring;
  /** Call stacks are shown with the frames of libraries. */
  readonly libraries: boolean;
  readonly selected: Addr | undefined;
  /** What is being answered; undefined: nothing. */
  readonly asking: Asking | undefined;
  readonly heap: number; // 0: the first living one
  readonly bin: number | undefined;
  readonly pool: number | undefined;
  /** The line that says what this is, with the doors, is shown. */
  readonly welcome: boolean;
  readonly theme: Theme;
  /** The panel that is open, by its id; '': the first there is (panel_names.ts, pn.1). */
  readonly tab: string;
  /** The one that is open among the experiments; undefined: their list. */
  readonly experiment: ExperimentId | undefined;
  /** Single-letter shortcuts (WCAG 2.1.4: they can be switched off). */
  readonly shortcuts: boolean;
}

export const kDefaultSeed = 1;

export const kInitialState: State = {
  source: { kind: 'scenario', id: '', seed: kDefaultSeed }, // '': the first in the engine's list
  first: undefined,
  cursor: seq(0),
  follow: false,
  playing: true,
  speed: 1000,
  unit: 'event',
  range: undefined,
  since: undefined,
  bookmarks: [],
  place: undefined,
  view: 'map',
  folded: true,
  colour: 'age',
  libraries: false,
  selected: undefined,
  asking: undefined,
  heap: 0,
  bin: undefined,
  pool: undefined,
  welcome: false,
  theme: 'auto',
  tab: '',
  experiment: undefined,
  shortcuts: true,
};

export interface Store {
  get(): State;
  set(patch: Partial<State>): void;
  subscribe(listener: (state: State, before: State) => void): () => void;
}

export function createStore(initial: State): Store {
  let state = initial;
  const listeners = new Set<(state: State, before: State) => void>();
  return {
    get: () => state,
    set(patch) {
      const keys = Object.keys(patch) as (keyof State)[];
      if (keys.every((key) => patch[key] === state[key])) return;
      const before = state;
      state = { ...state, ...patch };
      for (const listener of listeners) listener(state, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const place = (origin: number, bytesPerRow: number): Place => ({
  origin: addr(origin),
  bytesPerRow: bytes(bytesPerRow),
});
