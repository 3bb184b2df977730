// Starts the engine of <hg-heap-map>: it looks at traces, and answers for the map alone.

import script from '../engine/map_worker.ts?worker&url';
import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';
import { startWorker } from './start_worker.ts';

/** `workerUrl`: where the worker's script is served, for pages whose content policy forbids workers from blob: addresses. */
export function startMap(listeners: EngineListeners, workerUrl = ''): EngineClient {
  return createEngineClient(startWorker(workerUrl === '' ? script : workerUrl), listeners);
}
