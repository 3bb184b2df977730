// The plugin for Vite's dev server: the wasm that a page loads records its heap, and the page has a dock that a key opens.
//
//   page ── GET app.wasm ──▶ served_wasm.ts ──▶ Vite ──▶ its bytes ──▶ recorded_wasm.ts ──▶ page
//     │  first of its scripts: page.ts, which gives the modules their recorders
//     └─ new Worker: worker.ts before the worker's own code
//
//   vite.1  A module is changed only on its way to a script that has the recorder: an instrumented module without one does not load.
//           So a worker is left alone that Vite does not serve as an ES module.
//   vite.2  What cannot be instrumented is served as it is, and that is said once.
//   vite.3  A build is left as it is.
//   vite.4  Vite must not bundle heapglass beforehand: its modules and workers lie beside its scripts.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { makeRecorded } from '../recorded/recorded_wasm.ts';
import { checkPluginOptions, type HeapglassOptions } from './options.ts';
import { serveWasm } from './served_wasm.ts';

const kVirtual = 'virtual:heapglass/';
const kModuleWorker = /[?&]worker_file&type=module(&|$)/;
const dist = join(fileURLToPath(import.meta.url), '../../..');

/** Put it into `plugins` of vite.config. Throws a TypeError when an option is none, or has a value that it cannot have. */
export function heapglass(options: HeapglassOptions = {}): Plugin {
  checkPluginOptions(options);
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
      const { logger, cacheDir, root, publicDir } = config;
      const recorded = makeRecorded(options, join(cacheDir, 'heapglass'), {
        note: (text) => logger.info(`heapglass: ${text}`, { timestamp: true }),
        warn: (text) => logger.warn(`heapglass: ${text}`, { timestamp: true }),
      });
      middlewares.use(serveWasm({ base, folders: [publicDir, root], recorded, isPrepared: isModuleWorker }));
    },
    resolveId: (id) => (id.startsWith(kVirtual) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${kVirtual}page`) return pageScript(options.key);
      if (id === `\0${kVirtual}worker`) return `import ${JSON.stringify(join(dist, 'package/vite/worker.js'))};`;
      return undefined;
    },
    transform(code, id) {
      if (!recordsHere || !isModuleWorker(id)) return undefined;
      return { code: `import '${kVirtual}worker'; ${code}`, map: null };
    },
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

const isModuleWorker = (address: string): boolean => kModuleWorker.test(address);

/** The glass is loaded when it is asked for. */
function pageScript(key = 'Alt+Shift+H'): string {
  const start = JSON.stringify(join(dist, 'package/vite/page.js'));
  const attach = JSON.stringify(join(dist, 'attach/attach.js'));
  return `import { startPage } from ${start};\nstartPage(${JSON.stringify(key)}, () => import(${attach}));`;
}
