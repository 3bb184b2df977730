// What is not as it should be with what is shown, in words: a trace that is damaged, events that were lost, a model that
// differs from the heap, a file that proves nothing.

import { formatCount } from '../base/format.ts';
import type { StatusFrame } from '../protocol/frames.ts';

/** What a viewer of the trace should know: it is damaged, events are missing, or the model differs from the heap. */
export interface HeapMapNotice {
  readonly kind: 'damaged' | 'lost' | 'differs' | 'not_verified' | 'begins_late';
  readonly message: string;
}

/** `opened`: what opening the file said. A program that runs proves itself later; a file does so by its checkpoints or not at all. */
export function noticesOf(status: StatusFrame, opened: string | undefined, isFile: boolean): readonly HeapMapNotice[] {
  const { mismatch, waiting, broken, damage, lost, before, verifiedAt } = status;
  const found: HeapMapNotice[] = [];
  if (opened !== undefined && opened !== mismatch && opened !== waiting)
    found.push({ kind: 'damaged', message: opened });
  if (damage !== undefined && damage !== opened) found.push({ kind: 'damaged', message: damage });
  if (mismatch !== undefined) found.push({ kind: broken ? 'damaged' : 'differs', message: mismatch });
  if (waiting !== undefined) found.push({ kind: 'lost', message: waiting });
  else if (lost > 0) found.push({ kind: 'lost', message: `${formatCount(lost)} events were lost` });
  if (before > 0) {
    found.push({ kind: 'begins_late', message: `begins behind ${formatCount(before)} events that are not kept` });
  }
  if (isFile && verifiedAt === undefined && mismatch === undefined) {
    found.push({ kind: 'not_verified', message: 'not verified: the trace holds no checkpoint to compare with' });
  }
  return found;
}

/** Worth a word, and no fault. */
export const isQuiet = ({ kind }: HeapMapNotice): boolean => kind === 'not_verified' || kind === 'begins_late';
