// What the recorder of an instrumented module keeps: the last events, or those around a pause. Whatever is left out, the blocks that live
// are those of a recording that has everything, with their sites.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import binaryen from 'binaryen';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { LeftBlocks } from '../../web/src/instrument/left_blocks.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { walkModel } from '../../web/src/model/state/walk.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { Packet } from '../../web/src/record/recorder_types.ts';
import { readSites } from '../../web/src/report/site_sums.ts';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { TraceFileWriter } from '../../web/src/trace/trace_writer.ts';
import { kPrograms } from './modules/programs.mjs';

const require = createRequire(fileURLToPath(new URL('../../package.json', import.meta.url)));
const onig = require.resolve('vscode-oniguruma');
const shipped = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
const kRounds = 6;

interface Running {
  readonly recorder: InstrumentedRecorder;
  readonly work: () => unknown;
}

/** An instance of its own; the same work gives the same addresses in each. */
async function begun(module: Uint8Array): Promise<Running> {
  const program = kPrograms.find(({ name }) => name === 'Oniguruma');
  if (program === undefined) throw new Error('there is no Oniguruma');
  let recorder: InstrumentedRecorder | undefined;
  const restore = install({
    onRecorder(one) {
      recorder = one;
    },
  });
  try {
    delete require.cache[onig];
    const work = await program.begin(async () => ({ default: require(onig) }), module);
    if (recorder === undefined) throw new Error('it is not recorded');
    return { recorder, work };
  } finally {
    restore();
  }
}

function decoded(bytes: Uint8Array): TraceFile {
  const file = decodeTraceFile(bytes);
  if (!file.ok) throw new Error(file.error.message);
  return file.value;
}

/** Address and size of each block that lives, and bytes and blocks that live by call stack. */
function livingIn(file: TraceFile) {
  const model = new Model(file.trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  const blocks: string[] = [];
  walkModel(model.head.state, 1, (_head, address, size) => blocks.push(`${address} ${size}`));
  const sites = readSites(file).sites.filter(({ figures }) => figures.live_blocks > 0);
  const byStack = sites.map(({ stack, figures }) => [stack.join(' < '), figures.live_blocks, figures.live_bytes]);
  return { blocks: blocks.slice(1), byStack: byStack.sort() }; // the first is the segment
}

function fileOf(parts: readonly Uint32Array[]): TraceFile {
  const writer = new TraceFileWriter();
  const pieces = parts.flatMap((records) => writer.append(records));
  return decoded(Buffer.concat([...pieces, ...writer.end()]));
}

const lossesOf = ({ trace }: TraceFile): number[] =>
  Array.from({ length: trace.count }, (_, event) => event)
    .filter((event) => trace.kind(event) === EventKind.eventsLost)
    .map((event) => trace.a(event));

let module: Uint8Array;
let records: Uint32Array; // of everything
let whole: TraceFile;
let living: ReturnType<typeof livingIn>;
beforeAll(async () => {
  module = instrumentStacks(binaryen, shipped).binary;
  const { recorder, work } = await begun(module);
  for (let round = 0; round < kRounds; ++round) work();
  records = new Uint32Array(recorder.records().slice().buffer);
  whole = decoded(recorder.trace());
  living = livingIn(whole);
  expect(living.blocks.length).toBeGreaterThan(20);
  expect(lossesOf(whole)).toEqual([]);
});

describe('what lives is known, and its sites are,', () => {
  test.each([1, 1000, 20_000])('where about the last %i events are kept', async (keep) => {
    const { recorder, work } = await begun(module);
    recorder.keep = keep;
    for (let round = 0; round < kRounds; ++round) {
      work();
      recorder.drain();
    }
    const file = decoded(recorder.trace());
    expect(livingIn(file)).toEqual(living);
    const [lost = 0, ...more] = lossesOf(file);
    expect(more).toEqual([]);
    expect(lost).toBeGreaterThan(0);
    expect(recorder.count - lost).toBeGreaterThanOrEqual(keep);
    expect(recorder.count - lost).toBeLessThan(keep + 2 * 16_384);
  });

  test('wherever the kept events begin, amid a call too', () => {
    const live = new Set(living.blocks.map((block) => Number(block.split(' ')[0])));
    const births = new Map<number, number>();
    for (let event = 0; event < whole.trace.count; ++event) {
      const address = whole.trace.a(event);
      if (whole.trace.kind(event) === EventKind.blockAllocated && live.has(address)) births.set(address, event);
    }
    for (const birth of [...births.values()].filter((_, nth) => nth % 16 === 0)) {
      for (let cut = birth - 2; cut <= birth + 2; ++cut) {
        const left = new LeftBlocks();
        left.take(records.subarray(0, 4 * cut));
        const rest = records.subarray(4 * cut);
        const kept = rest.subarray(left.takeToEnd(rest));
        const file = fileOf([left.restated(cut), kept]);
        expect(livingIn(file), `from event ${cut}`).toEqual(living);
      }
    }
  });

  test('behind a pause, for who was there and for who comes then', async () => {
    const { recorder, work } = await begun(module);
    const there: Packet[] = [];
    recorder.subscribe((packet) => there.push(packet), { past: true });
    work();
    recorder.pause();
    const from = recorder.count;
    for (let round = 1; round < kRounds - 1; ++round) work();
    const missing = recorder.count - from;
    recorder.resume();
    const late: Packet[] = [];
    recorder.subscribe((packet) => late.push(packet));
    work();
    recorder.drain();
    for (const file of [decoded(recorder.trace()), fileOf(there.map(({ records }) => records))]) {
      expect(lossesOf(file)).toEqual([missing]);
      expect(livingIn(file)).toEqual(living);
    }
    expect(livingIn(fileOf(late.map(({ records }) => records)))).toEqual(living);
    expect(late[0]?.repeated).toBe((late[0]?.records.length ?? 0) / 4 - 1);
  });

  test('where nothing is kept', async () => {
    const { recorder, work } = await begun(module);
    recorder.keep = 'none';
    for (let round = 0; round < kRounds; ++round) work();
    const late: Packet[] = [];
    recorder.subscribe((packet) => late.push(packet), { past: true });
    expect(livingIn(fileOf(late.map(({ records }) => records)))).toEqual(living);
    expect(recorder.records().length).toBe((late[0]?.records.length ?? 0) * 4);
  });
});

describe('the recorder of an instrumented module', () => {
  test('keeps the mark of a sample', async () => {
    const { recorder, work } = await begun(instrumentSampled(binaryen, shipped, 4096).binary);
    recorder.keep = 1;
    for (let round = 0; round < kRounds; ++round) {
      work();
      recorder.drain();
    }
    const file = decoded(recorder.trace());
    expect(samplingMean(file.trace)).toBe(4096);
    livingIn(file);
  });

  test('says what it cannot keep', async () => {
    const { recorder } = await begun(module);
    for (const keep of [0, -1, 1.5])
      expect(() => (recorder.keep = keep)).toThrow(/'all', 'none' or a number of events/);
    recorder.passOn(() => {});
    expect(() => (recorder.keep = 'all')).toThrow(/the events go to a file and were not kept/);
    expect(() => recorder.pause()).toThrow(/not known which blocks live/);
  });
});
