// How many events a recorder lets wait before it takes them: as many as came in a twentieth of a second before. So a program that is killed
// has lost little, whatever its pace, and one that writes much is not interrupted more often than twenty times a second.
//
//   first event │ 2 more │ 4 more │ ...      one that begins, or has been slow, takes them more often: half of its events are always taken
//
//   batch.1  A program that slows down would take long for a batch. So the clock is looked at often, and what has waited for a twentieth of a
//            second is taken. Where the pace falls to one in kLooks, the next look itself comes as late again.

export const kFirstBatch = 1; // events until they are taken for the first time
const kTakeEvery = 50; // milliseconds
const kLooks = 256; // in kTakeEvery

/**
 * The next one, after `events` were taken that came within `elapsed` milliseconds. No more than twice the last batch: a program may slow
 * down. `most`: what there is space for.
 */
export function nextBatch(events: number, elapsed: number, last: number, most: number): number {
  return Math.max(1, Math.min(Math.floor(inTime(events, elapsed)), 2 * last, most));
}

/** How many events from one look at the clock to the next. */
export const untilLook = (events: number, elapsed: number): number =>
  Math.max(1, Math.floor(Math.min(inTime(events, elapsed) / kLooks, kMostUntilLook)));
const kMostUntilLook = 65_536; // more than any ring has

/** At a look, `elapsed` milliseconds after the last time. */
export const isDue = (waiting: number, batch: number, elapsed: number): boolean =>
  waiting >= batch || elapsed >= kTakeEvery;

const inTime = (events: number, elapsed: number): number => (events / Math.max(elapsed, 1e-3)) * kTakeEvery;
