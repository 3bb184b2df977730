// How many events a recorder lets wait before it takes them: as many as came in a twentieth of a second before. So a program that is killed
// has lost little, whatever its pace, and one that writes much is not interrupted more often than twenty times a second.
//
//   first event │ 2 more │ 4 more │ ...      one that begins, or has been slow, takes them more often: half of its events are always taken

export const kFirstBatch = 1; // events until they are taken for the first time
const kTakeEvery = 50; // milliseconds

/**
 * The next one, after `events` were taken that came within `elapsed` milliseconds. No more than twice the last batch: a program may slow
 * down. `most`: what there is space for.
 */
export function nextBatch(events: number, elapsed: number, last: number, most: number): number {
  const perMs = events / Math.max(elapsed, 1e-3);
  return Math.max(1, Math.min(Math.floor(perMs * kTakeEvery), 2 * last, most));
}
