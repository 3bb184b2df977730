// Threads of experiments in Node, and the bundles that Node runs: web/src/experiments as it ships, made by Vite.

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts = join(root, 'build/experiments/scripts'); // three below the root, as web/src/experiments is: it names build/wasm

/** Bundles web/src/experiments/<entry>.ts for Node; the script's address. Several processes may do so at once. */
export async function bundleForNode(entry) {
  const own = join(root, `build/experiments/${entry}-${process.pid}-${performance.now()}`);
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      ssr: join(root, `web/src/experiments/${entry}.ts`),
      outDir: own,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: `${entry}.mjs` } },
    },
  });
  mkdirSync(scripts, { recursive: true });
  renameSync(join(own, `${entry}.mjs`), join(scripts, `${entry}.mjs`)); // whole, or not there
  rmSync(own, { recursive: true });
  return pathToFileURL(join(scripts, `${entry}.mjs`));
}

/** A maker of ports (web/src/experiments/threads.ts) on workers that run `script`. */
export const nodePorts = (script) => () => {
  const worker = new Worker(script);
  let onAnswer = () => {};
  worker.on('message', (answer) => {
    if (answer !== 'ready') worker.unref(); // a worker at rest does not keep the process
    onAnswer(answer);
  });
  worker.on('error', (error) => onAnswer({ failed: error.stack ?? error.message }));
  return {
    start: (start) => {
      worker.ref();
      worker.postMessage(start);
    },
    listen: (listener) => {
      onAnswer = listener;
    },
    end: () => void worker.terminate(),
  };
};
