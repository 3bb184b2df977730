// The bytes of the inspected chunk as the map shows them: behind the words that the map writes out itself, on the
// chunk's own colour. A pool's block shows its nodes instead.

import type { Theme } from '../dom/palette.ts';
import type { InspectFrame } from '../panels/chunk/part.ts';
import { ChunkState, type MapFrame } from '../protocol/map_frames.ts';
import { linkWords } from './draw_words.ts';
import { chunkMark, rangeAt } from './map_marks.ts';
import type { MapBytes } from './map_overlay.ts';

export function bytesOf(frame: MapFrame, inspect: InspectFrame, theme: Theme): MapBytes | undefined {
  const { chunks, wordSize } = frame;
  const index = chunks === undefined ? undefined : rangeAt(chunks, inspect.chunk);
  if (chunks === undefined || index === undefined || inspect.bytes === undefined) return undefined;
  const mark = chunkMark(chunks, index);
  // A frame may be a step ahead of the inspection: then these are another chunk's bytes.
  if (mark.address !== inspect.chunk || mark.state !== inspect.state || mark.state === ChunkState.poolBlock) {
    return undefined;
  }
  const inUse = mark.state === ChunkState.inUse;
  const cached = mark.state === ChunkState.cached;
  const words = 1 + linkWords(mark.state); // header, links
  const foot = mark.state === ChunkState.free ? wordSize : 0;
  const values = inspect.bytes.subarray(words * wordSize, Math.min(inspect.bytes.length, mark.size - foot));
  const step = mark.age >> 3;
  return {
    from: mark.address + words * wordSize,
    values,
    colour: inUse ? (theme.ageLabels[step] ?? theme.css.onInUse) : cached ? theme.css.text : theme.css.dim,
    ground: inUse ? (theme.ageColours[step] ?? theme.css.inUse) : cached ? theme.css.cached : theme.css.free,
  };
}
