/** A worker as one text, and the address of the module that it runs: tools/sealed_worker.mjs makes it. */
declare module '*?sealed' {
  export const code: string;
  export const wasm: string;
}
