// heapglass instrument, by a C program that counts its own calls and is compiled as anyone would, with Emscripten's own allocators.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../web/src/report/report_types.ts';
import type { SampledReport } from '../../web/src/report/sampled.ts';
import { buildForTests, type CommandLine } from '../cli/command_line.ts';
import { countedBy, type Known } from '../cli/known.ts';
import { kEvery, someOf } from '../every.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
});
afterAll(() => cli?.dispose());

const at = (name: string): string => join(cli.folder, name);

/** Instruments the module of a script in place. */
function instrumentOf(script: string, ...options: readonly string[]): string {
  const wasm = script.replace('.js', '.wasm');
  const { stderr, status } = cli.run('instrument', wasm, '-o', 'out.wasm', ...options);
  expect(stderr).toMatch(/found /);
  expect(status).toBe(0);
  copyFileSync(at('out.wasm'), at(wasm));
  return stderr;
}

describe('an instrumented program', () => {
  test.each(someOf(['dlmalloc', 'emmalloc']))('with %s is recorded exactly as it counted itself', (allocator) => {
    const script = cli.compile('known', `-sMALLOC=${allocator}`, '-g2');
    const plain = cli.run('run', script, '3000').stderr;
    expect(plain).toMatch(/wrote no trace/);
    const found = instrumentOf(script);
    for (const name of ['malloc', 'free', 'calloc', 'realloc', 'memalign']) expect(found).toContain(name);
    const { stdout, stderr, status } = cli.run('run', '-o', 'known.hgtrace', script, '3000', 'all');
    expect(stderr).toMatch(/known\.hgtrace: .* recorded/);
    expect(status).toBe(0);
    const report = JSON.parse(cli.run('report', 'known.hgtrace', '--json').stdout) as Report;
    expect(report.notices).toEqual([]);
    expect(report.trace.word_bytes).toBe(0);
    const text = cli.run('report', 'known.hgtrace').stdout;
    expect(text).toContain('only the blocks are known');
    expect(text).not.toMatch(/with headers|free at the end|fragmentation/); // nobody saw that
    expect(countedBy(report)).toEqual(JSON.parse(stdout));
    const { stdout: counted } = cli.run('run', '-o', 'last.hgtrace', '--keep', '500', script, '9000', 'all');
    const last = JSON.parse(cli.run('report', 'last.hgtrace', '--json').stdout) as Report;
    expect(last.notices.join()).toMatch(/events were lost/);
    const { live_blocks, live_bytes } = JSON.parse(counted) as Known;
    expect(countedBy(last)).toMatchObject({ live_blocks, live_bytes });
  });
});

