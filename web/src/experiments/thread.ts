// One thread of an experiment: a worker's script, for pages and for Node. See threads.ts.

import { Instance } from './instance.ts';
import type { ThreadAnswer, ThreadStart } from './threads.ts';

/** The other end, which a page's worker and Node's name differently. */
interface Wire {
  postMessage(answer: ThreadAnswer): void;
  listen(listener: (start: ThreadStart) => void): void;
}

function run({ module, memory, origin, gate, thread, place }: ThreadStart, wire: Wire): void {
  try {
    const instance = Instance.another(module, memory, origin, place);
    wire.postMessage('ready');
    Atomics.wait(gate, 0, 0);
    instance.thread(thread);
    wire.postMessage('done');
  } catch (cause) {
    wire.postMessage({ failed: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) });
  }
}

const wire = wireOf(globalThis);
wire.listen((start) => run(start, wire));

interface NodePort {
  postMessage(answer: ThreadAnswer): void;
  on(type: 'message', listener: (start: ThreadStart) => void): void;
}
interface PagePort {
  postMessage(answer: ThreadAnswer): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ThreadStart }) => void): void;
}

function wireOf(scope: unknown): Wire {
  // Not import('node:worker_threads'): bundlers for the web would fail on it.
  const node = (scope as { readonly process?: { getBuiltinModule?(name: string): { readonly parentPort: NodePort } } })
    .process;
  const port = node?.getBuiltinModule?.('node:worker_threads').parentPort;
  if (port !== undefined) {
    return { postMessage: (answer) => port.postMessage(answer), listen: (listener) => port.on('message', listener) };
  }
  const page = scope as PagePort;
  return {
    postMessage: (answer) => page.postMessage(answer),
    listen: (listener) => page.addEventListener('message', (event) => listener(event.data)),
  };
}
