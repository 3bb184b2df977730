// In a worker of a recorded page, before the worker's own script (workers.ts).

import { makeSharedMemory } from '../web/src/instrument/shared_layout.ts';
import { startRecording } from './recording.ts';
import { kWorkerMessage, type WorkerMessage } from './workers.ts';

/** The address of the worker's own script. */
declare const kHeapglassOwn: string;

const { port1, port2 } = new MessageChannel();
let memory: WebAssembly.Memory | undefined;
let modules = 0;

addEventListener('message', function first(event: MessageEvent<unknown>) {
  const { data } = event;
  if (typeof data !== 'object' || data === null || !(kWorkerMessage in data)) return;
  event.stopImmediatePropagation();
  removeEventListener('message', first);
  const given = (data as WorkerMessage)[kWorkerMessage];
  memory = given.memory;
  relay(given.port);
});

startRecording({
  port: port1,
  takes: false,
  title: () => `worker ${self.name || kHeapglassOwn.split('/').pop()}, module ${++modules}`,
  sharedMemory: () => memory ?? makeSharedMemory(),
});

/** The bridge's port comes with the first message, and modules may be compiled before it. */
function relay(port: MessagePort): void {
  port.onmessage = ({ data }) => port2.postMessage(data);
  port2.onmessage = ({ data }) => port.postMessage(data);
}
