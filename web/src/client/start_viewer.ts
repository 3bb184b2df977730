// Starts the engine of <hg-glass>: the one that looks at traces and runs nothing.

import script from '../engine/viewer_worker.ts?worker&url';
import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';
import { startWorker } from './start_worker.ts';

/** `workerUrl`: where the worker's script is served, for pages whose content policy forbids workers from blob: addresses. */
export function startViewer(listeners: EngineListeners, workerUrl = ''): EngineClient {
  return createEngineClient(startWorker(workerUrl === '' ? script : workerUrl), listeners);
}
