// What the commands write, and where: names in a trace are text for every terminal, an output is whole or is not there, and never an input.

import { linkSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../web/src/report/report_types.ts';
import { type BareCommand, buildBareCommand } from './bare_command.ts';
import { namedTrace } from './named_trace.ts';

const kHostile = '\x1b]0;x\x07\x1b[2J\x9b31m\u202eevil\u2066\nheapglass: verified OK\r';
const kTrace = 'in.hgtrace';

let cli: BareCommand;
beforeAll(async () => {
  cli = await buildBareCommand();
  cli.write(kTrace, namedTrace('plain'));
  cli.write('other.hgtrace', namedTrace('plain', [5000]));
  cli.write('hostile.hgtrace', namedTrace(kHostile));
  cli.write('grown.hgtrace', namedTrace(kHostile, [100, 300, 70_000]));
  cli.write('list.rep', 'a 0 100\n');
  cli.write('app.js', '');
});
afterAll(() => cli?.dispose());

test('only the door writes to a terminal', () => {
  const folder = fileURLToPath(new URL('../../package/cli', import.meta.url));
  const inPrograms = ['output.ts', 'record_instrumented.ts']; // the latter runs inside the program
  for (const name of readdirSync(folder).filter((each) => !inPrograms.includes(each))) {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text, name).not.toMatch(/console\.|std(out|err)\.write/);
  }
});

