// Which call sites keep growing: of the blocks that are held at a moment, whose were born all along, and of whom there were more and more.
//
//   all that was recorded                                        a window
//    |-----------------------------|--------------|--------------|
//    0                            half          later          event          the same within the last half, quarter, eighth ... of it
//
//   births of a site's blocks that are still held, by quarter of the time since the first of them:
//
//       ▂▂▂▂▂▂▂▂  grows: some of each quarter were never freed         █▁▁▁▁▁▁▁  made once and kept
//       ▁▁▁▁▁▁▁█  in use now: all are young
//
//   how many blocks of a site are held, at half of the time, at three quarters, now:
//
//       ▄▆█  grows           ███  replaced: each new block takes the place of one that was freed (a cache, a line of a text)
//
//   keeps.K1  A site grows in a window when blocks of it that are still held were born in each quarter of the time since the first of them in
//            the window, and that time is at least half of the window.
//   keeps.K2  And it holds more of them at three quarters of the window than at half, and more now, a sixteenth of all at least.
//   keeps.K3  It has stopped when so much time passed since the newest of them that, by the pace of their births, kPast more would have been born.
//   keeps.K4  The answer is what grows in all that was recorded. If there is none, a long beginning may hide what began behind it: then it is
//            what grows in the longest shorter window where something does, and has not stopped.
//   keeps.K5  A shorter window has kLeastEvents at least, or a 32nd of a short trace, and kLeastBlocks of the site were born in it: what is in use
//            at the moment is often young and rises, too.
//   keeps.K6  If all of the answer has stopped, it may be that long beginning itself. Then the largest site that was first born behind its last birth,
//            with kLeastBlocks, comes first if it holds more and grew in the time between its own first and last birth.

import { frameParts } from '../base/frames.ts';
import type { AnswerSite, OwnFrame } from '../protocol/answers.ts';
import type { Known } from './ask.ts';
import { forEachBlock, heldByOwnFrame, ownFrameOf, sumBySite } from './held.ts';
import { isKnown } from './who_holds.ts';

const kQuarters = 4;
const kLeastRise = 1 / 16; // K2
const kPast = 16; // K3
const kStep = 2; // from one window to the next shorter one
const kLeastEvents = 4096; // K5
const kLeastPart = 1 / 32;
const kLeastBlocks = 16;

/** A site that keeps growing, or grew. */
export interface GrowingSite {
  readonly site: AnswerSite;
  /** Where its window begins; 0: it grows in all that was recorded. */
  readonly from: number;
  /** K6; else the moment. */
  readonly until: number;
}

/** Of a site's blocks that are held: the events of their births, in order. */
interface Births {
  readonly site: AnswerSite;
  readonly born: readonly number[];
}

/** Most bytes first. Goes to two moments before for each window in which a site may grow. sites: what is held at seen's moment, most bytes first. */
export function growingSites(seen: Known, sites: readonly AnswerSite[]): readonly GrowingSite[] {
  const { event } = seen;
  const all = birthsOf(seen, sites);
  const whole = growingIn(seen, all, 0, event);
  if (whole.length === 0) return growingLately(seen, all);
  const found = whole.map(({ site }) => ({ site, from: 0, until: event }));
  const behind = whole.every((births) => hasStopped(births, event)) ? grownBehind(seen, all, whole) : undefined;
  return behind === undefined ? found : [behind, ...found];
}

/** K4 */
function growingLately(seen: Known, all: readonly Births[]): readonly GrowingSite[] {
  const { event } = seen;
  const going = all.filter((births) => !hasStopped(births, event));
  for (const from of laterWindows(event)) {
    const enough = going.filter(({ born }) => born.length - firstSince(born, from) >= kLeastBlocks);
    const later = growingIn(seen, enough, from, event);
    if (later.length > 0) return later.map(({ site }) => ({ site, from, until: event }));
  }
  return [];
}

