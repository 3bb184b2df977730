/**
 * heapglass/webpack: the modules of a page record their heaps in development, and a key shows them; in a build they may be sampled.
 *
 * @example
 * // webpack.config.mjs; needs the package binaryen: npm install --save-dev heapglass binaryen@132
 * import { heapglass } from 'heapglass/webpack';
 * export default { plugins: [heapglass()] };
 *
 * @packageDocumentation
 */

export type { HeapglassOptions } from './recorded/plugin_options.ts';
export { heapglass } from './webpack/plugin.ts';
