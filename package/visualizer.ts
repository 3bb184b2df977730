/**
 * heapglass/visualizer: the class of `<hg-heap-map>`, registered nowhere. `heapglass/visualizer/define` registers it.
 *
 * @packageDocumentation
 */

export {
  HeapMapElement,
  type HeapMapErrorDetail,
  type HeapMapFrameDetail,
  type HeapMapNotice,
  type HeapMapSelectDetail,
  type LiveRecorder,
  type WatchedHeap,
} from '../web/src/app/heap_map_element.ts';
