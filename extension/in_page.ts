// Injected by the panel into each frame of a page that it reloads, before the page's own scripts.

import { prepareWorkers } from '../web/src/instrument/recorded_workers.ts';
import { workerThreads } from '../web/src/instrument/worker_threads.ts';
import { type FromPage, kBegin, kBridge } from './messages.ts';
import { startRecording } from './recording.ts';

/** The script in_worker.ts, which the panel puts before this one. */
declare const kHeapglassWorker: string;

const { port1, port2 } = new MessageChannel();
const threads = workerThreads(() => undefined); // it is nobody's thread
let modules = 0;

const problem = startRecording({
  port: port1,
  followsThreads: () => followsThreads(),
  title: () => `${document.title || location.pathname}, module ${++modules}`,
  sharedMemory: threads.sharedMemory,
});
document.addEventListener(kBridge, () => window.postMessage(kBegin, '*', [port2]), { once: true });
const followsThreads = prepareWorkers({
  script: kHeapglassWorker,
  memory: threads.ownMemory,
  problem,
  connect: (port) => port1.postMessage({ is: 'worker' } satisfies FromPage, [port]),
});
