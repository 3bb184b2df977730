// Operations drawn from a seed, as a program's trace gives them back: no calloc (T2 of operations_of_trace.ts), ids given again
// as free ids are, some blocks live at the end.

import { createRandom } from '../../web/src/base/random.ts';
import { FreeIds, OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';

export function randomOperations(seed: number, count: number): Uint32Array {
  const random = createRandom(seed);
  const list = new OperationList();
  const ids = new FreeIds();
  const live: number[] = [];
  for (let i = 0; i < count; ++i) {
    const kind = random.below(12);
    if (kind < 6 || live.length === 0) {
      const id = ids.take();
      live.push(id);
      const alignment = random.below(8) === 0 ? 16 << random.below(6) : 0;
      const size = 1 + random.below(random.below(10) === 0 ? 100_000 : 400);
      list.add(alignment === 0 ? OperationKind.malloc : OperationKind.aligned, id, size, alignment);
    } else if (kind < 8) {
      list.add(OperationKind.realloc, live[random.below(live.length)] ?? 0, 1 + random.below(2000));
    } else {
      const [id = 0] = live.splice(random.below(live.length), 1);
      list.add(OperationKind.free, id, 0);
      ids.give(id);
    }
  }
  return list.words();
}
