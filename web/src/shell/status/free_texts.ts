// What is free of the chosen heap, in figures: not zero where the trace has no free lists.

import { formatBytes, formatShare } from '../../base/format.ts';
import type { StatusFrame } from '../../protocol/frames.ts';

type Free = Pick<StatusFrame, 'freeLists' | 'largestFree' | 'fragmentation'>;

export const kNotKnown = 'Not known: this trace has no free lists';

export function freeTexts({ freeLists, largestFree, fragmentation }: Free): {
  readonly largest: string;
  readonly fragmentation: string;
} {
  if (!freeLists) return { largest: '–', fragmentation: '–' };
  return { largest: formatBytes(largestFree), fragmentation: formatShare(fragmentation) };
}
