// Where the page stands for a step of a scene: moment, heap, selection, and what the map shows.
//
//   SP4  An answer is played: the page goes through the events of the step, so that cause and effect are seen. The map shows all that
//        the step is about, as far as its rows reach, also when the window changes; until the visitor moves it.

import { addr } from '../../base/brand.ts';
import type { Place } from '../../moment/state.ts';
import type { SceneStep, SceneStepInfo } from '../../protocol/scenes.ts';
import type { PanelPage } from '../panel.ts';

export function createSceneStage(
  page: PanelPage,
  steps: () => readonly SceneStep[],
  infoOf: (step: number) => SceneStepInfo | undefined,
) {
  const { store } = page;
  let placed: Place | undefined; // by the scene

  /** The last step up to this one that says something. */
  const lastWith = (at: number, says: (step: SceneStep) => boolean): SceneStep | undefined =>
    steps()
      .slice(0, at + 1)
      .findLast(says);

  function placeOf(at: number): Place | undefined {
    const view = lastWith(at, (step) => step.view !== undefined)?.view;
    const reach = view?.to ?? steps()[at]?.reach ?? 0;
    return view && page.placeFor(view.origin, Math.max(reach, view.origin + 1), view.bytesPerRow);
  }

  function stand(at: number, selected: number | undefined): void {
    const heap = lastWith(at, (step) => step.heap !== undefined)?.heap ?? 0;
    placed = placeOf(at) ?? (placed && { ...placed }); // set anew: it ends what moves the map away from there
    const place = placed === undefined ? {} : { place: placed };
    store.set({ heap, selected: selected === undefined ? undefined : addr(selected), ...place });
  }

  return {
    /** A question is looked at before its answer. */
    goTo(at: number): void {
      const step = steps()[at];
      if (step === undefined) return;
      const info = infoOf(at);
      const asks = info?.question !== undefined || info?.number !== undefined;
      stand(at, asks ? undefined : step.places?.[0]);
      page.actions.seek(asks ? step.from : step.to);
    },
    play(at: number): void {
      const step = steps()[at];
      if (step === undefined) return;
      stand(at, step.places?.[0]);
      page.travel(step.from, step.to);
    },
    /** The map has other rows than before. */
    placeAgain(at: number): void {
      const wanted = placeOf(at);
      if (placed === undefined || store.get().place !== placed || wanted === undefined) return;
      if (wanted.origin === placed.origin && wanted.bytesPerRow === placed.bytesPerRow) return;
      placed = wanted;
      store.set({ place: placed });
    },
    /** Another scene begins. */
    forget(): void {
      placed = undefined;
    },
  };
}
