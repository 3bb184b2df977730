// The paths that a stack may be, where its frames do not say everything: a context tells which of them it is (context_book.ts).
//
//   frames, innermost first       malloc's call in h        f, at no call        JavaScript
//   paths                         41                        41                   41           f's frame is none of what sets the context
//                                                           41 7                 41 7         f is in its call 7, which calls h
//                                                           41 5 8               41 5 8       in 8, which calls g; of g, in its call 5, there is no frame
//
//   pp.1  Of too many paths the first are followed, which have the fewest calls put in.

import { kAllocator, type LeftOutCalls } from './left_out.ts';
import type { NumberedCall } from './site_table.ts';
import type { StackPath } from './stack_path.ts';

const kMostByFrames = 32; // where all frames stand at calls
const kMost = 512;
const kMostLedFrom = 64; // calls of a frame that may lead to the next one inward by others; the rest only if they call it

/** The function in which the outermost call stands. */
const functionOf = (path: StackPath): number => path.calls.at(-1)?.function ?? kAllocator;

/** Each path with each of the ways to the next call outward on it. */
export function continued(
  paths: readonly StackPath[],
  call: NumberedCall,
  leftOut: LeftOutCalls | undefined,
): StackPath[] {
  const most = Math.max(kMostByFrames, paths.length);
  const longer: StackPath[] = [];
  for (const path of paths) {
    const ways = leftOut?.between(call, functionOf(path)) ?? [[]];
    for (const [nth, way] of ways.entries()) {
      if (longer.length === most) return longer;
      const longest = nth === ways.length - 1 ? path : path.copy();
      longest.addAll(way).add(call);
      longer.push(longest);
    }
  }
  return longer;
}

/** Each path as it is, and with each of the calls that the next frame may be in. */
export function branched(
  paths: readonly StackPath[],
  calls: readonly NumberedCall[],
  leftOut: LeftOutCalls,
): StackPath[] {
  const longer = [...paths];
  for (const path of paths) {
    const inner = functionOf(path);
    for (const [nth, call] of calls.entries()) {
      const ways = nth < kMostLedFrom || leftOut.isCall(call, inner) ? leftOut.ways(call, inner) : [];
      for (const way of ways) {
        if (longer.length === kMost) return longer;
        const longest = path.copy().addAll(way);
        longest.add(call);
        longer.push(longest);
      }
    }
  }
  return longer;
}
