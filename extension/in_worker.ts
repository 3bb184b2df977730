// In a worker of a recorded page, before the worker's own script (web/src/instrument/recorded_workers.ts).

import { prepareWorkers, toPage } from '../web/src/instrument/recorded_workers.ts';
import { workerThreads } from '../web/src/instrument/worker_threads.ts';
import type { FromPage } from './messages.ts';
import { startRecording } from './recording.ts';

/** The address of the worker's own script. */
declare const kHeapglassOwn: string;
/** This script. */
declare const kHeapglassScript: string;

const page = toPage();
let modules = 0;

const threads = workerThreads(page.memory);
const problem = startRecording({
  port: page.port,
  isThread: threads.isThread,
  sharedMemory: threads.sharedMemory,
  title: () => `worker ${self.name || kHeapglassOwn.split('/').pop()}, module ${++modules}`,
  followsThreads: () => followsThreads(),
});
const followsThreads = prepareWorkers({
  script: kHeapglassScript,
  memory: threads.ownMemory,
  problem,
  connect: (port) => page.port.postMessage({ is: 'worker' } satisfies FromPage, [port]),
});
