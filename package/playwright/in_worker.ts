// In a worker of a recorded page, before the worker's own script (web/src/instrument/recorded_workers.ts): its modules are instrumented by way of
// the page, and their events go there.
//
//   Of a module with threads the page takes the events of all of them.

import { type CompiledModule, replaceCompilers } from '../../web/src/instrument/compilers.ts';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { toPage } from '../../web/src/instrument/recorded_workers.ts';
import { makeSharedMemory } from '../../web/src/instrument/shared_layout.ts';
import { recordedAtOnce } from './recorded_at_once.ts';
import { mapsAreRead, readSourceMaps } from './source_maps.ts';
import type { FromWorker, ToWorker } from './worker_names.ts';

const kDrainEvery = 50; // milliseconds
const kMapPatience = 800; // milliseconds: the page waits for a second (page.3)

const { port, memory } = toPage();
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

replaceCompilers({ recorded, recordedAtOnce, problem() {} });
install({
  takes: false,
  sharedMemory: () => memory() ?? makeSharedMemory(),
  followsHandles: false,
  onRecorder(recorder, shared) {
    if (shared !== undefined) return;
    const module = recorders.push(recorder) - 1;
    recorder.subscribe(({ records }) => say({ is: 'events', module, records }), { past: true });
  },
});
readSourceMaps();
setInterval(drainAll, kDrainEvery);
