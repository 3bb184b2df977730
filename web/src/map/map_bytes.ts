// The bytes in memory as the map shows them. In a chunk they stand behind the words that the map writes out itself, on the chunk's
// own colour; a pool's block shows its nodes instead. What is in no chunk, a heap's own state, has no ground.

import type { Theme } from '../dom/palette.ts';
import {
  type ChunkGroups,
  type ChunkMarks,
  ChunkState,
  hasNoHeader,
  kOwnWords,
  kSlabTable,
  type MapFrame,
} from '../protocol/map_frames.ts';
import { linkWords } from './draw_words.ts';
import { groupColours } from './group_colours.ts';
import { type ChunkMark, chunkMark, rangesWithin } from './map_marks.ts';
import type { MapBytes } from './map_overlay.ts';

export function bytesOf({ chunks, wordSize, bytes = [], groups }: MapFrame, theme: Theme): readonly MapBytes[] {
  if (chunks === undefined) return [];
  return bytes.flatMap((memory) => {
    const end = memory.from + memory.values.length;
    const runs: MapBytes[] = [];
    const add = (from: number, to: number, colours: Pick<MapBytes, 'colour' | 'ground'>): void => {
      const [first, last] = [Math.max(from, memory.from), Math.min(to, end)];
      const values = memory.values.subarray(first - memory.from, last - memory.from);
      if (last > first) runs.push({ from: first, values, ...colours });
    };
    const bare = { colour: theme.css.dim, ground: undefined };
    let at: number = memory.from;
    for (const mark of marksWithin(chunks, memory.from, end)) {
      add(at, mark.address, bare);
      at = mark.address + mark.size;
      const words = wordsOf(chunks.slab?.[mark.index], mark.state);
      const foot = mark.state === ChunkState.free ? wordSize : 0;
      if (mark.state !== ChunkState.poolBlock)
        add(mark.address + words * wordSize, at - foot, coloursOf(mark, groups, theme));
    }
    add(at, end, bare);
    return runs;
  });
}

/** Header and links. */
const wordsOf = (slab: number | undefined, state: number): number =>
  hasNoHeader(slab) ? 0 : slab === kOwnWords || slab === kSlabTable ? 1 : 1 + linkWords(state);

function marksWithin(chunks: ChunkMarks, from: number, to: number): readonly ChunkMark[] {
  const [first, end] = rangesWithin(chunks, from, to);
  return Array.from({ length: end - first }, (_, nth) => chunkMark(chunks, first + nth));
}

function coloursOf(
  { index, state, age }: ChunkMark,
  groups: ChunkGroups | undefined,
  theme: Theme,
): Pick<MapBytes, 'colour' | 'ground'> {
  const step = age >> 3;
  if (state === ChunkState.inUse && groups !== undefined) {
    const { colours, labels } = groupColours(theme, groups.by);
    const group = groups.group[index] ?? 0;
    return { colour: labels[group] ?? theme.css.onInUse, ground: colours[group] ?? theme.css.inUse };
  }
  if (state === ChunkState.inUse)
    return {
      colour: theme.ageLabels[step] ?? theme.css.onInUse,
      ground: theme.ageColours[step] ?? theme.css.inUse,
    };
  if (state === ChunkState.cached) return { colour: theme.css.text, ground: theme.css.cached };
  return { colour: theme.css.dim, ground: theme.css.free };
}
