// In every document of a recorded context, before its own scripts: modules have their recorders, and the test reaches them.
//
//   page.1  A test may ask at once for what the page has just done. So it waits for the source maps that are being read, kPatience at most.

import { fetchText, sourcePlaces } from '../../web/src/handles/source_places.ts';
import { handleWatch } from '../../web/src/handles/watch.ts';
import { type CompiledModule, replaceCompilers } from '../../web/src/instrument/compilers.ts';
import { eachRecorder, recorders } from '../../web/src/instrument/installed.ts';
import { bytesOfWords } from '../../web/src/record/source.ts';
import { kEventWords } from '../../web/src/trace/trace.ts';
import {
  type Compiled,
  kNoServer,
  kRecordedPage,
  kRecordModule,
  kRecordPath,
  kTakeEvents,
  type RecordedPage,
  type Recording,
} from './page_names.ts';

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

const bytesOf = (text: string): CompiledModule['bytes'] =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const compiledOf = ({ bytes, address, scripts }: CompiledModule): Compiled => ({
  bytes: base64Of(bytes),
  scripts,
  ...(address === undefined ? {} : { address }),
});

async function recordedModule(module: CompiledModule): Promise<CompiledModule['bytes']> {
  const { [kRecordModule]: record } = globalThis as unknown as Recording;
  const made = await record(compiledOf(module)).catch(() => undefined); // page.2
  return made === undefined ? module.bytes : bytesOf(made);
}

/** A page whose policy forbids the request has its module as it is. */
function recordedAtOnce(module: CompiledModule): CompiledModule['bytes'] {
  const request = new XMLHttpRequest();
  try {
    request.open('POST', new URL(kRecordPath, /^https?:/.test(location.origin) ? location.origin : kNoServer), false);
    request.send(JSON.stringify(compiledOf(module)));
  } catch {
    return module.bytes;
  }
  return request.status === 200 ? bytesOf(request.responseText) : module.bytes;
}

function drainAll(): void {
  for (const recorder of recorders) recorder.drain();
}

replaceCompilers({ recorded: recordedModule, recordedAtOnce, problem() {} });
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
