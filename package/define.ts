/**
 * heapglass/visualizer/define: registers the custom elements `<hg-heap-map>` and `<hg-glass>`.
 *
 * @example
 * <script type="module">import 'heapglass/visualizer/define';</script>
 * <hg-heap-map src="trace.hgtrace"></hg-heap-map>
 * <hg-glass src="trace.hgtrace"></hg-glass>
 *
 * @packageDocumentation
 */

import '../web/src/elements/define_glass.ts';
import '../web/src/elements/define_heap_map.ts';

export { GlassElement } from '../web/src/elements/glass_element.ts';
export { HeapMapElement } from '../web/src/elements/heap_map_element.ts';
