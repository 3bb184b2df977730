import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { samplingMean, samplingText } from '../../../web/src/trace/sampling.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

const mark = (text: string): number[] => [
  ...textRecords(text),
  ...[headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0],
];
const kLoss = [headOf(EventKind.eventsLost, 0), 500, 0, 0];
const kHeap = [headOf(EventKind.heapCreated, 1), 0, 0, 0];

test.each([
  ['the first mark', [mark(samplingText(512)), kHeap], 512],
  ['behind a loss and another mark', [kLoss, mark('level 1'), mark(samplingText(65_536)), kHeap], 65_536],
  ['behind the first heap, where it is any mark', [kHeap, mark(samplingText(512))], undefined],
  ['another mark alone', [mark('sampled: one allocation in 0 bytes'), kHeap], undefined],
] as const)('a trace is a sample by a mark before its first heap: %s', (_, parts, mean) => {
  const trace = new Trace();
  trace.append(Uint32Array.from(parts.flat()));
  expect(samplingMean(trace)).toBe(mean);
});
