// What tests/cli/programs/known.c counted of its own calls, and a report's figures for the same.

import type { Report } from '../../web/src/report/report_types.ts';

export interface Known {
  readonly allocations: number;
  readonly allocated_bytes: number;
  readonly frees: number;
  readonly reallocations: number;
  readonly peak_bytes: number;
  readonly peak_blocks: number;
  readonly live_bytes: number;
  readonly live_blocks: number;
}

export function countedBy({ totals, peak, leaks }: Report): Known {
  return {
    allocations: totals.allocations,
    allocated_bytes: totals.allocated_bytes,
    frees: totals.frees,
    reallocations: totals.reallocations,
    peak_bytes: peak.live.bytes,
    peak_blocks: peak.live.blocks,
    live_bytes: leaks.bytes,
    live_blocks: leaks.blocks,
  };
}
