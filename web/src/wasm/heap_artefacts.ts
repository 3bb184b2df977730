// Where the wasm modules of the variants lie, one literal URL each: bundlers find the file only in a
// `new URL('literal', import.meta.url)`. A function each, so that a bundle takes in only what it names. The path holds
// in the checkout, in the page's build and in the npm package, whose dist/ keeps the tree's shape.

/** Variants of the module: no probes; probes that write events; probes and checks of every call. */
export type Variant = 'release' | 'trace' | 'checked';

const releaseUrl = (): URL => new URL('../../../build/wasm/heapglass-release.wasm', import.meta.url);
export const traceUrl = (): URL => new URL('../../../build/wasm/heapglass-trace.wasm', import.meta.url);
const checkedUrl = (): URL => new URL('../../../build/wasm/heapglass-checked.wasm', import.meta.url);

/** Address of a variant's wasm module. */
export function artefactUrl(variant: Variant): URL {
  if (variant === 'release') return releaseUrl();
  return variant === 'trace' ? traceUrl() : checkedUrl();
}
