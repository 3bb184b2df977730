// What a finished module would gain on another allocator: its recorded calls, replayed on each.
//
//   HG_REPLAY_ROUNDS=n   times too, in n interleaved rounds; without: memory alone, which is exact

import { replayTrace } from '../../../web/src/replay/replay.ts';
import { kAllocatorNames, type ReplayReport } from '../../../web/src/replay/replay_types.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';

const rounds = Number(process.env['HG_REPLAY_ROUNDS'] ?? 0);

export const replayModule = (name: string, file: TraceFile): Promise<ReplayReport> =>
  replayTrace(file, {
    name,
    allocators: kAllocatorNames,
    comparedWith: 'dlmalloc',
    rounds,
    engine: `Node ${process.version}`,
    clock: () => process.cpuUsage().user / 1000,
  });

/** One line a module; peaks in KiB, and with rounds the ratio of times. */
export function replayTable(reports: readonly ReplayReport[]): string {
  const [first] = reports;
  const built = first?.allocators.filter(({ absent }) => absent === null).map(({ name }) => name) ?? [];
  const head = ['module', 'operations', 'live', ...built];
  const lines = reports.map(({ trace, program, allocators }) => {
    const cells = built.map((name) => {
      const facts = allocators.find((one) => one.name === name);
      if (facts === undefined || facts.failed !== null) return facts?.failed ?? '';
      const time = facts.time === null ? '' : `, ${facts.time.ratio.toFixed(2)}`;
      return `${kib(facts.peak_footprint_bytes)}${time}`;
    });
    return `| ${[trace.name, program.operations, kib(program.peak_live_bytes), ...cells].join(' | ')} |`;
  });
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...lines].join('\n');
}

const kib = (bytes: number): string => Math.round(bytes / 1024).toLocaleString('en');