/** K6 */
function grownBehind(seen: Known, all: readonly Births[], whole: readonly Births[]): GrowingSite | undefined {
  const end = Math.max(...whole.map(newestOf));
  const least = whole[0]?.site.size_bytes ?? 0;
  const [largest] = all.filter(({ born, site }) => (born[0] ?? 0) > end && site.size_bytes > least);
  if (largest === undefined || largest.born.length < kLeastBlocks) return undefined;
  const [from, until] = [largest.born[0] ?? 0, newestOf(largest) + 1];
  if (growingIn(seen, [largest], from, until).length === 0) return undefined;
  return { site: largest.site, from, until: hasStopped(largest, seen.event) ? until : seen.event };
}

/** K5. Longest first. */
function* laterWindows(event: number): Generator<number> {
  const least = Math.min(event * kLeastPart, kLeastEvents);
  for (let length = event / kStep; length >= least && length >= 1; length /= kStep) yield Math.floor(event - length);
}

/** K3 */
function hasStopped(births: Births, event: number): boolean {
  const { born } = births;
  const [oldest = 0] = born;
  const newest = newestOf(births);
  return born.length > kPast && (event - newest) * (born.length - 1) > kPast * (newest - oldest);
}

const newestOf = ({ born }: Births): number => born[born.length - 1] ?? 0;

/** Of each site whose frame is known. O(blocks log blocks). */
function birthsOf({ history, state, heap }: Known, sites: readonly AnswerSite[]): readonly Births[] {
  const bornOf = new Map<string, number[]>();
  for (const site of sites) if (isKnown(site)) bornOf.set(nameOf(site), []);
  const listOf = new Map<number, number[] | undefined>();
  forEachBlock(state, heap, (_, __, born) => {
    const number = history.sites.ofEvent(born, history.operations);
    if (!listOf.has(number)) {
      const { name, file, line } = frameParts(ownFrameOf(history, number));
      listOf.set(number, bornOf.get(nameOf({ function: name, file, line })));
    }
    listOf.get(number)?.push(born);
  });
  return sites.flatMap((site) => {
    const born = bornOf.get(nameOf(site));
    return born === undefined ? [] : [{ site, born: born.sort((one, two) => one - two) }];
  });
}

/** The index of the first birth that is not before an event. */
function firstSince(born: readonly number[], event: number): number {
  let low = 0;
  for (let high = born.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((born[middle] ?? 0) < event) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of these sites, K1 and K2. Goes to two moments before if any site may grow. */
function growingIn(seen: Known, all: readonly Births[], from: number, until: number): readonly Births[] {
  const candidates = all.filter(({ born }) => isBornInEachQuarter(born, from, until));
  if (candidates.length === 0) return [];
  const length = until - from;
  const [half, later] = [from + length / 2, from + (3 * length) / 4].map((moment) => heldAt(seen, Math.floor(moment)));
  return candidates.filter(({ site }) => {
    const [atHalf, atLater] = [half?.get(nameOf(site)) ?? 0, later?.get(nameOf(site)) ?? 0];
    return atHalf < atLater && atLater < site.blocks && site.blocks - atHalf >= kLeastRise * site.blocks;
  });
}

/** K1 */
function isBornInEachQuarter(born: readonly number[], from: number, until: number): boolean {
  const first = firstSince(born, from);
  const oldest = born[first];
  if (oldest === undefined || until - (oldest + 1) < (until - from) / 2) return false;
  const time = until - oldest - 1;
  for (let quarter = 0; quarter < kQuarters; ++quarter) {
    const begin = oldest + (time * quarter) / kQuarters;
    const end = quarter === kQuarters - 1 ? Number.POSITIVE_INFINITY : oldest + (time * (quarter + 1)) / kQuarters;
    if (!((born[firstSince(born, begin)] ?? Number.POSITIVE_INFINITY) < end)) return false;
  }
  return true;
}

const nameOf = ({ function: name, file, line }: OwnFrame) => `${name}\n${file}\n${line}`;

/** How many blocks each site holds at another moment. */
function heldAt({ model, history, heap }: Known, moment: number): ReadonlyMap<string, number> {
  const { state } = model.at(moment);
  return new Map(heldByOwnFrame(history, sumBySite(history, state, heap)).map((site) => [nameOf(site), site.blocks]));
}
