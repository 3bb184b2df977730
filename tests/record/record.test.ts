// A program linked with the flags of --profile trace, and nothing else, is recorded from its first malloc.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { kEvery, kLevel, someOf } from '../every.ts';
import { glueFlags, root, toolchains } from '../link/toolchain.ts';
import { linkRecorded, prove, recorderFlags, runRecorded, traceOfFile, traceOfRecords } from './recorded_program.ts';

if (process.env['HG_EMCC_NEXT'] === undefined) console.log('a newer Emscripten is not tried: HG_EMCC_NEXT names none');

const kBlocks = kEvery ? 50_000 : 10_000; // their events fill the ring several times
const kWays = {
  '-O3': '-O3 -sALLOW_MEMORY_GROWTH',
  '-O0': '-O0 -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=6MB',
  '-Oz, EXIT_RUNTIME, ASSERTIONS': '-Oz -sEXIT_RUNTIME -sASSERTIONS=1',
};
const kThreads = `${kLevel} -sEXIT_RUNTIME -sINITIAL_MEMORY=64MB`;
const kThreadWays = {
  'a pool': `${kThreads} -sPTHREAD_POOL_SIZE=3`,
  PROXY_TO_PTHREAD: `${kThreads} -sPROXY_TO_PTHREAD`,
};

