// In every document of a recorded context, before its own scripts: modules have their recorders, and the test reaches them.
//
//   page.1  A test may ask at once for what the page has just done. So it waits for the source maps that are being read, kPatience at most.

import { fetchText, sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';
import { recorders } from '../../web/src/instrument/installed.ts';
import { kRecordedPage, type RecordedPage } from './page_names.ts';

const kPart = 3 * 1024 * 1024; // bytes: messages to the test are texts, and base64 has four characters for three bytes
const kSpread = 32 * 1024; // arguments of one call

let open: { readonly nth: number; readonly bytes: Uint8Array } | undefined;

const kPatience = 2000; // milliseconds
const reading = new Set<Promise<unknown>>();

function readText(place: string): Promise<string | undefined> {
  const text = fetchText(place);
  reading.add(text);
  void text.finally(() => reading.delete(text));
  return text;
}

/** page.1. Behind a script comes its map, and behind that what is written. */
async function mapsAreRead(): Promise<void> {
  const end = performance.now() + kPatience;
  while (reading.size > 0 && performance.now() < end) {
    const late = new Promise((resolve) => setTimeout(resolve, end - performance.now()));
    await Promise.race([late, Promise.all(reading)]);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const recorded: RecordedPage = {
  async counts() {
    await mapsAreRead();
    for (const recorder of recorders) recorder.drain();
    return recorders.map(({ count }) => count);
  },
  mark(text) {
    for (const recorder of recorders) recorder.mark(text);
  },
  part(nth, from) {
    if (from === 0 || open?.nth !== nth) open = { nth, bytes: recorders[nth]?.trace() ?? new Uint8Array() };
    const piece = open.bytes.subarray(from, from + kPart);
    if (from + kPart >= open.bytes.length) open = undefined;
    let text = '';
    for (let at = 0; at < piece.length; at += kSpread) text += String.fromCharCode(...piece.subarray(at, at + kSpread));
    return btoa(text);
  },
};

handleWatch().resolveBy(sourcePlaces(readText));

Object.defineProperty(globalThis, kRecordedPage, { value: recorded });
