// Starts the engine of <hg-heap-map>: it looks at traces, and answers for the map alone.

import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';

/** `workerUrl`: where the worker's script is served, for pages whose content policy forbids workers from blob: addresses. */
export function startMap(listeners: EngineListeners, workerUrl = ''): EngineClient {
  const worker =
    workerUrl === ''
      ? new Worker(new URL('../engine/map_worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL(workerUrl, document.baseURI), { type: 'module' });
  return createEngineClient(worker, listeners);
}
