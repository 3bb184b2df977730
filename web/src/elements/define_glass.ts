// Registers <hg-glass>; imported for that effect alone. As with <hg-heap-map>, the first copy of the package on a page wins.

import { GlassElement } from './glass_element.ts';

if (typeof customElements !== 'undefined' && customElements.get('hg-glass') === undefined) {
  customElements.define('hg-glass', GlassElement);
}
