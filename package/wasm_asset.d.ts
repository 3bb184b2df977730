/** The address of the wasm module, where a bundler turns an import of it into one (`heapglass/heap.wasm?url` in Vite). */
declare const url: string;
export default url;
