// Goes on with the snapshot in a file, in a worker or another process (snapshot.test.ts), and answers with what its calls gave.

import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { furtherCalls } from './further_calls.ts';

const { path, wasm, blocks } = (workerData ?? JSON.parse(process.argv[2] ?? '')) as {
  readonly path: string;
  readonly wasm: string;
  readonly blocks: number[];
};
const heap = await createHeap({ from: readFileSync(path), wasm });
const answer = JSON.stringify(furtherCalls(heap, blocks));
if (parentPort === null) console.log(answer);
else parentPort.postMessage(answer);
