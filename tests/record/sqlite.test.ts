// A real program under load: SQLite, whose main writes some hundred rings full within one call. Part of npm run check:links;
// HG_LOAD_SECONDS=60 is the long load.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import sqlite from '../bench/malloc/programs/sqlite/program.mjs';
import { glueFlags, kFull, root, toolchains } from '../link/toolchain.ts';
import { prove, recorderFlags, runRecorded, traceOfFile } from './recorded_program.ts';

const kSeconds = process.env['HG_LOAD_SECONDS'] ?? '5';

describe.skipIf(!kFull)('SQLite', { timeout: 900_000 }, () => {
  for (const toolchain of toolchains()) {
    const link = async (name: string, flags: readonly string[]) => {
      const prepared = await sqlite.prepare();
      if (prepared === undefined) throw new Error('the sources of SQLite are not there and cannot be fetched');
      const all = [...recorderFlags('trace'), ...prepared.flags, '-O1', '-sALLOW_MEMORY_GROWTH', '-w', ...flags];
      const linked = await toolchain.link(`record_${name}`, prepared.sources, all);
      return { script: linked.wasm.replace(/\.wasm$/, '.js'), expected: prepared.expected };
    };

    test(`is recorded without loss, prints what it prints unrecorded, and the model ends as its heap: ${toolchain.version}`, async () => {
      const { script, expected } = await link('sqlite', []);
      const run = await runRecorded(toolchain, script, []);
      expect(createHash('sha256').update(run.printed).digest('hex')).toBe(expected);
      const { trace, notice } = traceOfFile(run.file);
      expect(notice).toBeUndefined();
      const proof = prove(trace);
      expect(proof.problem).toBeUndefined();
      expect(proof.lost).toBe(0);
      expect(trace.count).toBeGreaterThan(1_000_000);
    });

    test(`under load for ${kSeconds} s loses nothing in lossless mode and counts exactly what it loses in drop mode: ${toolchain.version}`, async () => {
      const again = ['-sMODULARIZE', '-sINVOKE_RUN=0', '-sEXPORTED_RUNTIME_METHODS=callMain'];
      const { script } = await link('sqlite_again', again);
      for (const mode of ['lossless', 'drop']) {
        const path = script.replace(/\.js$/, `.${mode}.hgtrace`);
        const load = join(root, 'tests/record/programs/load.cjs');
        const given = [...glueFlags(toolchain.order), load, script, kSeconds, mode, path];
        const { stdout } = await promisify(execFile)(process.execPath, given);
        const { lost, count, runs } = JSON.parse(stdout) as { lost: number; count: number; runs: number };
        const { trace } = traceOfFile(path);
        const proof = prove(trace);
        console.log(`${mode}: ${runs} runs, ${count} events, ${lost} lost, ${trace.count} kept`);
        expect(proof.problem).toBeUndefined();
        expect(proof.lost + trace.count - (proof.kinds.get(EventKind.eventsLost) ?? 0)).toBe(count);
        if (mode === 'lossless') expect(lost).toBe(0);
        else expect(lost).toBeGreaterThan(1_000_000);
      }
    });
  }
});
