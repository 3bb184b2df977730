// Threads for a row: workers that stay from row to row, each on a fresh instance every time.
//
//   host                      worker
//   start(thread, place) ──▶  instance on the row's memory
//                        ◀──  ready, and it waits at the gate
//   gate opens: all begin within microseconds, not when their messages arrive
//                        ◀──  done, or failed with what happened: then all workers of the row are ended, as the others
//                             may wait for the one that failed for ever

import type { ThreadPlace } from './instance.ts';

export interface ThreadStart {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly origin: number; // of everyone's clock
  readonly gate: Int32Array; // [0]: 0 until all are ready
  readonly thread: number; // 1 ..
  readonly place: ThreadPlace;
}

export type ThreadAnswer = 'ready' | 'done' | { readonly failed: string };

/** A worker that runs thread.ts, in a page or in Node. */
export interface ThreadPort {
  start(start: ThreadStart): void;
  /** The one listener; an error of the worker itself is a failed answer. */
  listen(listener: (answer: ThreadAnswer) => void): void;
  end(): void;
}

export class Threads {
  readonly #makePort: () => ThreadPort;
  readonly #resting: ThreadPort[] = [];

  constructor(makePort: () => ThreadPort) {
    this.#makePort = makePort;
  }

  /** Runs one thread for each place at the same time; resolves when all are done, rejects with the first failure. */
  async run(row: Omit<ThreadStart, 'gate' | 'thread' | 'place'>, places: readonly ThreadPlace[]): Promise<void> {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const ports = places.map(() => this.#resting.pop() ?? this.#makePort());
    let ready = 0;
    const finished = ports.map(
      (port, index) =>
        new Promise<void>((done, fail) => {
          port.listen((answer) => {
            if (answer === 'done') done();
            else if (answer !== 'ready') fail(new Error(`thread ${index + 1}: ${answer.failed}`));
            else if (++ready === ports.length) openGate(gate);
          });
        }),
    );
    for (const [index, place] of places.entries()) ports[index]?.start({ ...row, gate, thread: index + 1, place });
    try {
      await Promise.all(finished);
    } catch (failure) {
      for (const port of ports) port.end();
      throw failure;
    }
    this.#resting.push(...ports);
  }

  /** Ends all workers. pre: no row runs */
  dispose(): void {
    for (const port of this.#resting.splice(0)) port.end();
  }
}

function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
