// Workers of a page get the loader before their own script, so that modules with threads find their recorder in each.
//
//   new Worker(script) ─▶ new Worker(blob: loader, then script) ─ first message: the memory that all recorders share
//
//   pt.1  Only workers that are made after recordThreads() was called. So it is called before the program is loaded.
//   pt.2  A worker's script then lies at a blob's address: its relative addresses are made whole here, where they can be (importScripts,
//         import); others (fetch) would have to be whole.

import { kMemoryMessage } from './recorder_names.ts';

/** `loader`: the address of thread_worker.ts, bundled. Gives what puts Worker back as it was. */
export function giveWorkersLoader(loader: URL, memory: WebAssembly.Memory): () => void {
  const before = globalThis.Worker;
  globalThis.Worker = new Proxy(before, {
    construct(target, [script, options]: [string | URL, WorkerOptions?]) {
      const text = textOf(loader, new URL(script, document.baseURI), options?.type === 'module');
      const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
      const worker = new target(address, options);
      worker.postMessage({ [kMemoryMessage]: memory });
      return worker;
    },
  });
  return () => {
    globalThis.Worker = before;
  };
}

function textOf(loader: URL, script: URL, isModule: boolean): string {
  const [first, own] = [JSON.stringify(loader.href), JSON.stringify(script.href)];
  if (isModule) return `import ${first};\nimport ${own};\n`;
  return `importScripts(${first});
const plain = self.importScripts;
self.importScripts = (...scripts) => plain(...scripts.map((script) => new URL(script, ${own}).href));
plain(${own});
`;
}
