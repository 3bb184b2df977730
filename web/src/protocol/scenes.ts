// What the page needs of a scene (scenes/scene.ts): its texts before it runs, and where its steps lie in the trace after.
//
//   SC1  A step lasts from its chapter's mark (`from`) until all its calls were made (`to`). A question is asked at `from`
//        and answered at `to`: going there is what plays the answer.
//   SC2  A question about a place is answered by any chunk or node that holds one of `places`, at `from`. A question with
//        options is answered by option number `right`. Both come from what the calls returned, not from the text.
//   SC3  Whoever answers learns the reason, and whoever answers wrong learns first what is wrong with just that answer.
//   SC4  A step with a number runs the whole scene again with another one; what came of it is said by what the calls returned.

import type { Addr, Bytes, Seq } from '../base/brand.ts';

/** Asked before it is shown. */
export type SceneQuestion =
  | {
      readonly kind: 'place';
      readonly text: string;
      /** What happens, and why. */
      readonly reason: string;
      /** What is wrong with another place, by a name of the step's `wrongPlaces`, else by what lies there. */
      readonly wrongs: Readonly<Partial<Record<PlaceKind, string>>> & Readonly<Record<string, string>>;
      /** The places are evidence: they stay as they are while the answer is played. */
      readonly stays?: boolean;
    }
  | {
      readonly kind: 'choice';
      readonly text: string;
      readonly options: readonly SceneOption[];
      readonly reason: string;
    };

/** What lies at a place, for what is wrong with it. */
export type PlaceKind = 'used' | 'free' | 'top' | 'victim' | 'pool' | 'cached' | 'node';

export interface SceneOption {
  readonly text: string;
  /** What is wrong with it; undefined: it is right. */
  readonly wrong?: string;
}

/** One number to change. */
export interface SceneNumber {
  readonly text: string;
  /** What it counts. */
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly first: number;
}

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
  readonly number?: SceneNumber;
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
  /** At least; more where the map is too small for all that the step is about. */
  readonly bytesPerRow: Bytes;
  /** Up to here; undefined: as far as memory is in use. */
  readonly to?: Addr;
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
  readonly wrongPlaces?: Readonly<Record<string, readonly Addr[]>>;
  /** Of a step with a number: what came of it. */
  readonly says?: string;
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
  /** Where top begins, or all that is in use ends, before and after its calls, whichever is more. */
  readonly reach: number;
}
