// Which of the module's heaps bins, pools and numbers are about.

import { keyedRows, make, setText } from '../dom/dom.ts';
import type { StatusFrame } from '../protocol/frames.ts';

type HeapRow = Pick<StatusFrame['heaps'][number], 'id'>;
const kNoHeap: HeapRow = { id: 0 };

export function createHeapChoice(parent: Element, choose: (heap: number) => void) {
  const select = make('select', { class: 'hg-input hg-heap-choice', 'aria-label': 'Heap' });
  select.addEventListener('change', () => choose(Number(select.value)));
  parent.append(select);
  const show = keyedRows<HeapRow, HTMLOptionElement>(
    select,
    (heap) => heap.id,
    (heap) => make('option', { value: heap.id }),
    (option, heap) => setText(option, heap === kNoHeap ? 'no heap' : `heap #${heap.id}`),
  );
  return {
    /** `chosen` 0: the first. */
    update(heaps: StatusFrame['heaps'], chosen: number): void {
      show(heaps.length === 0 ? [kNoHeap] : heaps);
      const value = String(heaps.some((heap) => heap.id === chosen) ? chosen : (heaps[0] ?? kNoHeap).id);
      if (select.value !== value) select.value = value;
      select.disabled = heaps.length < 2;
    },
  };
}
