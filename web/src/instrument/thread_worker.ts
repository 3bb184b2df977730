// Loaded in a worker of a page before the worker's own script (page_threads.ts): modules with threads find their recorder here too.
//
//   tw.1  The memory comes as the first message, and the program never sees it.
//   tw.2  Nothing is taken here: what this thread writes waits in the shared memory for the page, and stays when the worker ends.

import { install } from './loader.ts';
import { kMemoryMessage } from './recorder_names.ts';

let memory: WebAssembly.Memory | undefined;

addEventListener('message', (event: MessageEvent<unknown>) => {
  const { data } = event;
  if (memory !== undefined || typeof data !== 'object' || data === null || !(kMemoryMessage in data)) return;
  memory = data[kMemoryMessage] as WebAssembly.Memory;
  event.stopImmediatePropagation();
});

install({
  isThread: () => true,
  sharedMemory() {
    if (memory !== undefined) return memory;
    throw new Error(
      'heapglass: this worker was made before recordThreads() was called; call it before the program is loaded',
    );
  },
});
