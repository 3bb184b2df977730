// The panels that make something run: experiments, calls by hand, programs that are typed at, and the word index.

import type { Addr } from '../base/brand.ts';
import type { Actions } from '../moment/actions.ts';
import type { Session, Story } from '../moment/session.ts';
import { kDefaultSeed, type State, type Store } from '../moment/state.ts';
import { createExperimentRuns } from '../panels/experiments/experiment_runs.ts';
import { createExperiments } from '../panels/experiments/experiments.ts';
import { operable } from '../panels/operate/operable.ts';
import { createOperations } from '../panels/operate/operations.ts';
import { loadDocumentation } from '../panels/programs/documentation.ts';
import { createProgram } from '../panels/programs/program.ts';
import { createWords } from '../panels/programs/words.ts';
import type { ExperimentId } from '../protocol/experiments.ts';
import type { Frame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import type { Layout } from './layout.ts';

export interface ProgramPanelsOptions {
  readonly layout: Layout;
  readonly store: Store;
  readonly session: Session;
  readonly actions: Actions;
  readonly scenarios: () => readonly ScenarioInfo[];
  reveal(address: Addr, size: number): void;
  tellStory(story: Story): void;
  /** Something changed that is not in the state: before the next picture, or at once. */
  changed(): void;
  refresh(): void;
}

const kNode = 16;

export function createProgramPanels(options: ProgramPanelsOptions) {
  const { layout, store, session, actions, scenarios, reveal, tellStory, changed } = options;
  let listedOf: readonly ScenarioInfo[] = [];
  let listed = listedOf;
  let watchable: ReadonlySet<ExperimentId> = new Set();
  let wordsWanted = false; // the word index is shown though another program is open

  const tellScenario = (id: string) => tellStory({ kind: 'scenario', id, seed: kDefaultSeed });
  const runs = createExperimentRuns(changed);
  const experiments = createExperiments(layout.experiments, {
    choose: (experiment) => store.set({ experiment }),
    run: runs.run,
    stop: runs.stop,
    watch(id) {
      const story = scenarios().find((info) => info.experiment === id);
      if (story !== undefined) tellScenario(story.id);
    },
  });
  const operations = createOperations(layout.operate, {
    operate: actions.operate,
    select: (address) => reveal(address, kNode),
  });
  const program = createProgram(layout.programs, {
    open(id) {
      if (id !== 'words') tellScenario(id);
      else if (openProgram() !== undefined) {
        wordsWanted = true;
        changed();
      }
    },
    run: actions.runText,
    stop: () => void session.stopText().catch(actions.tell),
  });
  const words = createWords(layout.programs, loadDocumentation, {
    run: (name, text) => tellStory({ kind: 'words', name, text }),
    top: session.wordTop,
    find: session.wordFind,
  });

  /** The program that is open, if one is. */
  function openProgram(): ScenarioInfo | undefined {
    const { source } = store.get();
    const open = source.kind === 'scenario' ? scenarios().find(({ id }) => id === source.id) : undefined;
    return open?.program === undefined ? undefined : open;
  }

  /** Nothing is written while the panel is closed. */
  function showExperiments({ tab, experiment, source }: State): void {
    if (tab !== 'experiments') return;
    const told = source.kind === 'scenario' ? scenarios().find(({ id }) => id === source.id) : undefined;
    const watched = told?.experiment;
    experiments.update({ ...runs.now(), chosen: experiment, threads: crossOriginIsolated, watchable, watched });
  }

  function readScenarios(): void {
    if (listedOf === scenarios()) return;
    listedOf = scenarios();
    listed = listedOf.filter((info) => info.program !== undefined);
    watchable = new Set(listedOf.flatMap(({ experiment }) => (experiment === undefined ? [] : [experiment])));
  }

  return {
    openProgram,
    refresh(state: State, running: boolean): void {
      readScenarios();
      showExperiments(state);
      const open = wordsWanted ? undefined : openProgram();
      words.element.hidden = open !== undefined;
      program.update({ programs: listed, open, running, words: open === undefined });
    },
    show(frame: Frame, state: State, pool: number | undefined): void {
      operations.update(operable(frame, state.source, pool));
    },
    /** To the word index, its search ready to be typed into. */
    searchWords(): void {
      wordsWanted = true;
      store.set({ tab: 'programs' });
      options.refresh(); // what is focused must be there
      words.focusSearch();
    },
    /** A text of the visitor's own, for the word index. */
    indexText(name: string, text: Uint8Array<ArrayBuffer>): void {
      store.set({ tab: 'programs' });
      wordsWanted = true;
      words.start(name, text);
    },
    /** The story was told to its end: what it printed is shown. */
    finished(story: Story): void {
      if (story.kind === 'words') words.finished().catch(actions.tell);
      else if (openProgram() !== undefined) session.printed().then(program.show).catch(actions.tell);
    },
    /** Another story is told. */
    forget(story: Story): void {
      operations.forget();
      if (story.kind !== 'words') words.forget();
      wordsWanted = story.kind === 'words';
    },
    destroy(): void {
      runs.destroy();
      for (const view of [experiments, operations, program, words]) view.destroy();
    },
  };
}
