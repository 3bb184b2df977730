// In every document of a recorded context, before its own scripts: modules have their recorders, and the test reaches them.

import { type CompiledModule, replaceCompilers } from '../../web/src/instrument/compilers.ts';
import { eachRecorder, followThreads, recorders } from '../../web/src/instrument/installed.ts';
import { prepareWorkers } from '../../web/src/instrument/recorded_workers.ts';
import { workerThreads } from '../../web/src/instrument/worker_threads.ts';
import { bytesOfWords } from '../../web/src/record/source.ts';
import { kEventWords } from '../../web/src/trace/trace.ts';
import { base64Of, bytesOf } from './base64.ts';
import {
  kEmptyPath,
  kRecordedPage,
  kRecordModule,
  kTakeEvents,
  type RecordedPage,
  type Recording,
} from './page_names.ts';
import { pageWorkers } from './page_workers.ts';
import { answeredAt, compiledOf, recordedAtOnce } from './recorded_at_once.ts';
import { mapsAreRead, readSourceMaps } from './source_maps.ts';

const kPart = 3 * 64 * 1024 * kEventWords; // words of one message
const kSendEvery = 50; // milliseconds
const kMapPatience = 2000; // milliseconds

/** The script in_worker.ts, which the test puts before this one. */
declare const kHeapglassWorker: string;

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

async function recordedModule(module: CompiledModule): Promise<CompiledModule['bytes']> {
  const { [kRecordModule]: record } = globalThis as unknown as Recording;
  const made = await record(compiledOf(module)).catch(() => undefined); // page.2
  return made === undefined ? module.bytes : bytesOf(made);
}

function drainAll(): void {
  for (const recorder of recorders) recorder.drain();
}

const begin = (): number => counts.push(0) - 1;
eachRecorder((recorder) => {
  const module = begin();
  recorder.subscribe(({ records }) => send(module, records), { past: true });
});
setInterval(drainAll, kSendEvery);

const problems: string[] = [];
const problem = (text: string) => {
  problems.push(text);
};
const workers = pageWorkers({ recorded: recordedModule, begin, send, problem });
const threads = workerThreads(() => undefined); // it is nobody's thread
followThreads(threads);
const followsThreads = prepareWorkers({
  script: kHeapglassWorker,
  empty: answeredAt(kEmptyPath),
  memory: threads.ownMemory,
  problem,
  connect: workers.connect,
});
replaceCompilers({ recorded: recordedModule, recordedAtOnce, problem, followsThreads });

const recorded: RecordedPage = {
  async sent() {
    await mapsAreRead(kMapPatience);
    drainAll();
    await workers.ask();
    return { document, counts, problems };
  },
  async mark(text) {
    for (const recorder of recorders) recorder.mark(text);
    drainAll(); // page.2: a test goes on from here
    await workers.ask(text);
  },
};

readSourceMaps();

Object.defineProperty(globalThis, kRecordedPage, { value: recorded });
