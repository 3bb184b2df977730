// In a worker of a recorded page, before the worker's own script (web/src/instrument/recorded_workers.ts): its modules are instrumented by way of
// the page, and their events go there. Workers that it makes have a port to the page, too.
//
//   Of a module with threads the realm that has loaded it takes the events of all of them (web/src/instrument/worker_threads.ts).

import { type CompiledModule, replaceCompilers } from '../../web/src/instrument/compilers.ts';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { prepareWorkers, toPage } from '../../web/src/instrument/recorded_workers.ts';
import { workerThreads } from '../../web/src/instrument/worker_threads.ts';
import { recordedAtOnce } from './recorded_at_once.ts';
import { mapsAreRead, readSourceMaps } from './source_maps.ts';
import type { FromWorker, ToWorker } from './worker_names.ts';

const kDrainEvery = 50; // milliseconds
const kMapPatience = 800; // milliseconds: the page waits for a second (page.3)

/** This script. */
declare const kHeapglassScript: string;

const { port, memory } = toPage();
const threads = workerThreads(memory);
const recorders: InstrumentedRecorder[] = [];
const waiting = new Map<number, (bytes: CompiledModule['bytes']) => void>();
let asked = 0;
const say = (message: FromWorker) => port.postMessage(message);

function recorded(module: CompiledModule): Promise<CompiledModule['bytes']> {
  const number = ++asked;
  say({ is: 'compile', number, module });
  return new Promise((resolve) => waiting.set(number, resolve));
}

function drainAll(): void {
  for (const recorder of recorders) recorder.drain();
}

port.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.is === 'compiled') {
    waiting.get(data.number)?.(data.bytes);
    waiting.delete(data.number);
    return;
  }
  if (data.mark === undefined) await mapsAreRead(kMapPatience);
  else for (const recorder of recorders) recorder.mark(data.mark);
  drainAll();
  say({ is: 'done', number: data.number });
};

const problem = (text: string) => say({ is: 'problem', text });
const followsThreads = prepareWorkers({
  script: kHeapglassScript,
  memory: threads.ownMemory,
  problem,
  connect: (other) => port.postMessage({ is: 'worker' } satisfies FromWorker, [other]),
});
replaceCompilers({ recorded, recordedAtOnce, problem, followsThreads });
install({
  isThread: threads.isThread,
  sharedMemory: threads.sharedMemory,
  onRecorder(recorder, shared) {
    if (shared !== undefined && threads.isThread()) return;
    const module = recorders.push(recorder) - 1;
    recorder.subscribe(({ records }) => say({ is: 'events', module, records }), { past: true });
  },
});
readSourceMaps();
setInterval(drainAll, kDrainEvery);