test.each([
  [['report', 'hostile.hgtrace']],
  [['report', 'hostile.hgtrace', '--json']],
  [['report', 'hostile.hgtrace', '--assert', 'leaks=0', 'site:*evil* leaks=0']],
  [['report', 'hostile.hgtrace', '--between', kHostile, 'x']],
  [['diff', 'hostile.hgtrace', 'grown.hgtrace']],
  [['diff', 'hostile.hgtrace', 'grown.hgtrace', '--json']],
  [['convert', 'hostile.hgtrace', `${kHostile.replaceAll('\n', '')}.csv`]],
  [['convert', 'hostile.hgtrace', kHostile]],
  [['report', kHostile]],
  [['view', kHostile]],
  [['run', `${kHostile}.wasm`]],
  [['instrument', kHostile]],
  [['replay', 'hostile.hgtrace', '--on', kHostile]],
  [['symbolize', 'hostile.hgtrace', kHostile]],
  [[kHostile]],
  [['report', 'hostile.hgtrace', `--${kHostile}`]],
])('%j shows it as text', (given) => {
  const { stdout, stderr } = cli.run(...given);
  const said = stdout + stderr;
  expect(said).toMatch(/evil|\\u202e|\\x1b/);
  expect(said).not.toMatch(/(?!\n)\p{Cc}|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  expect(said).not.toMatch(/^heapglass: verified OK/m);
});

test('a page shows it as text too', () => {
  expect(cli.run('report', 'hostile.hgtrace', '--html', 'hostile.html').status).toBe(0);
  const page = readFileSync(join(cli.folder, 'hostile.html'), 'utf8').replace(/<script.*?<\/script>/gs, '');
  expect(page).toContain('\\x1b]0;x\\x07\\x1b[2J\\x9b31m\\u{202e}evil\\u{2066}');
  expect(page).not.toMatch(/(?![\n\r\t])\p{Cc}|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
});

test('JSON has the name as it is', () => {
  const { trace } = JSON.parse(cli.run('report', 'hostile.hgtrace', '--json').stdout) as Report;
  expect(trace.title).toBe(kHostile);
});

const kOnto: readonly [given: readonly string[], status: number][] = [
  [['report', kTrace, '--html', kTrace], 2],
  [['report', kTrace, '--html', './soft'], 2],
  [['report', 'soft', '--html', 'hard'], 2],
  [['diff', kTrace, 'other.hgtrace', '--html', 'other.hgtrace'], 2],
  [['diff', 'other.hgtrace', 'hostile.hgtrace', '--noise', kTrace, 'grown.hgtrace', '--html', 'hard'], 2],
  [['convert', kTrace, kTrace], 1],
  [['convert', kTrace, 'hard', '--to', 'csv'], 1],
  [['convert', 'hard', './soft', '--from', 'hgtrace', '--to', 'csv'], 1],
  [['replay', kTrace, '--rounds', '0', '--on', 'fast', '--html', 'soft'], 1],
  [['replay', kTrace, '--rounds', '0', '--on', 'fast', '--trace', 'hard'], 1],
  [['replay', kTrace, '--rounds', '0', '--on', 'fast', '--trace', 'same', '--html', 'same'], 1],
  [['instrument', kTrace, '-o', 'soft'], 1],
  [['instrument', 'app.js', '--glue', kTrace, '-o', 'hard'], 1],
  [['symbolize', 'other.hgtrace', kTrace, '-o', 'soft'], 1],
  [['run', '-o', 'app.js', 'app.js'], 1],
];

test('an output onto an input is refused before anything is touched', () => {
  symlinkSync(kTrace, join(cli.folder, 'soft'));
  linkSync(join(cli.folder, kTrace), join(cli.folder, 'hard'));
  const names = readdirSync(cli.folder);
  for (const [given, expected] of kOnto) {
    const { status, stderr, stdout } = cli.run(...given);
    expect(stderr, given.join(' ')).toMatch(/^heapglass: "[^"]+" is (the input|the same file as|named for two)/);
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
    expect(readFileSync(join(cli.folder, kTrace))).toEqual(Buffer.from(namedTrace('plain')));
  }
  const appended = cli.shell(`heapglass report ${kTrace} >> ${kTrace}`);
  expect(appended.stderr).toContain('"standard output" is the same file as the input');
  expect(readFileSync(join(cli.folder, kTrace))).toEqual(Buffer.from(namedTrace('plain')));
  expect(readdirSync(cli.folder)).toEqual(names);
});

test('a link to another file is written through, and a device is written as it is', () => {
  cli.write('target.csv', 'old');
  symlinkSync('target.csv', join(cli.folder, 'link.csv'));
  expect(cli.run('convert', kTrace, 'link.csv').status).toBe(0);
  expect(readFileSync(join(cli.folder, 'target.csv'), 'utf8')).toContain('event');
  expect(cli.shell(`heapglass convert ${kTrace} /dev/stdout --to csv | cat`).stdout).toContain('event');
  expect(cli.run('convert', kTrace, '/dev/null', '--to', 'csv').status).toBe(0);
  expect(cli.shell('test -c /dev/null').status).toBe(0);
});

test.each([
  [`heapglass report ${kTrace} > /dev/full`, 2, 'the disk is full'],
  [`heapglass report ${kTrace} --json > /dev/full`, 2, 'the disk is full'],
  [`heapglass report ${kTrace} --assert 'leaks>0' > /dev/full`, 2, 'the disk is full'],
  [`heapglass diff ${kTrace} other.hgtrace > /dev/full`, 2, 'the disk is full'],
  ['heapglass --help > /dev/full', 1, 'the disk is full'],
  ['heapglass report --help > /dev/full', 2, 'the disk is full'],
  [`heapglass report ${kTrace} --html /dev/full`, 2, '"/dev/full": the disk is full'],
  [`heapglass convert ${kTrace} /dev/full --to csv`, 1, '"/dev/full": the disk is full'],
  [`(heapglass report ${kTrace} --json; echo $? >&2) | true`, 0, 'its reader has ended\n2\n'],
])('%s ends with %i and a sentence', (line, status, sentence) => {
  const { stderr, status: found } = cli.shell(line);
  expect(stderr).toContain(sentence);
  expect(stderr).toMatch(/^(heapglass: .*\n|\d\n)+$/);
  expect(found).toBe(status);
});

test('a standard error that nobody reads changes no exit code', () => {
  expect(cli.shell('heapglass report absent 2> /dev/full').status).toBe(2);
  expect(cli.shell(`heapglass convert ${kTrace} quiet.csv 2> /dev/full`).status).toBe(0);
});

test('names that are not UTF-8 are opened, and written', () => {
  const line = (text: string) => cli.shell(`n=$(printf 'a\\xff.hgtrace'); o=$(printf 'b\\xfe.csv'); ${text}`);
  expect(line(`cp ${kTrace} "$n"; heapglass report "$n" --assert 'leaks=2'`)).toMatchObject({ status: 0, stderr: '' });
  expect(line('heapglass convert "$n" "$o"; test -s "$o" && echo there').stdout).toBe('there\n');
  expect(line('heapglass report "$n" --html="$o" && head -c 9 "$o"').stdout).toBe('<!doctype');
  expect(line('heapglass convert "$n" "$n"').stderr).toContain('is the input');
  expect(line('heapglass run -o "$n" app.js').stderr).toContain('this name is not UTF-8, and run passes it on');
  const twice = line('m=$(printf "a\\\\xfe.hgtrace"); cp "$n" "$m"; heapglass diff "$n" "$m"');
  expect(twice).toMatchObject({ status: 1, stderr: expect.stringContaining('two names given look like this') });
});
