// Whether the page has settled: everything that was asked for has come and is drawn. It stands on the page's element as data-settled,
// for whoever drives the page: a test, a recording of the screen.
//
//   stir ──▶ false ──▶ nothing is under way for kQuiet pictures in a row ──▶ true
//
//   settled.1  While it stands on true nothing runs: no timer, no animation frame.
//   settled.2  A page that plays, or whose trace is still being written, has not settled.

import type { Disposable } from '../base/disposal.ts';

const kQuiet = 3;

export interface Settled extends Disposable {
  /** Something has begun, or may begin. */
  stir(): void;
}

/** `isBusy`: something is under way now. */
export function createSettled(element: HTMLElement, isBusy: () => boolean): Settled {
  let due = 0;
  let quiet = 0;
  function look(): void {
    due = 0;
    quiet = isBusy() ? 0 : quiet + 1;
    if (quiet < kQuiet) due = requestAnimationFrame(look);
    else element.dataset['settled'] = 'true';
  }
  return {
    stir(): void {
      quiet = 0;
      if (due !== 0) return;
      element.dataset['settled'] = 'false';
      due = requestAnimationFrame(look);
    },
    dispose: () => cancelAnimationFrame(due),
  };
}
