// The page's worker of experiments: one runs at a time; a new one ends the one before. See client/experiment_client.ts.
//
//   K1  A report goes out after every row, and one with `finished` at the end or where it was stopped.
//   K2  Between two rows messages are read, so that a stop is received; a row itself is not interrupted.

import type { ExperimentNote, ExperimentRequest } from '../protocol/experiments.ts';
import { measure } from './measure.ts';
import { kNoThreads, pageThreads } from './page_threads.ts';

declare const self: DedicatedWorkerGlobalScope;

const threads = pageThreads();
const post = (note: ExperimentNote): void => self.postMessage(note);
let wanted = 0; // number of the newest request
let running: Promise<void> = Promise.resolve();

/** A turn of the event loop. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(undefined);
  });
}

async function run(request: Extract<ExperimentRequest, { type: 'run' }>, number: number): Promise<void> {
  const { id, rounds, divisor } = request;
  try {
    const measured = await measure(id, {
      rounds,
      divisor,
      threads,
      noThreads: kNoThreads,
      after: async (now) => {
        post({ type: 'report', ...now, finished: false });
        await turn();
        return number !== wanted;
      },
    });
    post({ type: 'report', ...measured, finished: true });
  } catch (cause) {
    post({ type: 'failed', id, message: cause instanceof Error ? cause.message : String(cause) });
  }
}

self.onmessage = ({ data: request }: MessageEvent<ExperimentRequest>) => {
  const number = ++wanted;
  if (request.type === 'run') running = running.then(() => (number === wanted ? run(request, number) : undefined));
};
