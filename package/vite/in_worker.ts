// In development, in a worker before its own script (web/src/instrument/recorded_workers.ts): its modules are recorded by way of the dev server, and
// the page can attach to them. Workers that it makes get the same.

import { drainAtPace, followThreads } from '../../web/src/instrument/installed.ts';
import { prepareWorkers, toPage } from '../../web/src/instrument/recorded_workers.ts';
import { workerThreads } from '../../web/src/instrument/worker_threads.ts';
import { answerPage } from './answer_page.ts';
import { recordModulesBy } from './recorded_here.ts';

/** This script, and the address to which modules are sent. */
declare const kHeapglassScript: string;
declare const kHeapglassServer: string;

const threads = workerThreads(toPage().memory);
followThreads(threads);
const followsThreads = prepareWorkers({
  script: kHeapglassScript,
  memory: threads.ownMemory,
  problem: (text) => console.warn(`heapglass: ${text}`),
  connect() {}, // the page finds it by its channel
});
recordModulesBy(kHeapglassServer, followsThreads);
answerPage();
drainAtPace();
