// Starts the engine of <hg-glass>: the one that looks at traces and runs nothing.

import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';

/** `workerUrl`: where the worker's script is served, for pages whose content policy forbids workers from blob: addresses. */
export function startViewer(listeners: EngineListeners, workerUrl = ''): EngineClient {
  const worker =
    workerUrl === ''
      ? new Worker(new URL('../engine/viewer_worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL(workerUrl, document.baseURI), { type: 'module' });
  return createEngineClient(worker, listeners);
}
