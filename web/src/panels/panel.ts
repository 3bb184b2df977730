// What a panel is to the page: a tab with a name, views made in its room, what it wants asked of the engine while it is open,
// and what it shows of a frame. A new panel is a folder of views, a word in kTabs and an entry in panels.ts; the page knows
// none of them by name.

import type { Addr, Seq } from '../base/brand.ts';
import type { MapLetter } from '../map/map_overlay.ts';
import type { State, Store, Tab } from '../moment/state.ts';
import type {
  CachesFrame,
  CompareFrame,
  ExplainFrame,
  Frame,
  SitesFrame,
  SizesFrame,
  TemporariesFrame,
} from '../protocol/frames.ts';
import type { FrameRequest, Operation, OperationResult, ScenarioInfo } from '../protocol/messages.ts';
import type { SceneStep } from '../protocol/scenes.ts';
import type { ScriptStep } from '../protocol/scripts.ts';

/** What a panel can do to the page. */
export interface PanelPage {
  readonly store: Store;
  reveal(address: Addr, size: number): void;
  seek(event: Seq): void;
  /** Runs a scenario. */
  tell(scenario: string, seed: number): void;
  /** The calls of a script, made again on the heap that is shown. */
  tellScript(packed: string, steps: readonly ScriptStep[]): void;
  /** One call on the live heap. */
  operate(operation: Operation): Promise<OperationResult>;
  /** Blocks freed before so many more allocations, in the whole trace. */
  temporaries(within: number): Promise<TemporariesFrame>;
  /** Of the scene that ran last. */
  sceneSteps(): Promise<readonly SceneStep[]>;
  /** Names of blocks on the map; they stay until others are given. */
  letters(letters: readonly MapLetter[]): void;
}

/** All that is shown at one moment. Parts that are not asked for at every frame are those of the last one that had them. */
export interface Shown {
  readonly frame: Frame;
  readonly state: State;
  readonly moving: boolean;
  /** Events are still being written. */
  readonly running: boolean;
  readonly scenarios: readonly ScenarioInfo[];
  readonly pool: number | undefined;
  readonly explained: ExplainFrame | undefined;
  readonly caches: CachesFrame | undefined;
  readonly sizes: SizesFrame | undefined;
  readonly sites: SitesFrame | undefined;
  readonly compare: CompareFrame | undefined;
}

export interface PanelView {
  show(shown: Shown): void;
  destroy(): void;
}

export interface Panel {
  readonly tab: Tab;
  /** What it wants in a frame while it is open. */
  readonly wants?: (state: State) => Partial<Pick<FrameRequest, 'caches' | 'sizes' | 'sites' | 'since'>>;
  create(room: Element, page: PanelPage): PanelView;
}
