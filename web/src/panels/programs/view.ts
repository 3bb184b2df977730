// Programs that run texts of the visitor's, and the word index over any text.

import { createDisposal } from '../../base/disposal.ts';
import { programOf } from '../../moment/selection.ts';
import { kDefaultSeed } from '../../moment/state.ts';
import type { ScenarioInfo } from '../../protocol/messages.ts';
import type { Panel, PanelPage, PanelView } from '../panel.ts';
import { loadDocumentation } from './documentation.ts';
import { createProgram } from './program.ts';
import { createWords } from './words.ts';

const kId = 'programs';
/** The choice of the word index among the programs. */
const kWords = 'words';

export const panel: Panel = {
  id: kId,
  title: 'Programs',
  formerIds: ['words'],
  high: true,
  place: 'make',
  runs: true,
  opensWith: ({ info }) => (info.program === undefined ? undefined : {}),
  create: createProgramPanel,
};

function createProgramPanel(parent: Element, page: PanelPage): PanelView {
  const { store, session, actions, scenarios, run } = page;
  let listedOf: readonly ScenarioInfo[] = [];
  let listed = listedOf;
  let wordsWanted = false; // the word index is shown though another program is open

  const openProgram = () => programOf(store.get().source, scenarios());
  const owned = createDisposal();
  const program = createProgram(parent, {
    open(id) {
      if (id !== kWords) run({ kind: 'scenario', id, seed: kDefaultSeed });
      else if (openProgram() !== undefined) {
        wordsWanted = true;
        page.changed();
      }
    },
    run: actions.runText,
    stop: () => void session.stopText().catch(actions.report),
  });
  const words = createWords(parent, loadDocumentation, {
    run: (name, text) => run({ kind: 'words', name, text }),
    top: session.wordTop,
    find: session.wordFind,
  });

  for (const view of [program, words]) owned.own(view);

  return {
    refresh({ running, scenarios: infos }) {
      if (listedOf !== infos) {
        listedOf = infos;
        listed = infos.filter((info) => info.program !== undefined);
      }
      const open = wordsWanted ? undefined : openProgram();
      words.element.hidden = open !== undefined;
      program.update({ programs: listed, open, running, words: open === undefined });
    },
    search() {
      wordsWanted = true;
      store.set({ tab: kId });
      page.refresh(); // what is focused must be there
      words.focusSearch();
    },
    /** For the word index. */
    takeText(name, text) {
      store.set({ tab: kId });
      wordsWanted = true;
      words.start(name, text);
    },
    /** What it printed is shown. */
    finished(loaded) {
      if (loaded.kind === 'words') words.finished().catch(actions.report);
      else if (openProgram() !== undefined) session.printed().then(program.show).catch(actions.report);
    },
    forget(loaded) {
      if (loaded.kind !== 'words') words.forget();
      wordsWanted = loaded.kind === 'words';
    },
    dispose: owned.dispose,
  };
}
