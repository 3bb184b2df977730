// The visitor answers a question of a scene: by a button, or by a place on the map; what is wrong with a wrong answer is remembered.

import { addr } from '../../base/brand.ts';
import type { SceneLetter, SceneStepInfo } from '../../protocol/scenes.ts';
import type { InspectFrame } from '../chunk/part.ts';
import type { Shown } from '../panel.ts';
import { faultOf, holdsPlace, placeAsked } from './scene_place.ts';
import type { SceneRun } from './scene_run.ts';

const kWord = 4; // the tag before a block

export interface SceneAnswersOptions {
  current(): number;
  infoNow(): SceneStepInfo | undefined;
  play(step: number): void;
}

export function createSceneAnswers(run: SceneRun, { current, infoNow, play }: SceneAnswersOptions) {
  function answer(at: number, right: boolean): void {
    run.answer(at, right);
    play(at);
  }
  return {
    choose(option: number): void {
      const [at, question] = [current(), infoNow()?.question];
      const right = option === run.steps()[at]?.right;
      if (!right && question?.kind === 'choice') run.miss(at, undefined, question.options[option]?.wrong);
      answer(at, right);
    },
    /** What is selected is the answer. */
    judge(shown: Shown | undefined): void {
      const inspect = placeAsked(shown, run);
      if (inspect === undefined) return;
      const at = current();
      const right = holdsPlace(inspect, run.steps()[at]?.places ?? []);
      if (!right) run.miss(at, clickOn(inspect), faultOf(inspect, run, shown));
      answer(at, right);
    },
  };
}

const clickOn = ({ node, chunk }: InspectFrame): SceneLetter => ({
  name: 'your click',
  at: addr(node?.address ?? chunk + kWord),
});
