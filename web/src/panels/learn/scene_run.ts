// The scene that runs: where its steps lie, and what the visitor answered. Rules as in view.ts.

import type { ScenarioInfo } from '../../protocol/messages.ts';
import type { SceneLetter, SceneStep } from '../../protocol/scenes.ts';
import type { Shown } from '../panel.ts';
import type { SceneRow } from './scene_list.ts';

export interface RunningScene {
  readonly key: string;
  readonly info: ScenarioInfo;
  readonly row: SceneRow;
  readonly seed: number;
  readonly number: number | undefined;
}

export const rowOf = (info: ScenarioInfo): SceneRow => ({
  id: info.id,
  number: info.scene?.number ?? 0,
  title: info.title,
  summary: info.summary,
});

/** The scene whose source is shown; undefined: another source is. */
export function runningScene({ state: { source }, scenarios }: Shown): RunningScene | undefined {
  if (source.kind !== 'scenario') return undefined;
  const info = scenarios.find(({ id }) => id === source.id);
  if (info?.scene === undefined) return undefined;
  return {
    key: `${info.id}/${source.seed}/${source.number ?? ''}`,
    info,
    row: rowOf(info),
    seed: source.seed,
    number: source.number,
  };
}

/** SP1 */
export const stepAt = (steps: readonly SceneStep[], cursor: number): number =>
  Math.max(
    0,
    steps.findLastIndex((step) => step.from <= cursor),
  );

export type SceneRun = ReturnType<typeof createSceneRun>;

export function createSceneRun(sceneSteps: () => Promise<readonly SceneStep[]>) {
  let steps: readonly SceneStep[] = [];
  let stepsOf = ''; // key of the scene they are of
  let asked = '';
  let verdicts = new Map<number, boolean>(); // SP2
  let clicks = new Map<number, SceneLetter>(); // wrong ones, by step
  let faults = new Map<number, string>(); // what is wrong with them

  return {
    steps: () => steps,
    isKnown: ({ key }: RunningScene) => key === stepsOf,
    verdict: (step: number) => verdicts.get(step),
    hasVerdict: (step: number) => verdicts.has(step),
    click: (step: number) => clicks.get(step),
    answer: (step: number, right: boolean) => verdicts.set(step, right),
    fault: (step: number) => faults.get(step),
    /** A wrong answer: where it was, if at a place, and what is wrong with it. */
    miss(step: number, click: SceneLetter | undefined, fault: string | undefined): void {
      if (click !== undefined) clicks.set(step, click);
      if (fault === undefined) faults.delete(step);
      else faults.set(step, fault);
    },
    /** The scene begins anew. */
    forget(): void {
      stepsOf = asked = '';
    },
    /** Where the steps lie is known when all of them have run. `began`: another scene runs than before. True: it is known now. */
    async ask({ key, info }: RunningScene, began: () => void): Promise<boolean> {
      if (asked === key) return false;
      asked = key;
      verdicts = new Map();
      clicks = new Map();
      faults = new Map();
      began();
      const known = await sceneSteps();
      if (asked !== key || known.length !== info.scene?.steps.length) return false;
      steps = known;
      stepsOf = key;
      return true;
    },
  };
}

/** SP5 */
export function lettersAt(run: SceneRun, { info }: RunningScene, cursor: number): readonly SceneLetter[] {
  const steps = run.steps();
  const at = stepAt(steps, cursor);
  const step = steps[at];
  const ended = step !== undefined && cursor >= step.to;
  const letters = steps.slice(0, ended ? at + 1 : at).findLast((each) => each.letters !== undefined)?.letters ?? [];
  const question = info.scene?.steps[at]?.question;
  if (!ended || question?.kind !== 'place') return letters;
  const isNamed = (place: number): boolean => letters.some(({ at: named }) => named === place);
  const right = (question.stays ? [] : (step.places ?? []))
    .slice(0, 1)
    .filter((place) => !isNamed(place))
    .map((place) => ({ name: 'answer', at: place }));
  const wrong = run.click(at);
  return [...letters, ...right, ...(wrong === undefined || run.verdict(at) ? [] : [wrong])];
}
