// Frames of handles get their places before the bundler, by the source maps that the page's server has.
//
//   page.1  A test may ask at once for what the page has just done. So it waits for the source maps that are being read, but not for longer than it is given.

import { fetchText, sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';

const reading = new Set<Promise<unknown>>();

function readText(place: string): Promise<string | undefined> {
  const text = fetchText(place);
  reading.add(text);
  void text.finally(() => reading.delete(text));
  return text;
}

export const readSourceMaps = (): void => handleWatch().resolveBy(sourcePlaces(readText));

/** page.1. Behind a script comes its map, and behind that what is written. patience: milliseconds. */
export async function mapsAreRead(patience: number): Promise<void> {
  const end = performance.now() + patience;
  while (reading.size > 0 && performance.now() < end) {
    const late = new Promise((resolve) => setTimeout(resolve, end - performance.now()));
    await Promise.race([late, Promise.all(reading)]);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
