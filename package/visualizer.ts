/**
 * heapglass/visualizer: the classes of `<hg-heap-map>` and `<hg-glass>`, registered nowhere. `heapglass/visualizer/define` registers
 * both.
 *
 * @packageDocumentation
 */

export { GlassElement } from '../web/src/elements/glass_element.ts';
export {
  HeapMapElement,
  type HeapMapErrorDetail,
  type HeapMapFrameDetail,
  type HeapMapNotice,
  type HeapMapSelectDetail,
  type LiveRecorder,
  type WatchedHeap,
} from '../web/src/elements/heap_map_element.ts';
