// The plugin for Vite. In its dev server: the wasm that a page loads records its heap, and the page has a dock that a key opens.
//
//   page ── a module that it compiles ──▶ served_wasm.ts ──▶ recorded_wasm.ts ──▶ page
//     │  first of its scripts: page.ts, which gives the modules their recorders, and record_page.ts, which asks
//     └─ new Worker: in_worker.ts before the worker's own script, and the same
//
//   vite.1  A module is changed only for a script that asks, and has the recorder: an instrumented module without one does not load. It may go on to
//           other realms, by a message or with its threads. So each worker is prepared, whoever serves it.
//   vite.2  What cannot be instrumented stays as it is, and that is said once.
//   vite.3  A build is left as it is, but for record: 'sampled' (sampled_build.ts).
//   vite.4  Vite must not bundle heapglass beforehand: its modules and workers lie beside its scripts.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { packaged, pageScript, recordersScript, recordingScript, workerScript } from '../recorded/page_scripts.ts';
import { checkPluginOptions, type HeapglassOptions, kKeyInDevelopment } from '../recorded/plugin_options.ts';
import { kVirtual, recordedBy, sampledBuild, type VirtualModules } from './sampled_build.ts';
import { serveWasm } from './served_wasm.ts';

const kAsked = '@heapglass/module';
const kInWorker = `${kVirtual}in_worker`;
const kInWorkerFile = 'package/vite/in_worker.js';

/** Put it into `plugins` of vite.config. Throws a TypeError when an option is none, or has a value that it cannot have. */
export function heapglass(options: HeapglassOptions = {}): Plugin[] {
  checkPluginOptions(options);
  return options.record === 'sampled'
    ? [inDevelopment(options), sampledBuild(options, virtual(options))]
    : [inDevelopment(options)];
}

/** Its modules. `recording`: what asks the dev server for recorded forms. */
const virtual = ({ key }: HeapglassOptions, recording = () => ''): VirtualModules => ({
  resolveId: (id) => (id.startsWith(kVirtual) ? `\0${id}` : undefined),
  load(id) {
    if (id === `\0${kVirtual}page`) return `${pageScript(key ?? kKeyInDevelopment)}\n${recording()}`;
    if (id === `\0${kVirtual}worker`) return workerScript();
    if (id === `\0${kInWorker}`)
      return `export default ${JSON.stringify(readFileSync(packaged(kInWorkerFile), 'utf8'))};`;
    if (id === `\0${kVirtual}recorders`) return recordersScript();
    return undefined;
  },
});

function inDevelopment(options: HeapglassOptions): Plugin {
  let recordsHere = false; // vite.3
  let base = '/';
  return {
    name: 'heapglass',
    config: () => ({ optimizeDeps: { exclude: ['heapglass'] } }), // vite.4
    configResolved(config) {
      base = config.base;
      recordsHere = config.command === 'serve' && !config.isProduction && options.record !== false;
    },
    configureServer({ middlewares, config }) {
      if (!recordsHere) return;
      const { root, publicDir } = config;
      const recorded = recordedBy(options, config);
      middlewares.use(serveWasm({ address: `${base}${kAsked}`, base, folders: [publicDir, root], recorded }));
    },
    ...virtual(options, () => (recordsHere ? recordingScript(`${base}${kAsked}`, kInWorker) : '')),
    transformIndexHtml: () =>
      recordsHere
        ? [
            {
              tag: 'script',
              attrs: { type: 'module', src: `${base}@id/__x00__${kVirtual}page` },
              injectTo: 'head-prepend' as const,
            },
          ]
        : [],
  };
}