for (const toolchain of toolchains(true)) {
  describe(`Emscripten ${toolchain.version}`, () => {
    for (const [way, flags] of someOf(Object.entries(kWays))) {
      test(`a C program is recorded by HEAPGLASS_RECORD from its first malloc to its end: ${way}`, async () => {
        const name = `churn_${Object.keys(kWays).indexOf(way)}`;
        const script = await linkRecorded(toolchain, name, 'churn.c', [...recorderFlags('trace'), ...flags.split(' ')]);
        const run = await runRecorded(toolchain, script, [`${kBlocks}`, 'marks']);
        expect(run.printed).toBe(`done ${kBlocks}\n`);
        expect(run.told).toBe('');
        const { trace, notice } = traceOfFile(run.file);
        expect(notice).toBeUndefined();
        const proof = prove(trace);
        expect(proof.problem).toBeUndefined();
        expect(proof.lost).toBe(0);
        expect(proof.kinds.get(EventKind.heapCreated)).toBe(1);
        expect(proof.kinds.get(EventKind.mark)).toBe(3);
        expect(proof.calls).toBeGreaterThan(2 * kBlocks - 2000);
      });
    }

    test('a process that goes on after the program has ended may still be drained, with ASSERTIONS too', async () => {
      const stays = join(root, 'tests/record/programs/stays.js');
      const flags = ['-O1', '-sEXIT_RUNTIME', '-sASSERTIONS=1', '--pre-js', stays];
      const script = await linkRecorded(toolchain, 'stays', 'churn.c', [...recorderFlags('trace'), ...flags]);
      const run = await runRecorded(toolchain, script, [`${kBlocks}`]);
      expect(run.told).toBe('');
      expect(run.printed).toBe(`done ${kBlocks}\n0 lost\n`);
      const proof = prove(traceOfFile(run.file).trace);
      expect(proof.problem).toBeUndefined();
      expect(proof.calls).toBeGreaterThan(2 * kBlocks - 2000);
    });

    for (const [way, flags] of someOf(Object.entries(kThreadWays))) {
      test(`a program with threads is recorded in order, none lost: ${way}`, async () => {
        const name = `threads_${Object.keys(kThreadWays).indexOf(way)}`;
        const all = [...recorderFlags('trace-threads'), ...flags.split(' ')];
        const script = await linkRecorded(toolchain, name, 'threads.c', all);
        const run = await runRecorded(toolchain, script, ['20000']);
        expect(run.printed).toBe('done 20000\n');
        const proof = prove(traceOfFile(run.file).trace);
        expect(proof.problem).toBeUndefined();
        expect(proof.lost).toBe(0);
        expect(proof.calls).toBeGreaterThan(3 * 2 * 19_000);
        expect(proof.kinds.get(EventKind.threadChanged)).toBeGreaterThan(2);
      });
    }

    test('packets of threads reach the main thread, which waited meanwhile, whole and in order', async () => {
      const flags = [
        ...recorderFlags('trace-threads'),
        kLevel,
        '-sINITIAL_MEMORY=64MB',
        '-sPTHREAD_POOL_SIZE=3',
        '-sMODULARIZE',
        '-sEXPORT_NAME=createProgram',
      ];
      const script = await linkRecorded(toolchain, 'gathered', 'threads.c', flags);
      const path = script.replace(/\.js$/, '.records');
      const gather = join(root, 'tests/record/programs/gather.cjs');
      const given = [...glueFlags(toolchain.order), gather, script, path];
      const { stdout } = await promisify(execFile)(process.execPath, given, { timeout: 60_000 });
      expect(stdout).toBe('done 20000\ntrue 0\n');
      const proof = prove(traceOfRecords(readFileSync(path)));
      expect(proof.problem).toBeUndefined();
      expect(proof.calls).toBeGreaterThan(3 * 2 * 19_000);
    });

    test('drop mode: the number of lost events is exact, and the model goes on behind the loss', async () => {
      const script = await linkRecorded(toolchain, 'churn', 'churn.c', [...recorderFlags('trace'), kLevel]);
      const whole = prove(traceOfFile((await runRecorded(toolchain, script, [`${kBlocks}`])).file).trace);
      const run = await runRecorded(toolchain, script, [`${kBlocks}`], { HEAPGLASS_MODE: 'drop' });
      const proof = prove(traceOfFile(run.file).trace);
      expect(proof.problem).toBeUndefined();
      expect(proof.kinds.get(EventKind.eventsLost)).toBe(1);
      const snapshot = proof.events - 1 - 16_384 - 1; // without events_lost, the ring's own, and the checkpoint
      expect(proof.lost).toBe(whole.events - 1 - 16_384);
      expect(snapshot).toBeGreaterThan(1000);
    });

    test('HEAPGLASS_KEEP keeps the last events, which begin with a snapshot', async () => {
      const script = await linkRecorded(toolchain, 'churn', 'churn.c', [...recorderFlags('trace'), kLevel]);
      const run = await runRecorded(toolchain, script, ['120000'], { HEAPGLASS_KEEP: '60000' });
      const { trace } = traceOfFile(run.file);
      const proof = prove(trace);
      expect(proof.problem).toBeUndefined();
      expect(trace.kind(0)).toBe(EventKind.eventsLost);
      expect(trace.kind(1)).toBe(EventKind.snapshotBegun);
      expect(trace.count).toBeGreaterThanOrEqual(60_000);
      expect(trace.count).toBeLessThan(110_000);
      expect(proof.proofs).toBeGreaterThan(0); // the snapshots within agree with the model
      expect(proof.lost + trace.count - 1).toBeGreaterThan(250_000);
    });

    test('the profile checked is recorded too, up to the mistake that ends it', async () => {
      const flags = [...recorderFlags('checked'), '-O1'];
      const script = await linkRecorded(toolchain, 'mistake', 'mistake.c', flags);
      const run = await runRecorded(toolchain, script, []);
      expect(run.told).toContain('heapglass: double free');
      const { trace, notice } = traceOfFile(run.file);
      expect(notice).toBeUndefined(); // the file was ended all the same
      expect(trace.kind(trace.count - 1)).not.toBe(EventKind.checkpoint);
      expect(trace.count).toBeGreaterThan(20_000);
      expect(prove(trace).problem).toBe('there is no checkpoint');
    });
  });
}

describe('files that end too early', () => {
  const [toolchain] = toolchains();
  if (toolchain === undefined) throw new Error('no compiler');

  test.each([300, 3000, 20_000])('a killed program has lost no more than it has left: %i blocks', async (blocks) => {
    const script = await linkRecorded(toolchain, 'killed', 'killed.c', [...recorderFlags('trace'), kLevel]);
    const run = await runRecorded(toolchain, script, [`${blocks}`]);
    const { trace, notice } = traceOfFile(run.file);
    expect(notice).toMatch(/the file was cut/);
    expect(trace.count).toBeGreaterThan((2 * blocks - 64) / 2); // linked.T3: a batch is at most twice the last one
    expect(prove(trace).problem).toBe('there is no checkpoint');
  });

  test('an unknown mode is refused by name', async () => {
    const script = await linkRecorded(toolchain, 'churn', 'churn.c', [...recorderFlags('trace'), kLevel]);
    const run = await runRecorded(toolchain, script, ['10'], { HEAPGLASS_MODE: 'fast' });
    expect(run.told).toContain('heapglass: the mode "fast" is unknown; it is "lossless" or "drop"');
  });
});
