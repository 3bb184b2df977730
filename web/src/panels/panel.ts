// What a panel is to the page: a name, views made in its place, what it wants of a frame, and what it shows of one.
//
//   part.ts   its share of a frame, for both sides           view.ts  this side: the panel          page.ts    this side's index
//   query.ts  the worker's side: what answers its wants                                            worker.ts  the worker's index
//
//   PA1  A new panel is a folder with these files and a line in each index. Nothing else knows a panel by name.
//   PA2  A panel acts on the page through PanelPage alone, and knows no other panel but by its part.ts.

import type { Addr } from '../base/brand.ts';
import type { CsvCell } from '../base/csv.ts';
import type { MapLetter } from '../map/map_overlay.ts';
import type { Actions } from '../moment/actions.ts';
import type { PanelName } from '../moment/panel_names.ts';
import type { LoadedSource, Session } from '../moment/session.ts';
import type { Place, State, Store } from '../moment/state.ts';
import type { AnswerTopic, Question } from '../protocol/answers.ts';
import type { Frame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import type { FrameParts, PartWants } from '../protocol/parts.ts';

/** What a panel can do to the page, and ask of it. */
export interface PanelPage {
  readonly store: Store;
  readonly session: Session;
  readonly actions: Actions;
  readonly scenarios: () => readonly ScenarioInfo[];
  /** Selects what is at an address and brings so many bytes of it into view. */
  reveal(address: Addr, size: number): void;
  /** Another source begins. */
  run(loaded: LoadedSource): void;
  /** The page answers about the moment that is shown, as if it was asked above the map. */
  ask(question: Question): void;
  /** Names of blocks on the map; they stay until others are given. */
  letters(letters: readonly MapLetter[]): void;
  /** From one moment to another by those between: cause and effect are seen. */
  travel(from: number, to: number): void;
  isTravelling(): boolean;
  /** The nearest zoom from bytesPerRow on, kFarther at most, at which the map shows all from an address to another one. */
  placeFor(from: number, to: number, bytesPerRow: number): Place;
  /** Something that the panel shows has changed, and is not in the state: it is shown before the next picture. */
  changed(): void;
  /** The same, at once. */
  refresh(): void;
}

/** What follows from the state before there is a frame, too. */
export interface Now {
  readonly state: State;
  readonly scenarios: readonly ScenarioInfo[];
  /** Events are still being written. */
  readonly running: boolean;
}

/** All that is shown at one moment. */
export interface Shown extends Now {
  readonly frame: Frame;
  /** Those of the frame, and of the others the last of this source. */
  readonly parts: FrameParts;
  readonly moving: boolean;
}

/** For CSV. Sizes are bytes, times are events, addresses are hexadecimal. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

export interface PanelView {
  show?(shown: Shown): void;
  refresh?(now: Now): void;
  /** The source has run to its end. */
  finished?(loaded: LoadedSource): void;
  /** Another source begins. */
  forget?(loaded: LoadedSource): void;
  /** Takes a text that the visitor dropped on the page. */
  takeText?(name: string, text: Uint8Array<ArrayBuffer>): void;
  /** Opens the panel with its search ready to be typed into. */
  search?(): void;
  dispose(): void;
}

/** Looking at what is shown, making something run, learning how it works: each has its own tabs. */
export type PanelPlace = 'look' | 'make' | 'learn';

export interface Panel extends PanelName {
  readonly title: string;
  /** Where one goes to use it. Default: look. */
  readonly place?: PanelPlace;
  /** Charts and editors: on a small screen it needs more height than lists do. */
  readonly high?: boolean;
  /** It takes the whole width, below the map. */
  readonly full?: boolean;
  /** It needs most of a small screen's height. */
  readonly tall?: boolean;
  /** On a wide screen it always stands beside the map, and is no tab. */
  readonly beside?: boolean;
  /** It makes something run: a page that looks at one trace goes without it, and its bundle leaves it out (tools/bundle_glass.mjs). */
  readonly runs?: boolean;
  /** What it shows more of, of the answers. */
  readonly answers?: readonly AnswerTopic[];
  /** The visitor's selection on the map is for this panel: it stays open. */
  readonly takesSelection?: boolean;
  /** What it wants of every frame, open or not. `readable`: what comes stays long enough to be read. */
  always?(state: State, readable: boolean): PartWants;
  /** What it wants while it is open. */
  wants?(state: State): PartWants;
  /** What it shows, as tables. */
  tables?(shown: Pick<Shown, 'frame' | 'parts' | 'state'>): readonly Table[];
  create(parent: Element, page: PanelPage): PanelView;
}
