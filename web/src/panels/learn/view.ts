// The scenes as a panel: the source that runs is the open scene, and the moment that is shown is its step.
//
//   SP1  The step follows from the cursor: the last one that begins at or before it. It is answered when the cursor is at its
//        end or beyond. Back, Forward, a link and the time line therefore lead through a scene without a word from here.
//   SP2  Only the verdict is remembered beside that, until the scene begins anew.
//   SP3  A question about a place is answered by the first click on the map. By keyboard the selection moves chunk by chunk,
//        so it is confirmed.
//   SP5  The letters of the texts stand on the map; after an answer the right place is named too, and a wrong click.

import { createDisposal } from '../../base/disposal.ts';
import { isScene } from '../../moment/url.ts';
import type { SceneLetter } from '../../protocol/scenes.ts';
import type { InspectFrame } from '../chunk/part.ts';
import type { Panel, PanelPage, PanelView, Shown } from '../panel.ts';
import { createSceneAnswers } from './scene_answers.ts';
import { holdsPlace, placeAsked, placeText } from './scene_place.ts';
import { createScenePuzzle } from './scene_puzzle.ts';
import {
  createSceneRun,
  lettersAt,
  type RunningScene,
  rowOf,
  runningScene,
  type SceneRun,
  stepAt,
} from './scene_run.ts';
import { createSceneStage } from './scene_stage.ts';
import { createScenes, type OpenScene } from './scenes.ts';

const kId = 'learn';
export const panel: Panel = {
  id: kId,
  title: 'Scenes',
  place: 'learn',
  runs: true,
  takesSelection: true, // SP3
  ownsAddress: isScene,
  opensWith: ({ info, by }) => (by === 'visitor' && info.scene !== undefined ? { playing: false } : undefined), // read step by step
  create: createScenePanel,
};

function createScenePanel(parent: Element, page: PanelPage): PanelView {
  const { store } = page;
  const owned = createDisposal();
  const run = createSceneRun(page.session.sceneSteps);
  const puzzle = createScenePuzzle(page, refresh);
  const letters = createLetters(page);
  const isByPointer = listenForPointer(owned.defer);
  let closed = false; // the list is shown though a scene runs
  let last: Shown | undefined;
  let landing = false; // a number was changed: the step that it is of is shown when the scene has run

  const current = () => stepAt(run.steps(), store.get().cursor);
  const infoOf = (at: number) => last && runningScene(last)?.info.scene?.steps[at];
  const infoNow = () => infoOf(current());
  const stage = createSceneStage(page, run.steps, infoOf);
  const answers = createSceneAnswers(run, { current, infoNow, play: stage.play });
  const view = owned.own(
    createScenes(parent, {
      open(id, seed) {
        run.forget();
        closed = false;
        page.run({ kind: 'scenario', id, seed });
      },
      close() {
        closed = true;
        refresh();
      },
      to: stage.goTo,
      choose: answers.choose,
      here: () => answers.judge(last),
      show: () => stage.play(current()),
      tryNumber,
      allocate: (size) => void puzzle.allocate(size),
      free: () => puzzle.free(last),
      freeGroup: (group) => void puzzle.freeGroup(run.steps()[current()]?.groups?.[group] ?? []),
      write: () => puzzle.write(last),
    }),
  );

  async function ask(scene: RunningScene): Promise<void> {
    const began = () => {
      puzzle.forget();
      stage.forget();
      closed = false;
    };
    if (!(await run.ask(scene, began))) return;
    if (landing) {
      landing = false;
      const at = scene.info.scene?.steps.findIndex(({ number }) => number !== undefined) ?? 0;
      stage.play(at);
    } else if (store.get().cursor < (run.steps()[0]?.from ?? 0)) stage.goTo(0);
    else refresh();
  }

  function tryNumber(number: number): void {
    const scene = last && runningScene(last);
    const first = infoNow()?.number?.first;
    if (scene === undefined || first === undefined) return;
    if ((scene.number ?? first) === number) {
      stage.play(current());
      return;
    }
    landing = true;
    run.forget();
    page.run({ kind: 'scenario', id: scene.row.id, seed: scene.seed, ...(number === first ? {} : { number }) });
  }

  function refresh(): void {
    if (last !== undefined) show(last);
  }

  function show(shown: Shown): void {
    last = shown;
    const scene = runningScene(shown);
    if (scene !== undefined && !shown.running && shown.frame.status.head > 0) void ask(scene);
    if (scene !== undefined && run.isKnown(scene)) stage.placeAgain(current());
    letters.show(scene === undefined || !run.isKnown(scene) ? [] : lettersAt(run, scene, shown.state.cursor));
    if (shown.state.tab !== kId) return;
    const rows = shown.scenarios.filter((info) => info.scene !== undefined).map(rowOf);
    const inspect = placeAsked(shown, run);
    if (scene === undefined || closed) view.update(rows, undefined);
    else if (inspect !== undefined && isByPointer() && !page.isTravelling()) answers.judge(last);
    else {
      const words = inspect && [...letters.namesOf(inspect), placeText(inspect)].join(', ');
      const open = openScene(run, scene, shown, page.isTravelling(), words);
      view.update(rows, { ...open, puzzle: puzzle.state(open.steps[open.at ?? -1]?.puzzle, shown) });
    }
  }

  return { show, dispose: owned.dispose };
}

/** `selected`: what a question about a place would be answered with, in words. */
function openScene(
  run: SceneRun,
  scene: RunningScene,
  { state: { cursor } }: Shown,
  travels: boolean,
  selected: string | undefined,
): Omit<OpenScene, 'puzzle'> {
  const at = run.isKnown(scene) ? stepAt(run.steps(), cursor) : undefined;
  const step = at === undefined ? undefined : run.steps()[at];
  const isInside = step !== undefined && cursor > step.from && cursor < step.to;
  return {
    row: scene.row,
    seed: scene.seed,
    at,
    steps: scene.info.scene?.steps ?? [],
    answered: step !== undefined && cursor >= step.to,
    performing: isInside && travels,
    underWay: isInside && !travels,
    says: step?.says,
    number: scene.number,
    verdict: at === undefined ? undefined : run.verdict(at),
    fault: at === undefined ? undefined : run.fault(at),
    selected,
  };
}

/** SP5: writes them onto the map when they are others than before. */
function createLetters(page: PanelPage) {
  let lettered: readonly SceneLetter[] = [];
  return {
    show(wanted: readonly SceneLetter[]): void {
      if (JSON.stringify(wanted) === JSON.stringify(lettered)) return;
      lettered = wanted;
      page.letters(wanted);
    },
    namesOf: (inspect: InspectFrame) => lettered.filter(({ at }) => holdsPlace(inspect, [at])).map(({ name }) => name),
  };
}

/** Whether the pointer was used last, and not a key (SP3). */
function listenForPointer(defer: (end: () => void) => void): () => boolean {
  let byPointer = false;
  const left = new AbortController();
  defer(() => left.abort());
  const options = { capture: true, signal: left.signal };
  document.addEventListener('pointerdown', () => (byPointer = true), options);
  document.addEventListener('keydown', () => (byPointer = false), options);
  return () => byPointer;
}
