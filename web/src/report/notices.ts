// What the reader of any figure of a trace must know first: the verdict on it, losses, and what was not counted.

import { formatCount } from '../base/format.ts';
import { addressEnd } from '../trace/address_end.ts';
import { noCalls } from '../trace/no_calls.ts';
import { samplingMean, samplingText } from '../trace/sampling.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { unknownFrees } from '../trace/unknown_frees.ts';
import type { BlockFacts } from './block_facts.ts';
import type { Verdict } from './verdict.ts';

export function noticesOf(file: TraceFile, { sentences }: Verdict, facts: BlockFacts): string[] {
  const end = addressEnd(file.trace);
  const notices = end === undefined ? [...sentences] : [end, ...sentences];
  const none = file.notice === undefined ? noCalls(file.trace) : undefined;
  if (none !== undefined) notices.push(none);
  const mean = samplingMean(file.trace);
  if (mean !== undefined) notices.push(`${samplingText(mean)}: the counts here are of the sample, not of the program`);
  if (facts.lostEvents > 0) {
    notices.push(`${formatCount(facts.lostEvents)} events were lost, so the counts are too small`);
  }
  if (facts.unfollowed > 0) {
    notices.push(`${formatCount(facts.unfollowed)} blocks are not counted: too many were live at once`);
  }
  const { unknown_frees } = facts.totals;
  if (unknown_frees > 0 || facts.inside > 0 || facts.replaced > 0) {
    const named = unknownFrees(file.trace);
    const plain = `${formatCount(unknown_frees)} frees are of blocks whose allocation is not in this trace`;
    notices.push(...(named.length > 0 || unknown_frees === 0 ? named : [plain]));
  }
  return notices;
}
