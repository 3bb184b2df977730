// Goes to an event, or finds the next one or the one before that fits what is written.

import { type Addr, type Seq, seq } from '../../base/brand.ts';
import { formatCount } from '../../base/format.ts';
import type { Found, Wanted } from '../../protocol/messages.ts';
import { meantBy, meantText } from './wanted_of.ts';

export interface FindingCallbacks {
  seek(event: number): void;
  /** Select what is at the address and show it. */
  reveal(address: Addr): void;
  find(wanted: Wanted, from: Seq, by: 1 | -1): Promise<Found>;
  /** The event that is shown. */
  at(): Seq;
  /** The block that is selected. */
  selected(): Addr | undefined;
  failed(error: unknown): void;
}

export function createFinding(callbacks: FindingCallbacks, say: (text: string) => void) {
  let going = false;
  /** Where a search for the same text stopped without a find: it goes on from there. */
  let stopped: { readonly written: string; readonly by: 1 | -1; readonly from: Seq } | undefined;

  return {
    /** False: no event is so, before or after. */
    async go(written: string, by: 1 | -1): Promise<boolean> {
      const meant = meantBy(written);
      if (meant === undefined || going) return true;
      if (meant.go === 'event') {
        callbacks.seek(meant.event);
        return true;
      }
      const { wanted } = meant;
      if (wanted.by === 'address') callbacks.reveal(wanted.address);
      going = true;
      const from = stopped?.written === written && stopped.by === by ? stopped.from : callbacks.at();
      stopped = undefined;
      try {
        const { moment, lookedUpTo } = await callbacks.find(wanted, from, by);
        if (moment !== undefined) {
          callbacks.seek(moment);
          say(`Event ${formatCount(moment)} ${meantText(meant)}`);
        } else if (lookedUpTo !== undefined) {
          stopped = { written, by, from: seq(lookedUpTo) };
          say(`Nothing up to event ${formatCount(lookedUpTo)}; Enter looks on.`);
        } else {
          const there = await callbacks.find(wanted, from, by > 0 ? -1 : 1);
          say(nothingText(meantText(meant), by, there));
          return there.moment !== undefined || there.lookedUpTo !== undefined;
        }
      } catch (error) {
        callbacks.failed(error);
      } finally {
        going = false;
      }
      return true;
    },
  };
}

/** No event is there in the direction `by`. `there`: what the other direction has. */
export function nothingText(meant: string, by: 1 | -1, there: Pick<Found, 'moment' | 'lookedUpTo'>): string {
  const [sought, other, key] = by > 0 ? ['later', 'earlier', 'Shift Enter'] : ['earlier', 'later', 'Enter'];
  if (there.moment !== undefined)
    return `No ${sought} event ${meant}. The nearest ${other} one is ${formatCount(there.moment)}: ${key} goes there.`;
  if (there.lookedUpTo !== undefined) return `No ${sought} event ${meant}. ${key} looks at ${other} ones.`;
  return `No event ${meant}. Ask “why did it grow” or “what is top”, or write an event’s number, 0x41a30 or ≥ 64 KiB.`;
}
