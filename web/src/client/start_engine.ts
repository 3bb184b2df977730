// Starts the engine of the page: traces, scenarios, programs, calls by hand.
//
// Apart from engine_client.ts, as start_viewer.ts is: a bundler takes every worker into the bundle whose literal address it reads.

import script from '../engine/worker.ts?worker&url';
import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';
import { startWorker } from './start_worker.ts';

/** `workerUrl`: where another script for the worker is served; '': this page's own. */
export function startEngine(listeners: EngineListeners, workerUrl = ''): EngineClient {
  return createEngineClient(startWorker(workerUrl === '' ? script : workerUrl), listeners);
}
