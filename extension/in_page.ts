// Injected by the panel into each frame of a page that it reloads, before the page's own scripts.

import { makeSharedMemory } from '../web/src/instrument/shared_layout.ts';
import { type FromPage, kBegin, kBridge } from './messages.ts';
import { startRecording } from './recording.ts';
import { prepareWorkers } from './workers.ts';

const { port1, port2 } = new MessageChannel();
const memory = globalThis.crossOriginIsolated ? makeSharedMemory() : undefined;
let modules = 0;

const problem = startRecording({
  port: port1,
  title: () => `${document.title || location.pathname}, module ${++modules}`,
  ...(memory === undefined ? {} : { sharedMemory: () => memory }),
});
document.addEventListener(kBridge, () => window.postMessage(kBegin, '*', [port2]), { once: true });
prepareWorkers({
  memory,
  problem,
  connect: (port) => port1.postMessage({ is: 'worker' } satisfies FromPage, [port]),
});
