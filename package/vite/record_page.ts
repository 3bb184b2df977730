// In every page in development: modules are recorded by way of the dev server, those of its workers, too.

import { drainAtPace, followThreads } from '../../web/src/instrument/installed.ts';
import { prepareWorkers } from '../../web/src/instrument/recorded_workers.ts';
import { workerThreads } from '../../web/src/instrument/worker_threads.ts';
import { recordModulesBy } from './recorded_here.ts';

/** `address`: where the server takes modules. `inWorker`: the script in_worker.ts. */
export function recordPage(address: string, inWorker: string): void {
  const server = JSON.stringify(new URL(address, location.href).href);
  const threads = workerThreads(() => undefined); // it is nobody's thread
  followThreads(threads);
  const followsThreads = prepareWorkers({
    script: `const kHeapglassServer = ${server};\n${inWorker}`,
    memory: threads.ownMemory,
    problem: (text) => console.warn(`heapglass: ${text}`),
    connect() {}, // it is found by its channel
  });
  recordModulesBy(address, followsThreads);
  drainAtPace();
}
