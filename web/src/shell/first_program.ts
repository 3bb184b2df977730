// The program of the first view, asked for while the page is still being made. The engine asks for it late: when its script has run, the
// list of programs has come, and the page has said what to run. It then finds both in the browser's cache.
//
//   index.js ──▶ page ──▶ engine_worker.js ──▶ programs.json ──▶ sqlite.wasm      by the engine
//           └──▶ programs.json, sqlite.wasm                                       by this request, beside all that
//
// Where they lie stands in the page (tools/preload_engine.mjs); in one that is not built, or without the program, nothing does.

/** What fails here fails again for the engine, which says so. */
export function fetchFirstProgram(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name=first-program]')?.content ?? '';
  for (const address of named.split(' ').filter(Boolean))
    void fetch(address)
      .then((response) => response.arrayBuffer()) // to its end: what is cut off is not cached
      .catch(() => undefined);
}
