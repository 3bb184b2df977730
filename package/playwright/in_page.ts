// In every document of a recorded context, before its own scripts: modules have their recorders, and the test reaches them.

import { fetchText, sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';
import { recorders } from '../../web/src/instrument/installed.ts';
import { kRecordedPage, type RecordedPage } from './page_names.ts';

const kPart = 3 * 1024 * 1024; // bytes: messages to the test are texts, and base64 has four characters for three bytes
const kSpread = 32 * 1024; // arguments of one call

let open: { readonly nth: number; readonly bytes: Uint8Array } | undefined;

const recorded: RecordedPage = {
  counts() {
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

handleWatch().resolveBy(sourcePlaces(fetchText));

Object.defineProperty(globalThis, kRecordedPage, { value: recorded });
