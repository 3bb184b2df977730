// The allowed imports of docs/architecture.md, enforced; and a proof that the check can fail.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkLayers } from '../../tools/check_layers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The violations in a tree that holds only this one file. */
function violations(path: string, text: string): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'heapglass-layers-'));
  try {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
    return checkLayers(tree);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

test('the tree keeps to the allowed imports', () => {
  expect(checkLayers(root)).toEqual([]);
});

test.each([
  ['core/src/index/bins.cpp', '#include "heap/heap.hpp"', 'index may not depend on heap'],
  ['core/src/heap/heap.cpp', '#include <vector>', 'heap may not include <vector>'],
  ['core/src/trace/ring.cpp', '#include "chunk/chunk.hpp"', 'trace may not depend on chunk'],
  ['core/src/extra/x.cpp', '', 'no such layer: core/src/extra'],
  ['programs/word_index/x.cpp', '#include "heap/heap.hpp"', 'a program knows heapglass only by its public headers'],
  ['programs/word_index/x.cpp', '#include <vector>', 'a program knows heapglass only by its public headers'],
  ['programs/experiments/x.cpp', '#include <unistd/x.h>', 'a program knows heapglass only by its public headers'],
  ['core/include/heapglass/x.hpp', '#include "heap/heap.hpp"', 'a public header may not include heap/heap.hpp'],
  ['core/include/heapglass/x.hpp', '#include <boost/version.hpp>', 'a public header may not include boost/version.hpp'],
  ['web/src/experiments/e.ts', "import { x } from '../engine/e.ts';", 'experiments may not depend on engine'],
  ['web/src/panels/e/e.ts', "import { x } from '../../experiments/e.ts';", 'panels may not depend on experiments'],
  ['web/src/model/m.ts', "import { x } from '../engine/e.ts';", 'model may not depend on engine'],
  ['web/src/panels/sizes/v.ts', "import type { M } from '../../model/m.ts';", 'panels may not depend on model'],
  ['web/src/panels/sizes/v.ts', "import { p } from '../lists/p.ts';", 'the panel sizes may not know the panel lists'],
  [
    'web/src/panels/sizes/query.ts',
    "import { q } from '../lists/query.ts';",
    'the panel sizes may not know the panel lists',
  ],
  ['web/src/panels/sizes/view.ts', "import { q } from './query.ts';", 'panels may not depend on queries'],
  ['web/src/panels/page.ts', "import { q } from './sizes/query_sizes.ts';", 'panels may not depend on queries'],
  ['web/src/panels/sizes/query.ts', "import { v } from './view.ts';", 'queries may not depend on panels'],
  ['web/src/panels/worker.ts', "import { v } from './sizes/view.ts';", 'queries may not depend on panels'],
  ['web/src/panels/sizes/part.ts', "import { v } from './view.ts';", 'parts may not depend on panels'],
  ['web/src/panels/sizes/part.ts', "import { q } from './query.ts';", 'parts may not depend on queries'],
  ['web/src/shell/page.ts', "import { kQueries } from '../panels/worker.ts';", 'shell may not depend on queries'],
  ['web/src/engine/frame.ts', "import { kPanels } from '../panels/page.ts';", 'engine may not depend on panels'],
  ['web/src/moment/state.ts', "import { kPanels } from '../panels/page.ts';", 'moment may not depend on panels'],
  ['web/src/model/state/a.ts', "import { h } from '../time/history.ts';", 'model/state may not depend on model/time'],
  ['web/src/model/words/w.ts', "import { q } from '../queries/q.ts';", 'model/words may not depend on model/queries'],
  ['web/src/model/m.ts', "import { scaleLinear } from 'd3-scale';", 'model may not use the package d3-scale'],
  ['web/src/engine/e.ts', "import { readFile } from 'node:fs';", 'engine may not use the package node:fs'],
  ['web/src/shell/a.ts', "const m = await import('../engine/e.ts');", 'shell may not depend on engine'],
  [
    'web/src/shell/a.ts',
    "new Worker(new URL('../engine/worker.ts', import.meta.url));",
    'shell may not depend on engine',
  ],
  ['web/src/shell/a.ts', "import script from '../engine/worker.ts?worker&url';", 'shell may not depend on engine'],
  ['web/src/client/c.ts', "import { run } from '../engine/worker.ts';", 'client may not depend on engine'],
  [
    'web/src/shell/a.ts',
    "new URL('../../../build/wasm/x.wasm', import.meta.url);",
    'shell may not name build/wasm/x.wasm',
  ],
  ['package/index.ts', 'export const version = 1;', 'package holds re-exports only'],
  ['package/cli/c.ts', "import { x } from '../../web/src/shell/a.ts';", 'package/cli may not depend on'],
  ['extension/e.ts', "import { x } from '../web/src/engine/a.ts';", 'extension may not depend on'],
  ['extension/e.ts', "import { x } from 'd3-zoom';", 'extension may not use the package d3-zoom'],
  ['package/cli/c.ts', "import { x } from 'yargs';", 'package/cli may not use the package yargs'],
  ['package/vite/c.ts', "import { x } from '../../web/src/shell/a.ts';", 'package/vite may not depend on'],
])('%s with %s is refused', (path, text, message) => {
  expect(violations(path, `${text}\n`)).toEqual([expect.stringContaining(message)]);
});

test.each([
  ['core/src/heap/heap.cpp', '#include "index/bins.hpp"\n#include <heapglass/event.h>\n#include <cstdint>'],
  ['core/include/heapglass/x.hpp', '#include <heapglass/heapglass.h>\n#include <vector>\n#include <stdint.h>'],
  ['programs/experiments/x.cpp', '#include <boost/container/list.hpp>\n#include <map>\n#include <heapglass/event.h>'],
  ['web/src/panels/sizes/view.ts', "import { kSizes } from './part.ts';\nimport { kLists } from '../lists/part.ts';"],
  [
    'web/src/panels/sizes/query.ts',
    "import { kSizes } from './part.ts';\nimport { h } from '../../model/time/history.ts';",
  ],
  ['web/src/engine/frame.ts', "import { kQueries } from '../panels/worker.ts';"],
  ['web/src/client/c.ts', "import script from '../experiments/worker.ts?worker&url';"],
  ['web/src/client/c.ts', "import { code } from '../script/worker.ts?sealed';"],
  ['web/src/engine/e.ts', "// import { x } from '../panels/x.ts';\nimport type { A } from '../model/time/a.ts';"],
  [
    'package/index.ts',
    "// The heap.\nexport { createHeap } from '../web/src/heap/heap.ts';\nexport type * from '../web/src/protocol/p.ts';",
  ],
])('%s with allowed edges passes', (path, text) => {
  expect(violations(path, `${text}\n`)).toEqual([]);
});
