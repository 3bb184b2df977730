// The scenes as a panel: the story that runs is the open scene, and the moment that is shown is its step.
//
//   SP1  The step follows from the cursor: the last one that begins at or before it. It is answered when the cursor is at its
//        end or beyond. Back, Forward, a link and the time line therefore lead through a scene without a word from here.
//   SP2  Only the verdict is remembered beside that, until the scene begins anew.
//   SP3  A question about a place is answered by the first click on the map. By keyboard the selection moves chunk by chunk,
//        so it is confirmed.
//   SP5  The letters of the texts stand on the map; after an answer the right place is named too, and a wrong click.

import { addr } from '../../base/brand.ts';
import { formatAddress, formatBytes } from '../../base/format.ts';
import { isScene } from '../../moment/url.ts';
import type { ScenarioInfo } from '../../protocol/messages.ts';
import { partOf } from '../../protocol/parts.ts';
import type { SceneLetter, SceneStep } from '../../protocol/scenes.ts';
import type { InspectFrame } from '../chunk/part.ts';
import { kInspect } from '../chunk/part.ts';
import type { Panel, PanelPage, Shown } from '../panel.ts';
import { createScenePuzzle } from './scene_puzzle.ts';
import { createScenes, type OpenScene, type SceneRow } from './scenes.ts';

interface Running {
  readonly key: string;
  readonly info: ScenarioInfo;
  readonly row: SceneRow;
  readonly seed: number;
}

const rowOf = (info: ScenarioInfo): SceneRow => ({
  id: info.id,
  number: info.scene?.number ?? 0,
  title: info.title,
  summary: info.summary,
});

const kId = 'learn';
const kWord = 4; // the tag before a block

/** SP1 */
const stepAt = (steps: readonly SceneStep[], cursor: number): number =>
  Math.max(
    0,
    steps.findLastIndex((step) => step.from <= cursor),
  );

/** SC2 */
export function holdsPlace(inspect: InspectFrame, places: readonly number[]): boolean {
  const { node } = inspect;
  const [begin, size] = node === undefined ? [inspect.chunk, inspect.size] : [node.address, node.size];
  return places.some((place) => place >= begin && place < begin + size);
}

