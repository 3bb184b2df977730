// What stands above the map: what this page is with its doors, a trace that is being opened, and the question line.

import type { Addr } from '../base/brand.ts';
import { createDisposal } from '../base/disposal.ts';
import { kByHand } from '../moment/actions.ts';
import { whatIsShown } from '../moment/first_moment.ts';
import { rememberWelcome } from '../moment/new_visitor.ts';
import { isOpen, openedWith } from '../moment/panel_names.ts';
import { chapterAt } from '../moment/selection.ts';
import type { State } from '../moment/state.ts';
import type { Panel } from '../panels/panel.ts';
import type { Answer } from '../protocol/answers.ts';
import type { TimelineFrame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import { createAskLine } from './ask/ask_line.ts';
import type { Suggestion } from './ask/suggestions.ts';
import { createOpening } from './opening/opening.ts';
import type { PageCore } from './page_core.ts';
import { goesBackText } from './status/returnable_text.ts';
import { createWelcome } from './welcome/welcome.ts';

/** What one can type at without knowing anything. */
const kWelcomeProgram = 'sqlite';
/** Of what was searched for so much comes into view. */
const kFoundBytes = 16;

export interface AboveMapOptions {
  readonly parent: Element;
  readonly core: PageCore;
  readonly panels: readonly Panel[];
  /** Where sources and files are chosen. */
  readonly picker: { open(): void; openFile(): void };
  reveal(address: Addr, size: number): void;
  run(scenario: string): void;
  /** Opens the panel that shows more of an answer. */
  more(answer: Answer): void;
  suggestions(): readonly Suggestion[];
  /** The panel that was opened comes into view. */
  bring(): void;
}

export function createAboveMap(options: AboveMapOptions) {
  const { parent, core, panels, picker, reveal, run, more, suggestions, bring } = options;
  const { store, session, actions, frames, scenarios, asking, standing } = core;
  const owned = createDisposal();

  /** The panel that opens with a scene, before one is chosen. */
  function learn(): void {
    const info = scenarios().find(({ scene }) => scene !== undefined);
    if (info !== undefined) store.set(openedWith(panels, { info, by: 'visitor' }));
    bring();
  }

  /** The line stands above what one looks at: who makes something, learns or reads a panel below the map has gone through a door. */
  function isLooking(tab: string): boolean {
    const open = panels.find(({ id }) => isOpen(panels, tab, id));
    return (open?.place ?? 'look') === 'look' && open?.full !== true;
  }

  const askLine = owned.own(
    createAskLine(parent, {
      ask: asking.ask,
      closeAnswer: asking.close,
      more,
      suggestions,
      seek: actions.seek,
      reveal: (address) => reveal(address, kFoundBytes),
      find: session.find,
      at: () => frames.frame()?.status.seq ?? store.get().cursor,
      selected: () => store.get().selected,
      failed: actions.report,
    }),
  );
  const welcome = owned.own(
    createWelcome(parent, {
      openFile: picker.openFile,
      openProgram() {
        run(kWelcomeProgram);
        bring();
      },
      chooseScenario: picker.open,
      learn,
      byHand() {
        run(kByHand);
        bring();
      },
      closed() {
        rememberWelcome();
        store.set({ welcome: false });
      },
    }),
  );
  const opening = owned.own(
    createOpening(parent, {
      cancel() {
        store.set({ playing: false });
        void session.cancelOpening().catch(actions.report);
      },
    }),
  );
  return {
    goTo: askLine.open,
    opening: opening.update,
    update(
      { welcome: open, tab, source, cursor, asking: now }: State,
      scenarios: readonly ScenarioInfo[],
      timeline: TimelineFrame | undefined,
    ): void {
      welcome.update({
        open: open && isLooking(tab),
        what: whatIsShown(source),
        program: scenarios.some(({ id, unavailable }) => id === kWelcomeProgram && unavailable === undefined),
        scenes: scenarios.filter((info) => info.scene !== undefined).length,
        chapter: chapterAt(timeline, cursor),
      });
      const shown = frames.frame()?.status.seq ?? cursor;
      const goesBack = goesBackText(frames.frame()?.status);
      askLine.update({ question: now?.question, answer: asking.answer(), shown, standing: standing.now(), goesBack });
    },
    dispose: owned.dispose,
  };
}
