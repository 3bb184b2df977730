// A plugin for Vite: the built page asks for its engine's script at once, beside its own. A worker's script is asked for by the script
// that starts the worker, so that the two would come one after the other.
//
//   index.html ──▶ index.js ──▶ new Worker(engine_worker.js)
//             └──▶ engine_worker.js                              by this link
//
// The page also has the addresses of the program that its first view runs: it asks for them by itself where it shows that view
// (web/src/shell/first_program.ts).
//
// `nameWorker` names a worker's file by the folder of its source: with a hash alone nobody knows which of the workers it is.

import { basename, dirname } from 'node:path';

/** As first_moment.ts has it. */
const kFirstProgram = [/\/programs-[^/]+\.json$/, /\/sqlite-[^/]+\.wasm$/];
const kEngine = /\/engine_worker-[^/]+\.js$/;

export const nameWorker = ({ facadeModuleId }) =>
  `assets/${basename(dirname(facadeModuleId ?? 'a/b'))}_worker-[hash].js`;

function firstProgram(files) {
  const found = kFirstProgram.map((name) => files.find((file) => name.test(file)));
  if (found.includes(undefined)) return []; // its sources were not to be had
  const content = found.map((file) => `./${file}`).join(' ');
  return [{ tag: 'meta', attrs: { name: 'first-program', content }, injectTo: 'head' }];
}

export function preloadEngine() {
  return {
    name: 'preload-engine',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const engines = Object.keys(bundle ?? {}).filter((file) => kEngine.test(file));
        if (engines.length !== 1)
          throw new Error(`one script of an engine, not ${engines.length}: ${engines.join(', ')}`);
        const href = `./${engines[0]}`;
        return [
          { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href }, injectTo: 'head' },
          ...firstProgram(Object.keys(bundle ?? {})),
        ];
      },
    },
  };
}
