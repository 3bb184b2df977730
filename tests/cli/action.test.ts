// action.yml, a composite action: its steps are run as a runner does, by its shell, with inputs as environment, and files for summary and
// outputs.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bumpAllocator } from '../package/bump_allocator.ts';
import { buildForTests, type CommandLine, root } from './command_line.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly name: string;
      readonly if?: string;
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
      readonly run: string;
    }[];
  };
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  writeFileSync(join(cli.folder, 'app.wasm'), bumpAllocator('malloc', 'free'));
  cli.run('instrument', 'app.wasm', '-o', 'recorded.wasm');
  for (const [name, kept] of [
    ['base', 1],
    ['head', 3],
  ] as const) {
    const work = `for (let nth = 0; nth < 10; ++nth) { const block = malloc(100); if (nth >= ${kept}) free(block); }`;
    const load = `const { instance } = await WebAssembly.instantiate(readFileSync('recorded.wasm'));`;
    const script = `import { readFileSync } from 'node:fs'; ${load} const { malloc, free } = instance.exports; ${work}`;
    writeFileSync(join(cli.folder, `${name}.mjs`), script);
    cli.run('run', '-o', `${name}.hgtrace`, `${name}.mjs`);
  }
});
afterAll(() => cli?.dispose());

/** What a condition or an expression of the action gives; only those that it has. */
function resolved(expression: string, inputs: Readonly<Record<string, string>>, failed: boolean): string {
  const inner = /^\$\{\{\s*(.*?)\s*\}\}$/.exec(expression)?.[1];
  if (inner === undefined) throw new Error(`${expression} is no expression`);
  const parts = inner.split(' && ').map((part) => {
    const input = /^inputs\.([a-z]+)(?: != '')?$/.exec(part)?.[1];
    if (input !== undefined) return inputs[input] ?? '';
    if (part === '!cancelled()') return 'true';
    throw new Error(`the test does not know ${part}`);
  });
  const runsBehindFailure = inner.includes('cancelled()');
  return failed && !runsBehindFailure ? '' : parts.every((part) => part !== '') ? (parts.at(-1) ?? '') : '';
}

function runAction(given: Readonly<Record<string, string>>): {
  failed: readonly string[];
  summary: string;
  output: string;
} {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, it]) => [name, given[name] ?? it.default ?? '']),
  );
  const [summary, output] = [join(cli.folder, 'summary.md'), join(cli.folder, 'output.txt')];
  for (const file of [summary, output]) writeFileSync(file, '');
  const failed: string[] = [];
  for (const { name, if: condition, shell, env, run } of action.runs.steps) {
    if (condition === undefined ? failed.length > 0 : resolved(condition, inputs, failed.length > 0) === '') continue;
    expect(shell).toBe('bash');
    const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, resolved(value, inputs, false)]));
    const { status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: cli.folder,
      env: { ...process.env, ...own, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output },
    });
    if (status !== 0) failed.push(name);
  }
  return { failed, summary: readFileSync(summary, 'utf8'), output: readFileSync(output, 'utf8') };
}

const heapglass = (): string => `${process.execPath} ${cli.command}`;

test('what holds passes, and the summary has the report and the difference', () => {
  const inputs = { trace: 'head.hgtrace', assert: 'leaks<=3', base: 'base.hgtrace', heapglass: heapglass() };
  const { failed, summary, output } = runAction(inputs);
  expect(failed).toEqual([]);
  expect(summary).toMatch(
    /## Heap\n[\s\S]*heapglass report: head\.hgtrace[\s\S]*## Conditions\n[\s\S]*leaks<=3[\s\S]*## Difference\n/,
  );
  expect(output).toBe('page=head.html\n');
  expect(readFileSync(join(cli.folder, 'head.html'), 'utf8')).toMatch(/^<!doctype html>/i);
});

test('a condition that does not hold fails the job, and the difference is written all the same', () => {
  const { failed, summary } = runAction({
    trace: 'head.hgtrace',
    assert: 'leaks=0',
    base: 'base.hgtrace',
    heapglass: heapglass(),
  });
  expect(failed).toEqual(['Conditions']);
  expect(summary).toMatch(/leaks=0[\s\S]*## Difference\n/);
});

test('without conditions and a base there is the report alone', () => {
  const { failed, summary } = runAction({ trace: 'base.hgtrace', heapglass: heapglass() });
  expect(failed).toEqual([]);
  expect(summary).not.toMatch(/Conditions|Difference/);
});

test('where the base has no trace yet, nothing is compared', () => {
  const { failed, summary } = runAction({ trace: 'head.hgtrace', base: 'absent.hgtrace', heapglass: heapglass() });
  expect(failed).toEqual([]);
  expect(summary).toContain('There is no trace of the base.');
});

test('a trace that is missing or has a name like a command fails, and runs nothing', () => {
  const { failed, summary } = runAction({ trace: '$(touch planted).hgtrace', heapglass: heapglass() });
  expect(failed).toEqual(['Report']);
  expect(summary).toMatch(/## Heap/);
  expect(() => readFileSync(join(cli.folder, 'planted'))).toThrow();
});
