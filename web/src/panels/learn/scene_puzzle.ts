// The puzzle at the end of a scene: its buttons as calls on the heap that the scene left, and whether it is solved.
//
//   button ──▶ page.actions.operate() ──▶ frame ──▶ state(): solved?

import { type Addr, addr, bytes } from '../../base/brand.ts';
import { formatAddress, formatCount } from '../../base/format.ts';
import type { Frame } from '../../protocol/frames.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { partOf } from '../../protocol/parts.ts';
import type { SceneCondition, ScenePuzzle } from '../../protocol/scenes.ts';
import { kInspect } from '../chunk/part.ts';
import type { PanelPage, Shown } from '../panel.ts';

/** What a program with a stale pointer writes. */
const kScribble = 42;

export function createScenePuzzle(page: PanelPage, refresh: () => void) {
  let refused: number | undefined; // bytes of the last request, when it found no memory
  let tried: string | undefined;

  return {
    forget(): void {
      refused = undefined;
      tried = undefined;
    },
    async allocate(size: number): Promise<void> {
      const { ok, mems, statusText } = await page.actions.operate({ op: 'allocate', size: bytes(size) });
      refused = ok ? undefined : size;
      const asked = `${formatCount(size)} bytes`;
      tried = ok ? `${asked} fitted, at ${formatAddress(mems[0] ?? 0)}.` : `${asked} failed: ${statusText}.`;
      refresh();
    },
    free(shown: Shown | undefined): void {
      const mem = selectedMem(shown, page.store.get().selected, isInUse);
      if (mem !== undefined) void page.actions.operate({ op: 'deallocate', mem });
    },
    async freeGroup(mems: readonly Addr[]): Promise<void> {
      const { ok } = await page.actions.operate({ op: 'burstDeallocate', mems });
      tried = ok ? undefined : 'Some of these blocks are free already: press Again to begin anew.';
      refresh();
    },
    write(shown: Shown | undefined): void {
      const at = selectedMem(shown, page.store.get().selected, isFree);
      if (at !== undefined) void page.actions.operate({ op: 'write', at, word: kScribble });
    },
    state(puzzle: ScenePuzzle | undefined, shown: Shown) {
      return {
        solved: puzzle !== undefined && puzzleSolved(puzzle, shown.frame, refused),
        freeable: selectedMem(shown, page.store.get().selected, isInUse) !== undefined,
        writable: selectedMem(shown, page.store.get().selected, isFree) !== undefined,
        tried,
      };
    },
  };
}

export const puzzleSolved = (puzzle: ScenePuzzle, frame: Frame, refused: number | undefined): boolean =>
  holds(puzzle.goal, frame) &&
  (puzzle.fails === undefined || puzzle.fails === refused) &&
  (puzzle.differs !== true || frame.status.mismatch !== undefined);

const holds = (goal: readonly SceneCondition[], { status }: Frame): boolean =>
  goal.every(({ figure, least = 0, most = Number.POSITIVE_INFINITY }) => {
    const value = status[figure];
    return value >= least && value <= most;
  });

const isInUse = (state: number): boolean => state === ChunkState.inUse;
const isFree = (state: number): boolean => state === ChunkState.free;

/** mem of the selected chunk, when it is in such a state. */
function selectedMem(
  shown: Shown | undefined,
  selected: Addr | undefined,
  wanted: (state: number) => boolean,
): Addr | undefined {
  const inspect = shown === undefined ? undefined : partOf(shown.parts, kInspect);
  if (inspect === undefined || inspect.what !== 'chunk' || !wanted(inspect.state)) return undefined;
  if (inspect.asked !== selected) return undefined; // another one was selected since
  return addr(inspect.chunk + (shown?.frame.map?.wordSize ?? 4));
}