describe("a module whose exports' names are minified", () => {
  const kExported = '_main,_malloc,_free,_calloc,_realloc,_aligned_alloc';
  const compiled = () => cli.compile('known', '-O3', `-sEXPORTED_FUNCTIONS=${kExported}`);

  test('is found by what its glue says, beside it or named, and only so', () => {
    const script = compiled();
    const wasm = script.replace('.js', '.wasm');
    mkdirSync(at('alone'), { recursive: true });
    copyFileSync(at(wasm), at('alone/app.wasm'));
    const refused = cli.run('instrument', 'alone/app.wasm', '-o', 'out.wasm');
    expect(refused.stderr).toMatch(/minifier replaced them; --glue app\.js/);
    copyFileSync(at(script), at('alone/app.js'));
    const found = cli.run('instrument', 'alone/app.wasm', '-o', 'out.wasm');
    expect(found.stderr).toMatch(/found malloc .*, by app\.js beside the module/);
    writeFileSync(at('other.js'), 'var _malloc = function () {};');
    expect(cli.run('instrument', wasm, '--glue', 'other.js').stderr).toMatch(/does not say which export is malloc/);
    instrumentOf(script, '--glue', script);
    const { stdout } = cli.run('run', '-o', 'minified.hgtrace', script, '3000', 'all');
    const { allocations, frees, reallocations } = JSON.parse(stdout) as Known;
    const { totals } = JSON.parse(cli.run('report', 'minified.hgtrace', '--json').stdout) as Report;
    expect(totals).toMatchObject({ allocations, frees, reallocations });
  });

  // Daily without the command: glue_elsewhere.test.ts.
  test.runIf(kEvery)(
    'of several scripts beside it the one is believed that is called like it, names it, or is right',
    () => {
      const script = compiled();
      const wasm = script.replace('.js', '.wasm');
      mkdirSync(at('several'), { recursive: true });
      copyFileSync(at(wasm), at('several/app.wasm'));
      copyFileSync(at(script), at('several/app.js'));
      const by = (name: string) => cli.run('instrument', `several/${name}`, '-o', 'out.wasm').stderr;
      const [, taken] = /malloc \((\w+)\)/.exec(by('app.wasm')) ?? [];
      const exports = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(at(wasm))));
      const other = exports.find(({ name, kind }) => kind === 'function' && name !== taken)?.name;
      writeFileSync(at('several/older.js'), `var _malloc = asm["${other}"];`);
      expect(by('app.wasm')).toMatch(/, by app\.js beside the module/); // which is called like it, and the other one is not
      copyFileSync(at(wasm), at('several/moved.wasm'));
      const tried = by('moved.wasm'); // two scripts say different things
      expect(tried).toMatch(/, by app\.js beside the module, of 2 pairs that scripts say the one that behaves so/);
      expect(tried).toContain(`malloc (${taken})`);
      const names = `${readFileSync(at(script), 'utf8')}\nvar file = 'app.wasm', another = 'my-app.wasm';`;
      writeFileSync(at('several/app.js'), names);
      writeFileSync(at('several/older.js'), `var _malloc = asm["${other}"]; var file = 'my-app.wasm';`);
      expect(by('app.wasm')).toMatch(/, by app\.js beside the module/); // which names the file, and the other one does not
    },
  );
});

describe('a sampled program', () => {
  test('gives what it gave; the report estimates by site, and what would sum refuses', () => {
    const script = cli.compile('known', '-g2');
    copyFileSync(at(script.replace('.js', '.wasm')), at('before.wasm'));
    const plain = cli.run('run', script, '3000', 'all').stdout;
    instrumentOf(script, '--sample', '512');
    const ran = cli.run('run', '--symbols', 'before.wasm', '-o', 'sampled.hgtrace', script, '3000', 'all');
    expect(ran.stderr).toMatch(/(\d+) of \1 sites have names/);
    expect(ran.stdout).toBe(plain);
    const text = cli.run('report', 'sampled.hgtrace').stdout;
    expect(text).toMatch(/sampled: one allocation in 512 bytes; all figures are estimates from \d+ samples/);
    expect(text).toMatch(/Estimates by call site\n.*site\n.*main/);
    const { sampled, totals, sites } = JSON.parse(
      cli.run('report', 'sampled.hgtrace', '--json').stdout,
    ) as SampledReport;
    expect(sampled.mean_bytes).toBe(512);
    expect(totals.samples).toBeGreaterThan(100);
    expect(totals.allocations).toBeGreaterThan(totals.samples);
    expect(sites.every(({ stack }) => stack.length > 0)).toBe(true);
    const refused = [
      ['report', 'sampled.hgtrace', '--assert', 'leaks=0'],
      ['diff', 'sampled.hgtrace', 'sampled.hgtrace'],
      ['replay', 'sampled.hgtrace'],
      ['convert', 'sampled.hgtrace', 'sampled.pb.gz'],
    ];
    for (const command of refused) {
      const { stderr, status } = cli.run(...command);
      expect(stderr).toMatch(/^heapglass: "sampled\.hgtrace" has a sample of the blocks only, and /);
      expect(status).not.toBe(0);
    }
    expect(cli.run('instrument', 'before.wasm', '--sample', '0').stderr).toMatch(/bytes per sample, from 1 to/);
  });
});

describe('the command', () => {
  test('says in a sentence why a file cannot be done, and writes nothing', () => {
    writeFileSync(at('page.wasm'), '<!doctype html>');
    const { stderr, status } = cli.run('instrument', 'page.wasm', '-o', 'refused.wasm');
    expect(stderr).toMatch(/^heapglass: "page\.wasm" cannot be instrumented: it is not a wasm file/);
    expect(status).toBe(1);
    expect(existsSync(at('refused.wasm'))).toBe(false);
  });
});
