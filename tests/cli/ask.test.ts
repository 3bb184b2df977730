// heapglass ask, on programs that the commands themselves linked, instrumented and recorded: the same sentences as the report.

import type { SpawnSyncReturns } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answers } from '../../web/src/answers/answers_types.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { functionNames } from '../../web/src/symbols/function_names.ts';
import { readModule, readSections } from '../../web/src/symbols/index.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  cli.run('run', '-o', 'linked.hgtrace', cli.link('known', 'trace'), '5000');
  const script = cli.compile('known', '--profiling-funcs', '-g');
  const wasm = script.replace('.js', '.wasm');
  copyFileSync(join(cli.folder, wasm), join(cli.folder, 'original.wasm'));
  cli.run('instrument', '--stacks', 'original.wasm', '-o', wasm); // never onto its input
  cli.run('run', '-o', 'instrumented.hgtrace', script, '5000');
  const nameless = instrumentedWithoutNames(join(cli.folder, wasm));
  expect(nameless.status, nameless.stderr).toBe(0);
  cli.run('run', '-o', 'nameless.hgtrace', script, '5000');
});

/** original.wasm without its names and lines, to `wasm`; which functions allocate is given. */
function instrumentedWithoutNames(wasm: string): SpawnSyncReturns<string> {
  const bytes = readFileSync(join(cli.folder, 'original.wasm'));
  const names = functionNames(readModule(bytes));
  const indexOf = (is: RegExp) => `${[...names].find(([, name]) => is.test(name))?.[0]}`;
  const kept = readSections(bytes).filter(({ id }) => id !== 0);
  const parts = [bytes.subarray(0, 8), ...kept.map(({ headerAt, end }) => bytes.subarray(headerAt, end))];
  writeFileSync(join(cli.folder, 'nameless.wasm'), Buffer.concat(parts));
  const given = [
    '--malloc',
    indexOf(/^(dl|emscripten_builtin_)?malloc$/),
    '--free',
    indexOf(/^(dl|emscripten_builtin_)?free$/),
  ];
  return cli.run('instrument', '--stacks', ...given, 'nameless.wasm', '-o', wasm);
}
afterAll(() => cli?.dispose());

const reportOf = (trace: string) => JSON.parse(cli.run('report', trace, '--json').stdout) as Report;
const askJson = (...words: readonly string[]) => JSON.parse(cli.run('ask', ...words, '--json').stdout) as Answers;
const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ');

describe.each(['linked.hgtrace', 'instrumented.hgtrace'])('%s', (trace) => {
  test('every growth has the sentence of the report', () => {
    const { growths } = reportOf(trace);
    expect(growths.list.length).toBeGreaterThan(0);
    for (const { event, sentence, cause } of growths.list.slice(-3)) {
      const { stdout, status } = cli.run('ask', 'why grow', trace, '--at', String(event));
      expect(stdout.split('\n')[0]).toBe(plain(sentence));
      expect(status).toBe(trace.startsWith('linked') || cause === 'begins' ? 0 : 2);
    }
  });

  test('without a question all five are answered, each by its heading', () => {
    const { stdout, status } = cli.run('ask', trace);
    expect(stdout.match(/^\S.*\?$/gm)).toEqual([
      'Who holds the memory?',
      'What leaked?',
      'Why did it grow?',
      'What fits?',
      'What pins this hole?',
    ]);
    expect(status).toBe(0);
  });

  test('what is still held is what the report says', () => {
    expect(askJson('what', 'leaked', trace).answers.leaked?.figures.blocks).toBe(reportOf(trace).end.live_blocks);
  });
});

test('a program with call stacks names its own function, one without says how to record them', () => {
  const named = { sentence: expect.stringMatching(/^`\w+` \(known\.c:\d+\) holds /), missing: '' };
  expect(askJson('who holds', 'instrumented.hgtrace').answers.holds).toMatchObject(named);
  expect(askJson('who holds', 'nameless.hgtrace').answers.holds).toMatchObject({
    sentence: expect.stringMatching(/^`wasm-function\[/),
    missing: expect.stringContaining('heapglass symbolize trace app.debug.wasm'),
  });
  expect(cli.run('symbolize', 'nameless.hgtrace', 'original.wasm').status).toBe(0);
  expect(askJson('who holds', 'nameless.hgtrace').answers.holds).toMatchObject(named);
  const { stdout, status } = cli.run('ask', 'who holds', 'linked.hgtrace');
  expect(stdout).toMatch(
    /which function made them, this trace does not say\.\nCall stacks say who, .*: cp app\.wasm original\.wasm && npx heapglass instrument original\.wasm --stacks -o app\.wasm && npx heapglass run app\.js$/m,
  );
  expect(status).toBe(2);
});

test('a foreign program says what recording would tell what is free', () => {
  const { stdout, status } = cli.run('ask', 'will', '300', 'KiB', 'fit', 'instrumented.hgtrace');
  expect(stdout).toMatch(/what is free is not known.*\n.*linked with heapglass --ldflags --profile trace/i);
  expect(status).toBe(2);
});

test('a question that nobody knows, a file that is none and a moment that is none are refused in words', () => {
  const unknown = cli.run('ask', 'how warm', 'linked.hgtrace');
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('"who holds", "what leaked", "why grow"'),
  ]);
  expect(cli.run('ask', 'who holds', 'none.hgtrace')).toMatchObject({ status: 2 });
  expect(cli.run('ask', 'linked.hgtrace', '--at', 'x').stderr).toMatch(/whole number/);
});
