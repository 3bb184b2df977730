// In a worker of a recorded page, before the worker's own script (web/src/instrument/recorded_workers.ts).

import { toPage } from '../web/src/instrument/recorded_workers.ts';
import { makeSharedMemory } from '../web/src/instrument/shared_layout.ts';
import { startRecording } from './recording.ts';

/** The address of the worker's own script. */
declare const kHeapglassOwn: string;

const page = toPage();
let modules = 0;

startRecording({
  port: page.port,
  takes: false,
  title: () => `worker ${self.name || kHeapglassOwn.split('/').pop()}, module ${++modules}`,
  sharedMemory: () => page.memory() ?? makeSharedMemory(),
});
