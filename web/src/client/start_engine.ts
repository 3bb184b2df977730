// Starts the engine of the page: traces, scenarios, programs, calls by hand.
//
// Apart from engine_client.ts, as start_viewer.ts is: a bundler takes every worker into the bundle whose literal address it reads.

import { createEngineClient, type EngineClient, type EngineListeners } from './engine_client.ts';

export function startEngine(listeners: EngineListeners): EngineClient {
  const worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' });
  return createEngineClient(worker, listeners);
}
