/**
 * heapglass/vite: in Vite's dev server the modules of a page record their heaps, and a key shows them.
 *
 * @example
 * // vite.config.ts; needs the package binaryen: npm install --save-dev heapglass binaryen@132
 * import { heapglass } from 'heapglass/vite';
 * export default { plugins: [heapglass()] };
 *
 * @packageDocumentation
 */

export type { HeapglassOptions } from './recorded/plugin_options.ts';
export { heapglass } from './vite/plugin.ts';
