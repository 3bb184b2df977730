// Starts the engine of the page: traces, scenarios, programs, calls by hand.
//
// Apart from engine_client.ts, as start_viewer.ts is: a bundler takes every worker into the bundle whose literal address it reads.

import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';

/** `workerUrl`: where another script for the worker is served; '': this page's own. */
export function startEngine(listeners: EngineListeners, workerUrl = ''): EngineClient {
  const worker =
    workerUrl === ''
      ? new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL(workerUrl, document.baseURI), { type: 'module' });
  return createEngineClient(worker, listeners);
}
