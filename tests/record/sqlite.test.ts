// A real program under load: SQLite, whose main writes some hundred rings full within one call. Part of npm run check:links.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import sqlite from '../bench/malloc/programs/sqlite/program.mjs';
import { kFull, toolchains } from '../link/toolchain.ts';
import { prove, recorderFlags, runRecorded, traceOfFile } from './recorded_program.ts';

describe.skipIf(!kFull)('SQLite', { timeout: 600_000 }, () => {
  for (const toolchain of toolchains()) {
    test(`is recorded without loss, prints what it prints unrecorded, and the model ends as its heap: ${toolchain.version}`, async () => {
      const prepared = await sqlite.prepare();
      if (prepared === undefined) {
        console.log('SQLite is not there and cannot be fetched: skipped');
        return;
      }
      const flags = [...recorderFlags('trace'), ...prepared.flags, '-O2', '-sALLOW_MEMORY_GROWTH', '-w'];
      const linked = await toolchain.link('record_sqlite', prepared.sources, flags);
      const run = await runRecorded(toolchain, linked.wasm.replace(/\.wasm$/, '.js'), []);
      expect(createHash('sha256').update(run.printed).digest('hex')).toBe(prepared.expected);
      const { trace, notice } = traceOfFile(run.file);
      expect(notice).toBeUndefined();
      const proof = prove(trace);
      expect(proof.problem).toBeUndefined();
      expect(proof.lost).toBe(0);
      expect(trace.count).toBeGreaterThan(700_000);
    });
  }
});
