// Where the wasm modules of the variants lie, one literal URL each: bundlers find the file only in a
// `new URL('literal', import.meta.url)`. A function each, so that a bundle takes in only what it names. The path holds
// in the checkout, in the page's build and in the npm package, whose dist/ keeps the tree's shape.

import { releaseUrl } from './release_artefact.ts';

/**
 * Variants of the module: no probes; probes that write events; probes and checks of every call. The placed ones lie in memory
 * that their loader gives, the shared one is for several threads as well.
 */
export type Variant = Watched | 'release' | 'placed' | `placed-${Watched}` | 'shared';
type Watched = 'trace' | 'checked';

export const traceUrl = (): URL => new URL('../../../build/wasm/heapglass-trace.wasm', import.meta.url);
const checkedUrl = (): URL => new URL('../../../build/wasm/heapglass-checked.wasm', import.meta.url);
const placedUrl = (): URL => new URL('../../../build/wasm/heapglass-placed.wasm', import.meta.url);
const placedTraceUrl = (): URL => new URL('../../../build/wasm/heapglass-placed-trace.wasm', import.meta.url);
const placedCheckedUrl = (): URL => new URL('../../../build/wasm/heapglass-placed-checked.wasm', import.meta.url);
const sharedUrl = (): URL => new URL('../../../build/wasm/heapglass-shared.wasm', import.meta.url);

const kUrls: Readonly<Record<Variant, () => URL>> = {
  release: releaseUrl,
  trace: traceUrl,
  checked: checkedUrl,
  placed: placedUrl,
  'placed-trace': placedTraceUrl,
  'placed-checked': placedCheckedUrl,
  shared: sharedUrl,
};

/** Address of a variant's wasm module. */
export const artefactUrl = (variant: Variant): URL => kUrls[variant]();
