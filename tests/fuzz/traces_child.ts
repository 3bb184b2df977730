// The process in which traces.mjs runs its cases: it says before each which one, and after each what it took.

import { readFileSync } from 'node:fs';
import { openCase } from './open_case.ts';
import { fileCase, recordsOf, streamCase } from './trace_cases.ts';

const [kind = 'files', first = '0', count = '0', ...paths] = process.argv.slice(2);
const seeds = paths.map((path) => new Uint8Array(readFileSync(path)));
const streams = seeds.map(recordsOf);
const tell = (message: object) => process.send?.(message);
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const kQuiet = 24 * 2 ** 20;

collect();
const base = process.memoryUsage().rss;
for (let seed = Number(first); seed < Number(first) + Number(count); ++seed) {
  const file = kind === 'files' ? fileCase(seeds, seed) : streamCase(streams, seed);
  if (process.memoryUsage().rss > base + kQuiet) collect();
  const before = process.memoryUsage().rss;
  tell({ seed, bytes: file.length });
  const begin = performance.now();
  let said: string | undefined;
  let wrong: string | undefined;
  try {
    said = await openCase(file);
  } catch (error) {
    wrong =
      error instanceof Error ? `${error.message}\n${error.stack?.split('\n').slice(1, 5).join('\n')}` : `${error}`;
  }
  const grown = process.memoryUsage().rss - before;
  tell({ seed, bytes: file.length, ms: performance.now() - begin, grown, said: said !== undefined, wrong });
}
process.disconnect?.();
