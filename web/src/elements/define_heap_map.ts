// Registers <hg-heap-map>; imported for that effect alone. Two copies of the package on one page share the first one's
// element; a server that renders pages has no elements.

import { HeapMapElement } from './heap_map_element.ts';

if (typeof customElements !== 'undefined' && customElements.get('hg-heap-map') === undefined) {
  customElements.define('hg-heap-map', HeapMapElement);
}
