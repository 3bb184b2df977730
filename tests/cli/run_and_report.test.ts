// A program with known numbers, linked, recorded and reported by the commands alone.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../web/src/report/report_types.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

interface Known {
  readonly allocations: number;
  readonly allocated_bytes: number;
  readonly frees: number;
  readonly reallocations: number;
  readonly peak_bytes: number;
  readonly peak_blocks: number;
  readonly live_bytes: number;
  readonly live_blocks: number;
}

let cli: CommandLine;
let traced = '';
beforeAll(async () => {
  cli = await buildForTests();
  traced = cli.link('known', 'trace');
});
afterAll(() => cli?.dispose());

const reportOf = (trace: string): Report => JSON.parse(cli.run('report', trace, '--json').stdout) as Report;

describe('run', () => {
  test.each([
    [[] as string[], 0],
    [['20000'], 0],
    [['3000', 'all'], 0],
    [['500', 'fail'], 7],
  ])('records known %j exactly as it counted itself', (given, code) => {
    const { stdout, stderr, status } = cli.run('run', '-o', 'known.hgtrace', traced, ...given);
    expect(stderr).toMatch(/known\.hgtrace: .* recorded/);
    expect(status).toBe(code);
    const known = JSON.parse(stdout) as Known;
    const report = reportOf('known.hgtrace');
    expect(report.notices).toEqual([]);
    expect(report.trace.lost_events).toBe(0);
    expect({
      allocations: report.totals.allocations,
      allocated_bytes: report.totals.allocated_bytes,
      frees: report.totals.frees,
      reallocations: report.totals.reallocations,
      peak_bytes: report.peak.live.bytes,
      peak_blocks: report.peak.live.blocks,
      live_bytes: report.leaks.bytes,
      live_blocks: report.leaks.blocks,
    }).toEqual(known);
    expect(report.temporaries.allocations).toBeGreaterThanOrEqual(50);
    expect(report.advice.reserves).toContainEqual(
      expect.objectContaining({ first_bytes: 1000, last_bytes: 64_000, steps: 6, copied_bytes: 63_000 }),
    );
  });
});
