// npm run check:modules: finished modules as packages ship them, fetched into build/modules. Prints the table of docs/instrument.md.
// npm run check:modules:unseen: others, on which nothing was tuned. Each one's calls are then replayed on every allocator.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplayReport } from '../../../web/src/replay/replay_types.ts';
import { type Checked, checkModule } from './module_check.ts';
import { replayModule, replayTable } from './module_replay.ts';
import { kPrograms as kKnownPrograms } from './programs.mjs';
import { kUnseenPrograms } from './unseen_programs.mjs';

const kPrograms = process.env['HG_MODULES'] === 'unseen' ? kUnseenPrograms : kKnownPrograms;
const folder = fileURLToPath(new URL('../../../build/modules/', import.meta.url));
const checked: Checked[] = [];
const replayed: ReplayReport[] = [];

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = kPrograms.flatMap((program) => program.packages.split(' '));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--silent'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'inherit' });
}, 300_000);

afterAll(() => console.log(`${tableOf(checked)}\n\n${replayTable(replayed)}`));

const total = (counts: Readonly<Record<string, number>>, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

function tableOf(rows: readonly Checked[]): string {
  const lines = rows.map(({ name, toolchain, packages, shippedBytes, addedBytes, recorded, unseen, liveBlocks }) => {
    const allocations = total(recorded, 'allocate', 'allocate_zeroed', 'allocate_aligned');
    const cells = [name, toolchain, packages, shippedBytes, addedBytes, allocations];
    return `| ${[...cells, total(recorded, 'reallocate'), total(recorded, 'deallocate'), unseen, liveBlocks].join(' | ')} |`;
  });
  const head = [
    'module',
    'toolchain',
    'packages',
    'bytes',
    'added',
    'allocations',
    'reallocations',
    'frees',
    'unseen',
    'live',
  ];
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...lines].join('\n');
}

describe('finished modules are recorded call by call, and give what they gave', () => {
  test.each(kPrograms)(
    '$name',
    async (program) => {
      const row = await checkModule(program, folder);
      checked.push(row);
      console.log(row.name, row.found, row.notes.join('; '));
      expect(row.sameResults).toBe(true);
      expect(row.recorded).toEqual(row.counted);
      expect(total(row.recorded, 'allocate')).toBeGreaterThan(0);
      expect(row.unseen).toBe(0);
      const report = await replayModule(row.name, row.file);
      replayed.push(report);
      expect(report.notices).toEqual([]);
      expect(report.program.frees).toBe(total(row.recorded, 'deallocate'));
      for (const { absent, failed, peak_footprint_bytes } of report.allocators) {
        expect(failed).toBe(null);
        if (absent === null) expect(peak_footprint_bytes).toBeGreaterThan(report.program.peak_live_bytes);
      }
    },
    600_000,
  );
});
