// In every document of a recorded context, before its own scripts: modules have their recorders, and the test reaches them.
//
//   page.1  A test may ask at once for what the page has just done. So it waits for the source maps that are being read, kPatience at most.

import { fetchText, sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';
import { eachRecorder, recorders } from '../../web/src/instrument/installed.ts';
import { bytesOfWords } from '../../web/src/record/source.ts';
import { kEventWords } from '../../web/src/trace/trace.ts';
import { kRecordedPage, kTakeEvents, type RecordedPage, type Recording } from './page_names.ts';

const kPart = 3 * 64 * 1024 * kEventWords; // words of one message
const kSpread = 32 * 1024; // arguments of one call
const kSendEvery = 50; // milliseconds

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

const document = performance.timeOrigin;
const counts: number[] = [];

/** page.2. The page may be on its way out: then nobody answers. */
function send(module: number, records: Uint32Array): void {
  const { [kTakeEvents]: take } = globalThis as unknown as Recording;
  for (let at = 0; at < records.length; at += kPart) {
    const part = records.subarray(at, at + kPart);
    take({ document, module, records: base64Of(bytesOfWords(part)) }).catch(() => {});
  }
  counts[module] = (counts[module] ?? 0) + records.length / kEventWords;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += kSpread) text += String.fromCharCode(...bytes.subarray(at, at + kSpread));
  return btoa(text);
}

function drainAll(): void {
  for (const recorder of recorders) recorder.drain();
}

eachRecorder((recorder) => {
  const module = counts.push(0) - 1;
  recorder.subscribe(({ records }) => send(module, records), { past: true });
});
setInterval(drainAll, kSendEvery);

const recorded: RecordedPage = {
  async sent() {
    await mapsAreRead();
    drainAll();
    return { document, counts };
  },
  mark(text) {
    for (const recorder of recorders) recorder.mark(text);
    drainAll(); // page.2: a test goes on from here
  },
};

handleWatch().resolveBy(sourcePlaces(readText));

Object.defineProperty(globalThis, kRecordedPage, { value: recorded });
