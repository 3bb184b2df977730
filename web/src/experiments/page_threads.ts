// Threads where there is a page: module workers, which share memory only when the page is cross-origin isolated.

import { type ThreadAnswer, type ThreadPort, Threads } from './threads.ts';

export const kNoThreads =
  'Threads share memory only on a page served with the headers "Cross-Origin-Opener-Policy: same-origin" and ' +
  '"Cross-Origin-Embedder-Policy: require-corp"; this one is not, so rows with threads are left out.';

/** undefined where memory cannot be shared. */
export function pageThreads(): Threads | undefined {
  const { crossOriginIsolated } = globalThis as { readonly crossOriginIsolated?: boolean };
  if (crossOriginIsolated !== true || typeof SharedArrayBuffer === 'undefined') return undefined;
  return new Threads(makePort);
}

function makePort(): ThreadPort {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' });
  let onAnswer = (_answer: ThreadAnswer): void => {};
  worker.addEventListener('message', (event: MessageEvent<ThreadAnswer>) => onAnswer(event.data));
  worker.addEventListener('error', (event) =>
    onAnswer({ failed: event.message || "a thread's script could not be loaded" }),
  );
  return {
    start: (start) => worker.postMessage(start),
    listen: (listener) => {
      onAnswer = listener;
    },
    end: () => worker.terminate(),
  };
}
