// What a call through a forwarder costs where V8 has compiled the caller: no call. A forwarder, its cell and the cell's function are constants
// there, because nobody changed the cell, so the caller itself calls wasm. Counted in V8's own listing.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import wabtModule from 'wabt';

const kMostParameters = 6;
const folder = mkdtempSync(join(tmpdir(), 'heapglass-calls-'));
const script = join(folder, 'compiled_calls.cjs');
let wasm = '';

beforeAll(async () => {
  buildSync({
    entryPoints: [fileURLToPath(new URL('compiled_calls.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'error',
  });
  const wabt = await wabtModule();
  const functions = Array.from({ length: kMostParameters + 1 }, (_, n) => {
    const given = Array.from({ length: n }, () => '(param i32)').join(' ');
    return `(func (export "takes_${n}") ${given} (result i32) (i32.const ${n}))`;
  });
  const module = wabt.parseWat('calls.wat', `(module ${functions.join('\n')})`);
  wasm = Buffer.from(module.toBinary({}).buffer).toString('base64');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Code {
  readonly calls: number;
  readonly instructions: number; // without those that only fill
  readonly inlinesForwarder: boolean;
}

/** Of each caller, as it was compiled last. */
function codeOf(how: 'with' | 'without'): ReadonlyMap<string, Code> {
  const flags = ['--allow-natives-syntax', '--predictable', '--print-opt-code', '--print-opt-code-filter=callsOf_*'];
  const given = [...flags, script, wasm, how];
  const printed = execFileSync(process.execPath, given, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const code = new Map<string, Code>();
  for (const part of printed.split(/^name = (?=callsOf_)/m).slice(1)) {
    const [, listing = '', rest = ''] = /^Instructions \(size = \d+\)$([\s\S]*?)\n\n([\s\S]*)/m.exec(part) ?? [];
    const lines = listing.match(/^0x[0-9a-f]+ +[0-9a-f]+ +[0-9a-f]+ +\S.*$/gm) ?? [];
    const made = lines.filter((line) => !/ (nop|int3l)\b/.test(line));
    code.set(part.slice(0, part.indexOf('\n')), {
      calls: made.filter((line) => / call /.test(line)).length,
      instructions: made.length,
      inlinesForwarder: /^Inlined functions[\s\S]*heapglass forwarder/m.test(rest),
    });
  }
  return code;
}

test('a compiled caller has no call more, and at most four instructions, whatever it passes', () => {
  const without = codeOf('without');
  const through = codeOf('with');
  expect(without.size).toBe(kMostParameters + 1);
  expect(through.size).toBe(without.size);
  for (const [name, code] of through) {
    const plain = without.get(name);
    expect([name, code.inlinesForwarder, code.calls]).toEqual([name, true, plain?.calls]);
    expect(code.instructions - (plain?.instructions ?? 0), name).toBeLessThanOrEqual(4);
    expect(plain?.inlinesForwarder).toBe(false);
  }
});
