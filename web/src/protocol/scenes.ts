// What the page needs of a scene (scenes/scene.ts): its texts before it runs, and where its steps lie in the trace after.
//
//   SC1  A step lasts from its chapter's mark (`from`) until all its calls were made (`to`). A question is asked at `from`
//        and answered at `to`: going there is what plays the answer.
//   SC2  A question about a place is answered by any chunk or node that holds one of `places`, at `from`. A question with
//        options is answered by option number `right`. Both come from what the calls returned, not from the text.

import type { Addr, Bytes, Seq } from '../base/brand.ts';

/** Asked before it is shown. */
export type SceneQuestion =
  | {
      readonly kind: 'place';
      readonly text: string;
      readonly right: string;
      readonly wrong: string;
      /** What is wrong with a place of each of the step's `wrongPlaces`, in place of `wrong`. */
      readonly wrongs?: readonly string[];
      /** The places are evidence: they stay as they are while the answer is played. */
      readonly stays?: boolean;
    }
  | {
      readonly kind: 'choice';
      readonly text: string;
      readonly options: readonly string[];
      readonly right: string;
      readonly wrong: string;
    };

/** A figure of the status line that a puzzle is about. */
export type SceneFigure = 'inUse' | 'freeBytes' | 'largestFree' | 'footprint';

export interface SceneCondition {
  readonly figure: SceneFigure;
  readonly least?: number; // bytes
  readonly most?: number;
}

/** Something to do by hand at the end of a scene, on the heap as the scene left it. */
export interface ScenePuzzle {
  readonly text: string;
  readonly hint: string;
  readonly solved: string;
  /** One button each: allocate so many bytes. */
  readonly sizes: readonly number[];
  /** One button each: it frees the blocks that the step tells in `groups`, at the same place. */
  readonly groups?: readonly string[];
  /** There is a button that writes into the selected free chunk. */
  readonly writes?: boolean;
  /** Solved when all of them hold, */
  readonly goal: readonly SceneCondition[];
  /** and a request of so many bytes found no memory, */
  readonly fails?: number;
  /** and a walk of the real heap differs from its events. */
  readonly differs?: boolean;
}

export interface SceneStepInfo {
  readonly title: string;
  readonly caption: string;
  readonly question?: SceneQuestion;
  readonly puzzle?: ScenePuzzle;
}

export interface SceneInfo {
  /** Its place among the scenes, from 1. */
  readonly number: number;
  readonly steps: readonly SceneStepInfo[];
}

/** What the map shows: rows of so many bytes, from an address on. */
export interface SceneView {
  readonly origin: Addr;
  readonly bytesPerRow: Bytes;
}

/** A block's name in the texts: the letter stands on the map at the address that the program has of the block. */
export interface SceneLetter {
  readonly name: string;
  readonly at: Addr;
}

/** What a step tells when its calls are made. */
export interface SceneOutcome {
  readonly places?: readonly Addr[];
  readonly right?: number;
  readonly wrongPlaces?: readonly (readonly Addr[])[];
  readonly view?: SceneView;
  /** From this step's end on, until another step tells letters. */
  readonly letters?: readonly SceneLetter[];
  /** The heap that figures, bins and calls by hand are about, from here on. Default: the first one. */
  readonly heap?: number;
  /** Of the puzzle's buttons. */
  readonly groups?: readonly (readonly Addr[])[];
}

/** A step that has run. */
export interface SceneStep extends SceneOutcome {
  readonly from: Seq;
  readonly to: Seq;
}
