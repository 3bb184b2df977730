// Which runs of emptiness are folded: all that the frame knows, without those that the visitor opened.
//
//   frame ── setEmpty ──▶ runs ──┐
//   click, Enter, zoom ── open ──┼──▶ changed(what folds)      only when that is something else than before
//   the switch ── setOn ─────────┘
//
//   folds.1  A run is open as long as it holds the address at which it was opened, however it grows and shrinks.

import type { EmptyRuns } from '../protocol/map_frames.ts';
import { kNothingEmpty, withoutRunsAt } from './map_rows.ts';

export function createMapFolds(changed: (empty: EmptyRuns) => void) {
  const opened = new Set<number>();
  let runs = kNothingEmpty;
  let on = true;
  let folded = kNothingEmpty;

  function update(): void {
    const next = on ? withoutRunsAt(runs, opened) : kNothingEmpty;
    if (sameRuns(next, folded)) return;
    folded = next;
    changed(folded);
  }

  return {
    setEmpty(next: EmptyRuns): void {
      runs = next;
      update();
    },
    setOn(next: boolean): void {
      on = next;
      opened.clear();
      update();
    },
    isOn: () => on,
    open(address: number): void {
      const before = folded;
      if (withoutRunsAt(before, [address]) === before) return;
      opened.add(address);
      update();
    },
    closeAll(): void {
      opened.clear();
      update();
    },
  };
}

function sameRuns(one: EmptyRuns, other: EmptyRuns): boolean {
  if (one.count !== other.count) return false;
  for (let run = 0; run < one.count; run++) {
    if (
      one.address[run] !== other.address[run] ||
      one.size[run] !== other.size[run] ||
      one.kind[run] !== other.kind[run]
    )
      return false;
  }
  return true;
}
