// Where linear memory ends, as far as the events say it.
//
//      segment ... | segment ......... | not taken |          the page source's end lies in the third page
//      |  64 KiB page   |  64 KiB page   |  64 KiB page   |
//                                                       ^ memory_grown counts three: memory ends here
//
//   memory.E1  memory_grown counts pages, the one in which the page source's end lies among them (event.h): where that is a break
//              (sbrk), it may end inside a page. Until November 2026 that page was not counted where it was not full.
//   memory.E2  Memory is whole pages, and no segment lies beyond it: it reaches at least to the end of the page in which the last segment
//              ends. That gives older traces their last page.
//   memory.E3  It shrinks only where the program goes on in another memory (memory_moved), which counts all of its pages.

import { EventKind } from '../../protocol/event_layout.ts';
import type { HeapState } from './heap_state.ts';

export const kMemoryPage = 65_536;

const pageEnd = (end: number): number => Math.ceil(end / kMemoryPage) * kMemoryPage;

/** E2: what the segments alone say. */
export function reachOf({ segments }: HeapState): number {
  const last = segments.at(-1);
  return last === undefined ? 0 : pageEnd(last.base + last.size);
}

/** Memory after an event, of which `before` were there. */
export function memoryAfter(
  before: number,
  { kind, a, b, c }: { readonly kind: number; readonly a: number; readonly b: number; readonly c: number },
): number {
  if (kind === EventKind.memoryMoved) return b * kMemoryPage;
  if (kind === EventKind.memoryGrown) return Math.max(before, b * kMemoryPage);
  if (kind === EventKind.segmentAdded) return Math.max(before, pageEnd(a + b));
  return kind === EventKind.segmentExtended ? Math.max(before, pageEnd(a + c)) : before;
}
