// The page's end of the wire to the worker of experiments, which starts with the first request.
//
//   page ── run | stop ──▶ worker         C1  at most one experiment runs; a newer run ends the one before after its row
//   page ◀── report ...  ── worker        C2  the last note of a run is a report with finished, or failed

import script from '../experiments/worker.ts?worker&url';
import type { ExperimentNote, ExperimentRequest } from '../protocol/experiments.ts';
import { startWorker } from './start_worker.ts';

/** What the client needs of a Worker. */
export interface ExperimentPort {
  postMessage(message: ExperimentRequest): void;
  addEventListener(type: 'message' | 'error', listener: (event: Event) => void): void;
  terminate(): void;
}

export interface ExperimentClient {
  run(request: Omit<Extract<ExperimentRequest, { type: 'run' }>, 'type'>): void;
  /** The experiment ends after the row it is at. */
  stop(): void;
  /** Ends the worker at once; nothing is told after. */
  dispose(): void;
}

const startExperiments = (): ExperimentPort => startWorker(script);

export function createExperimentClient(
  note: (note: ExperimentNote) => void,
  start: () => ExperimentPort = startExperiments,
): ExperimentClient {
  let port: ExperimentPort | undefined;
  let last: Extract<ExperimentRequest, { type: 'run' }> | undefined;

  function open(): ExperimentPort {
    const opened = start();
    opened.addEventListener('message', (event) => {
      if (port === opened && event instanceof MessageEvent) note(event.data as ExperimentNote);
    });
    opened.addEventListener('error', (event) => {
      if (port !== opened) return;
      close();
      const detail = 'message' in event && typeof event.message === 'string' ? event.message : '';
      const why = detail === '' ? 'its script could not be loaded' : detail;
      if (last !== undefined) note({ type: 'failed', id: last.id, message: `the experiments stopped: ${why}` });
    });
    return opened;
  }

  function close(): void {
    port?.terminate();
    port = undefined;
  }

  return {
    run(request) {
      port ??= open();
      last = { type: 'run', ...request };
      port.postMessage(last);
    },
    stop() {
      port?.postMessage({ type: 'stop' });
    },
    dispose: close,
  };
}
