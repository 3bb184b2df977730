// What the reader of any figure of a trace must know first: damage, losses, and where the model had to end.

import { formatCount } from '../base/format.ts';
import type { Model } from '../model/model.ts';
import { samplingMean, samplingText } from '../trace/sampling.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import type { BlockFacts } from './block_facts.ts';

export function noticesOf(file: TraceFile, { history }: Model, facts: BlockFacts): string[] {
  const notices: string[] = [];
  if (file.notice !== undefined) notices.push(file.notice);
  const mean = samplingMean(file.trace);
  if (mean !== undefined) notices.push(`${samplingText(mean)}: what is counted here is the sample, not the program`);
  if (facts.lostEvents > 0) {
    notices.push(
      `${formatCount(facts.lostEvents)} events were lost: counts are too small by what they would have told`,
    );
  }
  const { broken, head } = history;
  if (broken !== undefined) {
    notices.push(`the heap is known up to event ${formatCount(broken.seq)} only: ${broken.text}`);
  } else if (head.seq < file.trace.count) {
    notices.push(
      `the heap is known up to event ${formatCount(head.seq)} only: no snapshot follows the events lost there`,
    );
  }
  if (facts.unfollowed > 0) {
    notices.push(`${formatCount(facts.unfollowed)} blocks are not followed: too many lived at once`);
  }
  const { unknown_frees } = facts.totals;
  if (unknown_frees > 0) {
    notices.push(`${formatCount(unknown_frees)} frees are of blocks that this trace did not see allocated`);
  }
  return notices;
}
