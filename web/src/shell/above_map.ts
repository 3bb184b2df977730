// What opens above the map: what this page is with its doors, a trace that is being opened, and the search.

import type { Addr } from '../base/brand.ts';
import { type Actions, kByHand } from '../moment/actions.ts';
import { rememberWelcome } from '../moment/new_visitor.ts';
import { chapterAt } from '../moment/selection.ts';
import type { Session } from '../moment/session.ts';
import type { State, Store } from '../moment/state.ts';
import type { Frame, TimelineFrame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import { createGoTo } from './go_to/go_to.ts';
import { createOpening } from './opening/opening.ts';
import { createWelcome } from './welcome/welcome.ts';

/** What one can type at without knowing anything. */
const kWelcomeProgram = 'sqlite';
/** Of what was searched for so much comes into view. */
const kFoundBytes = 16;

export interface AboveMapOptions {
  readonly room: Element;
  readonly store: Store;
  readonly session: Session;
  readonly actions: Actions;
  readonly frame: () => Frame | undefined;
  reveal(address: Addr, size: number): void;
  tell(scenario: string): void;
  openFile(): void;
  chooseStory(): void;
}

export function createAboveMap(options: AboveMapOptions) {
  const { room, store, session, actions, frame, reveal, tell, openFile, chooseStory } = options;
  const welcome = createWelcome(room, {
    openFile,
    openProgram: () => tell(kWelcomeProgram),
    chooseStory,
    learn: () => store.set({ tab: 'learn', playing: false }),
    byHand: () => tell(kByHand),
    closed() {
      rememberWelcome();
      store.set({ welcome: false });
    },
  });
  const opening = createOpening(room, {
    cancel() {
      store.set({ playing: false });
      void session.cancelOpening().catch(actions.tell);
    },
  });
  const goTo = createGoTo(room, {
    seek: actions.seek,
    reveal: (address) => reveal(address, kFoundBytes),
    find: session.find,
    at: () => frame()?.status.seq ?? store.get().cursor,
    selected: () => store.get().selected,
    failed: actions.tell,
  });
  return {
    goTo: goTo.open,
    opening: opening.update,
    update(
      { welcome: open, cursor }: State,
      scenarios: readonly ScenarioInfo[],
      timeline: TimelineFrame | undefined,
    ): void {
      welcome.update({
        open,
        program: scenarios.some(({ id, unavailable }) => id === kWelcomeProgram && unavailable === undefined),
        scenes: scenarios.filter((info) => info.scene !== undefined).length,
        chapter: chapterAt(timeline, cursor),
      });
    },
    destroy(): void {
      for (const view of [welcome, opening, goTo]) view.destroy();
    },
  };
}
