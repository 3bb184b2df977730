// Module.heapglass: what a page or a script does with a running program's recorder.

import { beforeAll, describe, expect, test } from 'vitest';
import { EventKind, kTraceVersion } from '../../web/src/protocol/event_layout.ts';
import type { Packet, RecorderOptions } from '../../web/src/record/recorder_types.ts';
import { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { toolchains } from '../link/toolchain.ts';
import { kInProcess, linkRecorded, loadProgram, prove, recorderFlags, traceOfRecords } from './recorded_program.ts';

interface Called {
  _churn(calls: number): void;
  _mark_in_c(): void;
}

const kRing = 16_384;

for (const toolchain of toolchains(true)) {
  describe(`Emscripten ${toolchain.version}`, () => {
    let script = '';
    beforeAll(async () => {
      script = await linkRecorded(toolchain, 'called', 'called.c', [...recorderFlags('trace'), ...kInProcess]);
    });
    const load = async (options?: RecorderOptions) => {
      const program = await loadProgram(script, options);
      return { recorder: program.heapglass, program: program as unknown as Called };
    };
    /** All packets that a listener got, as one trace, and whether each began where the one before ended. */
    const gathered = () => {
      const trace = new Trace();
      const seams: number[] = [];
      let next = -1;
      const listen = ({ from, records }: Packet) => {
        if (next !== -1 && from !== next) seams.push(from);
        const put = (records[0] ?? 0) % 256 === EventKind.eventsLost ? 1 : 0; // by the recorder, not of the ring
        next = from + records.length / 4 - put;
        trace.append(records);
      };
      return { trace, seams, listen };
    };

    test('all is kept from the first event, and one call may write many rings full', async () => {
      const { recorder, program } = await load({ keep: 'all' });
      program._churn(80_000);
      recorder.checkpoint();
      const trace = traceOfRecords(recorder.records());
      expect(trace.count).toBe(recorder.count);
      expect(trace.count).toBeGreaterThan(10 * kRing);
      expect(recorder.lost).toBe(0);
      expect(recorder.mode).toBe('lossless');
      expect(recorder.version).toBe(kTraceVersion);
      expect(prove(trace).problem).toBeUndefined();
      expect(traceOfRecords(recorder.records(trace.count - 5)).count).toBe(5);
      const file = decodeTraceFile(recorder.trace().slice().buffer);
      expect(file.ok && file.value.trace.count).toBe(trace.count);
    });

    test('a listener with the past gets every event once, in order, while the program runs', async () => {
      const { recorder, program } = await load();
      program._churn(1000);
      const { trace, seams, listen } = gathered();
      const end = recorder.subscribe(listen, { past: true });
      program._churn(20_000);
      recorder.checkpoint();
      expect(trace.count).toBe(recorder.count);
      expect(seams).toEqual([]);
      expect(prove(trace).problem).toBeUndefined();
      end();
      program._churn(20_000);
      expect(trace.count).toBeLessThan(recorder.count);
    });

    test.each(['all', 'none', 1000] as const)(
      'a late listener begins with a snapshot of the real heap: keep %s',
      async (keep) => {
        const { recorder, program } = await load({ keep });
        program._churn(20_000);
        recorder.drain(); // with so small a bound it takes a snapshot
        const before = recorder.count;
        const { trace, seams, listen } = gathered();
        recorder.subscribe(listen);
        program._churn(20_000);
        recorder.checkpoint();
        expect(trace.kind(0)).toBe(EventKind.eventsLost);
        expect(trace.a(0)).toBe(before);
        expect(trace.kind(1)).toBe(EventKind.snapshotBegun);
        expect(trace.count - 1 + before).toBe(recorder.count);
        expect(seams).toEqual([]);
        expect(prove(trace).problem).toBeUndefined();
      },
    );

    test('the past of a recorder that keeps nothing is a snapshot; what it is told to keep later begins with one', async () => {
      const { recorder, program } = await load({ keep: 'none' });
      program._churn(20_000);
      expect(recorder.records().length).toBe(0);
      const { trace, listen } = gathered();
      recorder.subscribe(listen, { past: true });
      program._churn(20_000);
      recorder.checkpoint();
      expect(prove(trace).problem).toBeUndefined();
      expect([trace.kind(0), trace.kind(1)]).toEqual([EventKind.eventsLost, EventKind.snapshotBegun]);
      recorder.keep = 'all';
      program._churn(20_000);
      recorder.checkpoint();
      expect(prove(trace).problem).toBeUndefined();
      expect(prove(traceOfRecords(recorder.records())).problem).toBeUndefined();
    });

    test('the last events are kept within the bound and begin with a snapshot', async () => {
      const { recorder, program } = await load({ keep: 40_000 });
      for (let i = 0; i < 10; ++i) {
        program._churn(10_000);
        recorder.checkpoint();
        const trace = traceOfRecords(recorder.records());
        expect(trace.count).toBeLessThan(60_000 + kRing + 2000); // K2: one and a half, a ring, the snapshots
        const proof = prove(trace);
        expect(proof.problem).toBeUndefined();
        expect(proof.lost + trace.count - (proof.lost > 0 ? 1 : 0)).toBe(recorder.count);
      }
    });

    test('pause writes nothing; resume says how much is missing and goes on with a snapshot', async () => {
      const { recorder, program } = await load();
      program._churn(1000);
      recorder.pause();
      expect(recorder.paused).toBe(true);
      const before = recorder.count;
      program._churn(5000);
      expect(recorder.count).toBe(before);
      recorder.resume();
      expect(recorder.paused).toBe(false);
      program._churn(1000);
      recorder.checkpoint();
      const twin = await load();
      twin.program._churn(6000);
      const trace = traceOfRecords(recorder.records());
      const proof = prove(trace);
      expect(proof.problem).toBeUndefined();
      expect(trace.kind(before)).toBe(EventKind.eventsLost);
      expect(before + proof.lost).toBe(twin.recorder.count); // what the same calls write when nothing is paused
    });

    test('marks carry their text from C and from JavaScript', async () => {
      const { recorder, program } = await load();
      program._churn(10);
      const longest = 'é'.repeat(300);
      recorder.mark('level 3');
      program._mark_in_c();
      recorder.mark(longest);
      expect(marksOf(traceOfRecords(recorder.records()))).toEqual([
        'level 3',
        'a mark from C that is longer than one event',
        'é'.repeat(120), // 240 bytes, and no half letter
      ]);
    });

    test('drop mode: what the ring still holds is kept, and a snapshot follows it', async () => {
      const { recorder, program } = await load({ mode: 'drop' });
      expect(recorder.mode).toBe('drop');
      program._churn(20_000);
      const lost = recorder.count - kRing;
      recorder.drain();
      expect(recorder.lost).toBe(lost);
      program._churn(100);
      recorder.checkpoint();
      const trace = traceOfRecords(recorder.records());
      expect(trace.kind(0)).toBe(EventKind.eventsLost);
      expect(trace.a(0)).toBe(lost);
      expect(trace.kind(kRing + 1)).toBe(EventKind.snapshotBegun);
      expect(prove(trace).problem).toBeUndefined();
    });

    test('a snapshot changes nothing: the model has the same state already', async () => {
      const { recorder, program } = await load();
      for (let i = 0; i < 5; ++i) {
        program._churn(3000);
        recorder.snapshot();
      }
      recorder.checkpoint();
      const proof = prove(traceOfRecords(recorder.records()));
      expect(proof.problem).toBeUndefined();
      expect(proof.proofs).toBe(6); // the snapshots, and the checkpoint
    });

    test('a listener runs inside malloc: calls that would need the program are refused, and its own error does not reach the program', async () => {
      const { recorder, program } = await load();
      const refused: string[] = [];
      recorder.subscribe(() => {
        for (const call of [() => recorder.mark('x'), () => recorder.snapshot(), () => recorder.checkpoint()]) {
          try {
            call();
          } catch (error) {
            refused.push((error as Error).message);
          }
        }
      });
      program._churn(20_000);
      expect(refused[0]).toMatch(/^heapglass: a listener runs inside malloc, where mark is not possible/);
      expect(refused.length % 3).toBe(0);
    });

    test('unknown options are refused by name', async () => {
      const wrong = async (options: object) => load(options as RecorderOptions);
      await expect(wrong({ mode: 'fast' })).rejects.toThrow('the mode "fast" is unknown; it is "lossless" or "drop"');
      await expect(wrong({ keeps: 1 })).rejects.toThrow('the option "keeps" is unknown; it is "mode" or "keep"');
      await expect(wrong({ keep: -1 })).rejects.toThrow('what to keep, "-1" is unknown');
    });
  });
}

/** The texts of named marks (event.P5). */
function marksOf(trace: Trace): string[] {
  const marks: string[] = [];
  let bytes: number[] = [];
  for (let event = 0; event < trace.count; ++event) {
    if (trace.kind(event) === EventKind.text) {
      const words = Uint32Array.of(trace.a(event), trace.b(event), trace.c(event));
      bytes.push(...new Uint8Array(words.buffer).subarray(0, trace.head(event) >>> 16));
    } else {
      if (trace.kind(event) === EventKind.mark) marks.push(new TextDecoder().decode(Uint8Array.from(bytes)));
      bytes = [];
    }
  }
  return marks;
}
