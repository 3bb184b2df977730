// What the badge says: never green on trust. It names the event at which walking the real heap gave exactly the model.

import { formatCount } from '../../base/format.ts';
import type { StatusFrame } from '../../protocol/frames.ts';

export type Badge = 'verified' | 'waiting' | 'mismatch' | 'lost' | 'damaged';
export const kBadgeMarks: Readonly<Record<Badge, string>> = {
  verified: '●',
  waiting: '○',
  mismatch: '✕',
  lost: '△',
  damaged: '▲',
};

interface Provable
  extends Pick<StatusFrame, 'mismatch' | 'lost'>,
    Partial<Pick<StatusFrame, 'damage' | 'broken' | 'misuse' | 'isTrace' | 'freeLists'>> {
  readonly lostAt: number;
  readonly head: number;
  readonly verifiedAt: number | undefined;
}

/** What the badge says and in which colour; exported because the words are the contract. */
export function badgeOf(status: Provable | undefined): { readonly badge: Badge; readonly text: string } {
  if (status === undefined) return { badge: 'waiting', text: 'waiting for events' };
  if (status.isTrace === false) return { badge: 'damaged', text: 'not a heapglass trace' };
  if (status.damage !== undefined && status.head === 0)
    return { badge: 'damaged', text: 'damaged: no event can be read' };
  if (status.damage !== undefined) return { badge: 'damaged', text: 'damaged: not all can be shown' };
  if (status.misuse) return { badge: 'damaged', text: `misuse at event ${formatCount(status.head)}` };
  if (status.broken) return { badge: 'damaged', text: `damaged behind event ${formatCount(status.head)}` };
  if (status.mismatch !== undefined) return { badge: 'mismatch', text: 'model ≠ heap' };
  const { verifiedAt, lost, lostAt } = status;
  const missing = `${formatCount(lost)} events lost`;
  if (lost > 0 && (verifiedAt ?? 0) <= lostAt) return { badge: 'lost', text: missing };
  if (verifiedAt === undefined)
    return { badge: 'waiting', text: status.freeLists === false ? 'no walk to compare with' : 'not yet verified' };
  const text = `model = heap, verified at ${formatCount(verifiedAt)}`;
  return { badge: 'verified', text: lost > 0 ? `${text}; ${missing} before` : text };
}