function createScenePanel(room: Element, page: PanelPage) {
  const { store } = page;
  let steps: readonly SceneStep[] = [];
  let stepsOf = ''; // key of the scene they are of
  let asked = '';
  let verdicts = new Map<number, boolean>();
  let clicks = new Map<number, SceneLetter>(); // wrong ones, by step
  let lettered: readonly SceneLetter[] = [];
  let closed = false; // the list is shown though a scene runs
  let byPointer = false;
  let last: Shown | undefined;

  const pointed = () => {
    byPointer = true;
  };
  const typed = () => {
    byPointer = false;
  };
  document.addEventListener('pointerdown', pointed, true);
  document.addEventListener('keydown', typed, true);

  const puzzle = createScenePuzzle(page, refresh);
  const view = createScenes(room, {
    open(id, seed) {
      stepsOf = asked = '';
      closed = false;
      page.run({ kind: 'scenario', id, seed });
    },
    close() {
      closed = true;
      refresh();
    },
    to: (step) => goTo(step),
    choose(option) {
      const at = current();
      answer(at, option === steps[at]?.right);
    },
    here: judge,
    show() {
      play(current());
    },
    allocate: (size) => void puzzle.allocate(size),
    free: () => puzzle.free(last),
    freeGroup: (group) => void puzzle.freeGroup(steps[current()]?.groups?.[group] ?? []),
    write: () => puzzle.write(last),
  });

  const current = () => stepAt(steps, store.get().cursor);

  function running(shown: Shown): Running | undefined {
    const { source } = shown.state;
    if (source.kind !== 'scenario') return undefined;
    const info = shown.scenarios.find(({ id }) => id === source.id);
    if (info?.scene === undefined) return undefined;
    return { key: `${info.id}/${source.seed}`, info, row: rowOf(info), seed: source.seed };
  }

  /** Where the steps lie is known when all of them have run. */
  async function ask(scene: Running): Promise<void> {
    if (asked === scene.key) return;
    asked = scene.key;
    verdicts = new Map();
    clicks = new Map();
    puzzle.forget();
    closed = false;
    const known = await page.session.sceneSteps();
    if (asked !== scene.key || known.length !== scene.info.scene?.steps.length) return;
    steps = known;
    stepsOf = scene.key;
    if (store.get().cursor < (steps[0]?.from ?? 0)) goTo(0);
    else refresh();
  }

  /** A question is looked at before its answer. */
  function goTo(at: number): void {
    const step = steps[at];
    const scene = last && running(last);
    if (step === undefined || scene === undefined) return;
    const asks = scene.info.scene?.steps[at]?.question !== undefined;
    stand(at, asks ? step.from : step.to, asks ? undefined : step.places?.[0]);
  }

  function play(at: number): void {
    const step = steps[at];
    if (step !== undefined) stand(at, step.to, step.places?.[0]);
  }

  function stand(at: number, moment: number, selected: number | undefined): void {
    page.actions.seek(moment);
    const view = steps.slice(0, at + 1).findLast((step) => step.view !== undefined)?.view;
    const heap = steps.slice(0, at + 1).findLast((step) => step.heap !== undefined)?.heap ?? 0;
    store.set({ heap, selected: selected === undefined ? undefined : addr(selected), ...(view && { place: view }) });
  }

  function answer(at: number, right: boolean): void {
    verdicts.set(at, right);
    play(at);
  }

  /** The chunk or node that is selected while a place is asked for, in the frame of the question. */
  function candidate(shown: Shown | undefined): InspectFrame | undefined {
    const scene = shown && running(shown);
    if (shown === undefined || scene === undefined || scene.key !== stepsOf) return undefined;
    const { frame, state } = shown;
    const at = stepAt(steps, state.cursor);
    const step = steps[at];
    const asks = scene.info.scene?.steps[at]?.question?.kind === 'place';
    const inspect = partOf(shown.parts, kInspect);
    const { status } = frame;
    if (!asks || inspect === undefined || inspect.asked !== state.selected) return undefined;
    return status.seq === step?.from && inspect.what !== 'outside' ? inspect : undefined;
  }

  function judge(): void {
    const inspect = candidate(last);
    const at = current();
    if (inspect === undefined) return;
    const right = holdsPlace(inspect, steps[at]?.places ?? []);
    if (!right) clicks.set(at, { name: 'your click', at: addr(inspect.node?.address ?? inspect.chunk + kWord) });
    answer(at, right);
  }

  function refresh(): void {
    if (last !== undefined) show(last);
  }

  function show(shown: Shown): void {
    last = shown;
    const scene = running(shown);
    if (scene !== undefined && !shown.running && shown.frame.status.head > 0) void ask(scene);
    showLetters(scene, shown.state.cursor);
    if (shown.state.tab !== kId) return;
    const rows = shown.scenarios.filter((info) => info.scene !== undefined).map(rowOf);
    if (scene === undefined || closed) {
      view.update(rows, undefined);
      return;
    }
    const inspect = candidate(shown);
    if (inspect !== undefined && byPointer) {
      judge();
      return;
    }
    view.update(rows, openScene(scene, shown, inspect));
  }

  /** SP5 */
  function showLetters(scene: Running | undefined, cursor: number): void {
    const wanted = scene === undefined || scene.key !== stepsOf ? [] : lettersAt(scene, cursor);
    if (JSON.stringify(wanted) === JSON.stringify(lettered)) return;
    lettered = wanted;
    page.letters(wanted);
  }

  function lettersAt({ info }: Running, cursor: number): readonly SceneLetter[] {
    const at = stepAt(steps, cursor);
    const step = steps[at];
    const ended = step !== undefined && cursor >= step.to;
    const letters = steps.slice(0, ended ? at + 1 : at).findLast((each) => each.letters !== undefined)?.letters ?? [];
    const answered = ended && verdicts.has(at) && info.scene?.steps[at]?.question?.kind === 'place';
    if (!answered) return letters;
    const right = (step.places ?? []).slice(0, 1).map((place) => ({ name: 'answer', at: place }));
    const wrong = clicks.get(at);
    return [...letters, ...right, ...(wrong === undefined || verdicts.get(at) ? [] : [wrong])];
  }

  function openScene(scene: Running, shown: Shown, inspect: InspectFrame | undefined): OpenScene {
    const known = scene.key === stepsOf;
    const { cursor } = shown.state;
    const at = known ? stepAt(steps, cursor) : undefined;
    return {
      row: scene.row,
      seed: scene.seed,
      at,
      steps: scene.info.scene?.steps ?? [],
      answered: at !== undefined && cursor >= (steps[at]?.to ?? 0),
      verdict: at === undefined ? undefined : verdicts.get(at),
      selected:
        inspect &&
        [...lettered.filter(({ at }) => holdsPlace(inspect, [at])).map(({ name }) => name), words(inspect)].join(', '),
      puzzle: puzzle.state(at === undefined ? undefined : scene.info.scene?.steps[at]?.puzzle, shown),
    };
  }

  return {
    show,
    dispose() {
      document.removeEventListener('pointerdown', pointed, true);
      document.removeEventListener('keydown', typed, true);
      view.dispose();
    },
  };
}

const kStates = ['free', 'in use', 'top', 'free', 'pool', 'cached'];

const words = ({ chunk, size, state, node }: InspectFrame): string =>
  node === undefined
    ? `${formatAddress(chunk)}, ${kStates[state] ?? ''}, ${formatBytes(size)}`
    : `node ${formatAddress(node.address)}`;

export const panel: Panel = {
  id: kId,
  title: 'Learn',
  runs: true,
  takesSelection: true, // SP3
  ownsAddress: isScene,
  opensWith: ({ info, by }) => (by === 'visitor' && info.scene !== undefined ? { playing: false } : undefined), // read step by step
  create: createScenePanel,
};
