// What the reader of any figure of a trace must know first: damage, losses, and where the model had to end.

import { formatCount } from '../base/format.ts';
import type { Model } from '../model/time/model.ts';
import { samplingMean, samplingText } from '../trace/sampling.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import type { BlockFacts } from './block_facts.ts';

export function noticesOf(file: TraceFile, { history }: Model, facts: BlockFacts): string[] {
  const notices: string[] = [];
  if (file.notice !== undefined) notices.push(file.notice);
  const mean = samplingMean(file.trace);
  if (mean !== undefined) notices.push(`${samplingText(mean)}: the counts here are of the sample, not of the program`);
  if (facts.lostEvents > 0) {
    notices.push(`${formatCount(facts.lostEvents)} events were lost, so the counts are too small`);
  }
  const { broken, head } = history;
  if (broken !== undefined) {
    notices.push(`the heap is known only up to event ${formatCount(broken.seq)}: ${broken.text}`);
  } else if (head.seq < file.trace.count) {
    notices.push(
      `the heap is known only up to event ${formatCount(head.seq)}: no snapshot follows the events lost there`,
    );
  }
  if (facts.unfollowed > 0) {
    notices.push(`${formatCount(facts.unfollowed)} blocks are not counted: too many were live at once`);
  }
  const { unknown_frees } = facts.totals;
  if (unknown_frees > 0) {
    notices.push(`${formatCount(unknown_frees)} frees are of blocks whose allocation is not in this trace`);
  }
  return notices;
}
