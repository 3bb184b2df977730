// A scene teaches one idea with a real heap: a few steps, each a caption and some calls. Most ask first, and the heap answers.
//
//   scene file ──▶ sceneOf() ──▶ a scenario, which the engine runs whole     the page then stands at one step after the other
//
//   SN1  play() makes the calls. Each yield ends one step, in the order of `steps`, and tells what the calls returned.
//   SN2  A step that asks makes at least one call: its answer is what the reader sees happen.
//   SN3  A title and a caption are read before the question: they do not give the answer away.
//   SN4  A step that asks leaves its evidence on the map: letters, or the place that was asked for. It stays when the next step begins.
//   SN5  Near its end a scene has one number to change, and runs with another one; the step says what came of it.
//   SN6  Sizes and order come from the seed where they can, so that another seed is another scene with the same idea.

import { type Addr, addr, bytes } from '../base/brand.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { SceneLetter, SceneNumber, SceneOutcome, SceneStepInfo, SceneView } from '../protocol/scenes.ts';
import { type Moves, movesOf } from '../scenarios/moves.ts';
import type { HeapOperations, Scenario, Step } from '../scenarios/scenario.ts';

/** Ids of scenes among those of scenarios begin so. */
export const kScenePrefix = 'scene_';

export interface Stage {
  readonly moves: Moves;
  readonly operations: HeapOperations;
  readonly random: Random;
  /** The one that the scene lets be changed. */
  readonly number: number;
}

export interface Scene {
  readonly id: string;
  readonly title: string;
  /** The idea, in one sentence. */
  readonly idea: string;
  readonly steps: readonly SceneStepInfo[];
  play(stage: Stage): Generator<SceneOutcome, void, void>;
}

/** The scenario that runs a scene. */
export function sceneOf(scene: Scene, number: number): Scenario {
  const { id, title, idea, steps } = scene;
  return {
    info: {
      id: kScenePrefix + id,
      title,
      summary: idea,
      chapters: steps.map((step) => step.title),
      experiment: undefined,
      scene: { number, steps },
    },
    *run(operations, seed, number): Generator<Step, void, void> {
      const changed = steps.find((step) => step.number !== undefined)?.number;
      const stage = { moves: movesOf(operations), operations, random: createRandom(seed) };
      const playing = scene.play({ ...stage, number: chosenNumber(changed, number) });
      for (let chapter = 0; chapter < steps.length; chapter++) {
        yield { chapter, done: chapter / steps.length };
        const { value, done } = playing.next();
        if (done) throw new Error(`scene ${id} ends before its step ${chapter + 1}`);
        yield { chapter: undefined, done: (chapter + 1) / steps.length, outcome: value };
      }
      if (!playing.next().done) throw new Error(`scene ${id} has more steps than captions`);
    },
  };
}

/** What is out of bounds, in a link, is the nearest that is not. */
const chosenNumber = (number: SceneNumber | undefined, chosen: number | undefined): number =>
  number === undefined ? 0 : Math.min(Math.max(chosen ?? number.first, number.least), number.most);

const kWord = 4; // the tag before a block

/** The map from a block's row on, to an address or as far as memory is in use. */
export const viewFrom = (mem: Addr, bytesPerRow: number, to?: number): SceneView => ({
  origin: addr(Math.max(0, mem - kWord - ((mem - kWord) % bytesPerRow))),
  bytesPerRow: bytes(bytesPerRow),
  ...(to === undefined ? {} : { to: addr(to) }),
});

/** A, B, C … on blocks, in their order. */
export const lettersOn = (blocks: readonly Addr[]): readonly SceneLetter[] =>
  blocks.map((at, nth) => ({ name: String.fromCharCode(0x41 + nth), at }));

/** The same name, numbered, on several blocks. */
export const lettered = (name: string, blocks: readonly Addr[]): readonly SceneLetter[] =>
  blocks.map((at, nth) => ({ name: blocks.length === 1 ? name : `${name} ${nth + 1}`, at }));

/** A size in [low, high] whose chunk has no byte to spare: 8 n - 4. */
export const sizeBetween = (random: Random, low: number, high: number): number => {
  const first = Math.ceil((low + kWord) / 8);
  const last = Math.floor((high + kWord) / 8);
  return (first + random.below(last - first + 1)) * 8 - kWord;
};

/** The same elements in an order that the seed decides. */
export function shuffled<T>(elements: readonly T[], random: Random): T[] {
  const left = [...elements];
  const taken: T[] = [];
  while (left.length > 0) taken.push(...left.splice(random.below(left.length), 1));
  return taken;
}

/** Element `at` of a list that is known to be long enough. */
export function pick<T>(elements: readonly T[], at: number): T {
  const element = elements[at];
  if (element === undefined) throw new Error(`there is no element ${at} among ${elements.length}`);
  return element;
}
