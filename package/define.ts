/**
 * heapglass/visualizer/define: registers the custom element `<hg-heap-map>`.
 *
 * @example
 * <script type="module">import 'heapglass/visualizer/define';</script>
 * <hg-heap-map src="trace.hgtrace"></hg-heap-map>
 *
 * @packageDocumentation
 */

import '../web/src/app/define_heap_map.ts';

export { HeapMapElement } from '../web/src/app/heap_map_element.ts';
