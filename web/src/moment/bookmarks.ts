// Bookmarks: events that the visitor wants to come back to. They are a part of the moment, so a link carries them along.
//
//   bookmark.1  Ascending, each event once, at most kMostBookmarks.
//   bookmark.2  From one to the next goes over the chapters too: both are places where somebody said "here".

export const kMostBookmarks = 64;

/** As an address has them: 60,300. What is no event is left out. */
export const readBookmarks = (text: string): readonly number[] =>
  sorted(
    text
      .split(',')
      .filter((part) => /^\d{1,15}$/.test(part))
      .map(Number),
  );

/** With the event, or without it when it was there. */
export function toggled(bookmarks: readonly number[], event: number): readonly number[] {
  return bookmarks.includes(event) ? bookmarks.filter((each) => each !== event) : sorted([...bookmarks, event]);
}

/** The next place behind the cursor, or before it; undefined: there is none. */
export function nextPlace(places: Iterable<number>, cursor: number, by: 1 | -1): number | undefined {
  const isForward = by > 0;
  let best: number | undefined;
  for (const place of places) {
    if (isForward ? place <= cursor : place >= cursor) continue;
    if (best === undefined || (isForward ? place < best : place > best)) best = place;
  }
  return best;
}

const sorted = (events: readonly number[]): readonly number[] =>
  [...new Set(events)].sort((one, two) => one - two).slice(0, kMostBookmarks);
