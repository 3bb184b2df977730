// The formats themselves are tested in tests/web/convert; here the command finds them, and says what is wrong.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kFormats } from '../../web/src/convert/formats.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { buildForTests, type CommandLine } from './command_line.ts';

const kList = 'a 0 100\na 1 200\nr 0 300\nf 1\na 2 50\n';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  writeFileSync(join(cli.folder, 'list.rep'), kList);
  cli.run('convert', 'list.rep', 'list.hgtrace');
});
afterAll(() => cli?.dispose());

test('a list of operations becomes a trace, played on the real allocator', () => {
  const { stderr, status, stdout } = cli.run('convert', 'list.rep', 'played.hgtrace');
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr).toMatch(/^heapglass: played\.hgtrace: \d+ events as hgtrace, /);
  const report = JSON.parse(cli.run('report', '--json', 'played.hgtrace').stdout) as Report;
  expect(report.totals).toMatchObject({ allocations: 3, allocated_bytes: 350, frees: 1, reallocations: 1 });
  expect(report.leaks).toMatchObject({ blocks: 2, bytes: 350 });
});

test.each(
  kFormats.filter(({ write }) => write !== undefined).map(({ name, extensions }) => [name, extensions[0] ?? '']),
)('a trace becomes %s, by the name of the file and by --to', (name, extension) => {
  expect(cli.run('convert', 'list.hgtrace', `by_name${extension}`).status).toBe(0);
  expect(cli.run('convert', 'list.hgtrace', 'by_option', '--to', name).status).toBe(0);
  expect(statSync(join(cli.folder, `by_name${extension}`)).size).toBeGreaterThan(20);
  expect(readFileSync(join(cli.folder, 'by_option'))).toEqual(readFileSync(join(cli.folder, `by_name${extension}`)));
});

test.each([
  [['list.hgtrace', 'out.xyz'], 'no format of "out.xyz" is known; --to takes hgtrace, csv'],
  [['list.hgtrace', 'out', '--to', 'rep'], 'rep is a format that is not written; --to takes hgtrace'],
  [['list.unknown', 'out.csv'], 'no format of "list.unknown" is known; --from takes hgtrace, csv'],
  [['absent.hgtrace', 'out.csv'], '"absent.hgtrace": there is no such file or folder'],
  [['list.rep', 'out.csv', '--from', 'hgtrace'], '"list.rep": this is not a heapglass trace'],
  [['list.hgtrace', 'no/such/folder.csv'], '"no/such/folder.csv": there is no such file or folder'],
  [['list.hgtrace'], "Missing required argument 'out'"],
])('convert %j is refused with a sentence', (given, sentence) => {
  const { stderr, status } = cli.run('convert', ...given);
  expect(stderr).toContain(sentence);
  expect(status).toBe(1);
  expect(existsSync(join(cli.folder, 'out.csv'))).toBe(false);
});

test('report names it where a file of another tool is given', () => {
  const { stderr, status } = cli.run('report', 'list.rep');
  expect(stderr).toContain('this is not a heapglass trace');
  expect(stderr).toContain('heapglass convert list.rep out.hgtrace makes one of it');
  expect(status).toBe(2);
});

test('its help lists the formats and which way they go', () => {
  const { stdout } = cli.run('convert', '--help');
  for (const { name } of kFormats) expect(stdout).toMatch(new RegExp(`^ {2}${name} .*`, 'm'));
  expect(stdout).toMatch(/ hgtrace +in, out +\.hgtrace +a heapglass trace/);
});
