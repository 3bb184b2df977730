// A trace that begins late: what came before it was not lost, it was never in the file.

import { expect, test } from 'vitest';
import { LeftBlocks } from '../../../web/src/instrument/left_blocks.ts';
import { TraceFileWriter } from '../../../web/src/trace/trace_file.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';
import { makeEngine } from './harness.ts';

const kBefore = 1000;
const kLostLater = 20;

test('events before the first of a trace are told apart from events that are lost later', async () => {
  const writer = new TraceFileWriter();
  const pieces = [kBefore, kLostLater].flatMap((events) => writer.append(new LeftBlocks().restated(events)));
  const { buffer } = joined([...pieces, ...writer.end()]);
  const { ask, frame } = makeEngine();
  await ask({ type: 'openTrace', name: 'late.hgtrace', file: buffer }, 'opened');
  expect((await frame()).status).toMatchObject({ before: kBefore, lost: kLostLater });
});
