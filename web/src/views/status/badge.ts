// What the badge says: never green on trust. It names the event at which walking the real heap gave exactly the model.

import { formatCount } from '../../base/format.ts';
import type { StatusFrame } from '../../protocol/frames.ts';

export type Badge = 'verified' | 'waiting' | 'mismatch' | 'lost';
export const kBadgeMarks: Readonly<Record<Badge, string>> = { verified: '●', waiting: '○', mismatch: '✕', lost: '△' };

type Provable = Pick<StatusFrame, 'mismatch' | 'lost'> & { readonly verifiedAt: number | undefined };

/** What the badge says and in which colour; exported because the words are the contract. */
export function badgeOf(status: Provable | undefined): { readonly badge: Badge; readonly text: string } {
  if (status === undefined) return { badge: 'waiting', text: 'waiting for events' };
  if (status.mismatch !== undefined) return { badge: 'mismatch', text: 'model ≠ heap' };
  if (status.lost > 0) return { badge: 'lost', text: `${formatCount(status.lost)} events lost` };
  if (status.verifiedAt === undefined) return { badge: 'waiting', text: 'not yet verified' };
  return { badge: 'verified', text: `model = heap, verified at ${formatCount(status.verifiedAt)}` };
}
