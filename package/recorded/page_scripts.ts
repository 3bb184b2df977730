// Text of the scripts that a bundler puts before a page's own.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the package: what imports this is bundled into dist/package/<part>/. */
export const packaged = (path: string): string => join(fileURLToPath(import.meta.url), '../../..', path);

const quoted = (path: string): string => JSON.stringify(packaged(path));

/** Modules have their recorders. */
export const recordersScript = (): string => `import ${quoted('web/src/instrument/installed.js')};`;

/** And the page can attach to those of this worker. */
export const workerScript = (): string => `import ${quoted('package/vite/worker.js')};`;

/** And a key shows them. The glass is loaded when it is asked for. */
export function pageScript(key: string): string {
  const start = `import { startPage } from ${quoted('package/vite/page.js')};`;
  return `${start}\nstartPage(${JSON.stringify(key)}, () => import(${quoted('attach/attach.js')}));`;
}

/** Modules are recorded that Vite's dev server takes at this address. `inWorker`: the name of a module with the text of in_worker.ts. */
export const recordingScript = (address: string, inWorker: string): string =>
  `import { recordPage } from ${quoted('package/vite/record_page.js')};
import inWorker from ${JSON.stringify(inWorker)};
recordPage(${JSON.stringify(address)}, inWorker);`;
