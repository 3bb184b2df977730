// npm run bench:from-disk - a file of 100 million events, opened from disk as the page opens it, in Node: bytes of file and of memory
// (exact), time to open and to seek (only on a quiet machine). Writes 1.6 GB into the folder for temporary files, and removes it.
//
//   --events n (100,000,000)   --live n   blocks (300,000)   --count n   seeks (50)   --packed   a file as recorders write it (slow to write)

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBundled } from '../harness/bundle.mjs';
import { median, percentile } from '../harness/measure.mjs';
import { fixed, option, writeJson } from '../harness/report.mjs';

if (globalThis.gc === undefined) {
  const again = ['--expose-gc', '--max-old-space-size=4096', ...process.argv.slice(1)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}

const events = Number(option('events', 100_000_000));
const live = Number(option('live', 300_000));
const { writeFile, openFile } = await importBundled('glass/from_disk');
const folder = mkdtempSync(join(tmpdir(), 'heapglass-from-disk-'));
try {
  const path = join(folder, 'large.hgtrace');
  writeFile(path, events, live, process.argv.includes('--packed'));
  const opened = await openFile(path, Number(option('count', 50)));
  const mib = (bytes) => fixed(bytes / 2 ** 20, 0);
  const each = (bytes) => fixed(bytes / opened.events, 1);
  console.log(`${opened.events} events, ${live} blocks: a file of ${mib(opened.fileBytes)} MiB`);
  console.log(
    `memory: ${mib(opened.bytes)} MiB, ${each(opened.bytes)} bytes an event; at most ${mib(opened.mostBytes)} MiB while opening`,
  );
  console.log(
    `opened in ${fixed(opened.openMs / 1000, 1)} s: ${fixed(opened.events / opened.openMs / 1000, 1)} million events a second; ` +
      `longest slice ${fixed(opened.longestSliceMs, 0)} ms`,
  );
  console.log(`seek: p50 ${fixed(median(opened.seeks))} ms, p95 ${fixed(percentile(opened.seeks, 0.95))} ms`);
  writeJson({ bench: 'from_disk', live, ...opened, seeks: percentile(opened.seeks, 0.95) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
