// A program with known numbers, linked, recorded and reported by the commands alone.

import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../web/src/report/report_types.ts';
import { buildForTests, type CommandLine } from './command_line.ts';
import { countedBy, type Known } from './known.ts';

let cli: CommandLine;
let traced = '';
beforeAll(async () => {
  cli = await buildForTests();
  traced = cli.link('known', 'trace');
});
afterAll(() => cli?.dispose());

const reportOf = (trace: string): Report => JSON.parse(cli.run('report', trace, '--json').stdout) as Report;

describe('run', () => {
  test.each([
    [[] as string[], 0],
    [['20000'], 0],
    [['3000', 'all'], 0],
    [['500', 'fail'], 7],
  ])('records known %j exactly as it counted itself', (given, code) => {
    const { stdout, stderr, status } = cli.run('run', '-o', 'known.hgtrace', traced, ...given);
    expect(stderr).toMatch(/known\.hgtrace: .* recorded/);
    expect(status).toBe(code);
    const known = JSON.parse(stdout) as Known;
    const report = reportOf('known.hgtrace');
    expect(report.notices).toEqual([]);
    expect(report.trace.lost_events).toBe(0);
    expect(countedBy(report)).toEqual(known);
    expect(report.temporaries.allocations).toBeGreaterThanOrEqual(50);
    expect(report.advice.reserves).toContainEqual(
      expect.objectContaining({ first_bytes: 1000, last_bytes: 64_000, steps: 6, copied_bytes: 63_000 }),
    );
  });

  test('hands input, output and what is wrong to the program and back', () => {
    writeFileSync(
      join(cli.folder, 'echo.cjs'),
      "let t = ''; process.stdin.on('data', (d) => (t += d)).on('end', () => { console.log(t + process.argv.slice(2)); console.error('bad'); });",
    );
    const { stdout, stderr } = cli.runWith('typed ', 'run', 'echo.cjs', '--json', '-o', 'x');
    expect(stdout).toBe('typed --json,-o,x\n'); // options behind the script are the program's
    expect(stderr).toMatch(/^bad\n/);
  });

  test('says why there is no trace, and fails, when the program has no recorder', () => {
    const untraced = cli.link('known', 'fast');
    writeFileSync(join(cli.folder, 'older.hgtrace'), 'of another program');
    const { stdout, stderr, status } = cli.run('run', '-o', 'older.hgtrace', untraced, '100');
    expect(stdout).toContain('"allocations"');
    expect(stderr).toBe(
      `heapglass: ${untraced} wrote no trace: only a program that is linked with the flags of heapglass --ldflags --profile trace, or loads a module that heapglass instrument made, records itself, from its first call of malloc on\n`,
    );
    expect(status).toBe(1);
    expect(readFileSync(join(cli.folder, 'older.hgtrace'), 'utf8')).toBe('of another program');
    expect(cli.run('run', '-o', 'older.hgtrace', untraced, '100', 'fail').status).toBe(7);
  });

  test('passes a signal on, ends by it, and leaves a trace that can be read', async () => {
    const script = cli.link('waits', 'trace');
    const child = spawn(process.execPath, [cli.command, 'run', '-o', 'waits.hgtrace', script], { cwd: cli.folder });
    await new Promise((said) => child.stdout.once('data', said));
    child.kill('SIGTERM');
    const ended = await new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })));
    expect(ended).toEqual({ code: null, signal: 'SIGTERM' });
    expect(statSync(join(cli.folder, 'waits.hgtrace')).size).toBeGreaterThan(0);
  });

  test('keeps the last events only when it is asked to', () => {
    const { status, stdout } = cli.run('run', '--keep', '20000', '-o', 'kept.hgtrace', traced, '20000');
    expect(status).toBe(0);
    const report = reportOf('kept.hgtrace');
    expect(report.trace.lost_events).toBeGreaterThan(10_000);
    expect(report.notices[0]).toMatch(/events were lost/);
    // A snapshot stands behind the loss: what lives is known again, and every free is of a block that is known.
    const known = JSON.parse(stdout) as Known;
    expect(report.leaks.blocks).toBe(known.live_blocks);
    expect(report.totals.unknown_frees).toBe(0);
    expect(report.trace.proof?.equal).toBe(true);
  });
});

describe('report', () => {
  beforeAll(() => {
    cli.run('run', '-o', 'report.hgtrace', traced, '3000');
  });

  test('as text fits a terminal and names the peak, the leaks and what forced growth', () => {
    const { stdout, status } = cli.run('report', 'report.hgtrace');
    expect(status).toBe(0);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    for (const part of [
      'peak of live bytes',
      'What still lives, by size',
      'What forced each growth',
      'a reserve may pay',
    ]) {
      expect(stdout).toContain(part);
    }
  });

  test.each([
    ['peak<32MiB leaks>0, lost=0', 0, /held: peak is .* \(most bytes asked for and not freed\), as peak<32MiB/],
    ['peak < 1 KiB', 1, /broken: peak is .*, and not peak < 1 KiB/],
    ['leaks=0 fragmentation<=100% growths>=1', 1, /broken: leaks is \d+ \(blocks live at the end\), and not leaks=0/],
    ['temporaries<1%', 1, /broken: temporaries is [\d.]+ %/],
    ['peek<3', 2, /there is no metric "peek"; there are peak, footprint/],
    ['peak<3parsec', 2, /"parsec" in peak<3parsec is no unit; there are B, KB/],
    ['leaks<3KiB', 2, /leaks is a count, without a unit/],
    ['peak', 2, /"peak" is not a condition; one is written metric<value/],
  ])('--assert %j ends with %i and a sentence', (conditions, code, sentence) => {
    const { stdout, stderr, status } = cli.run('report', 'report.hgtrace', '--assert', conditions);
    expect(stdout + stderr).toMatch(sentence);
    expect(status).toBe(code);
  });

  test.each([
    [['report', 'absent.hgtrace'], '"absent.hgtrace": there is no such file or folder', 2],
    [['report', 'node_modules'], '"node_modules": it is a folder', 2],
    [['report', 'package.json'], '"package.json": this is not a heapglass trace', 2],
    [['report', 'report.hgtrace', '--jsn'], "Unknown option '--jsn'\n(Did you mean --json?)", 2],
    [['report'], "Missing required argument 'trace'\n(see heapglass report --help)", 2],
    [['report', 'report.hgtrace', '--temporary-within', '0'], 'It must be a whole number, 1 or more', 2],
    [['view', 'absent.hgtrace'], '"absent.hgtrace": there is no such file or folder', 1],
    [['reprot', 'x'], "Unknown command 'reprot'\n(Did you mean report?)", 1],
    [['run', 'absent.js'], '"absent.js": there is no such file or folder', 1],
    [['run', 'known-trace.wasm'], 'run takes a script for Node', 1],
    [['run', '--keep', 'some', 'x.js'], "argument 'some' is invalid", 1],
    [['--ldflag'], "Unknown option '--ldflag'\n(Did you mean --ldflags?)", 1],
  ])('%j is refused with a sentence', (given, sentence, code) => {
    const { stdout, stderr, status } = cli.run(...given);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^heapglass: /);
    expect(stderr).toContain(sentence);
    expect(status).toBe(code);
  });

  test('help names every command, and each command has its own', () => {
    const { stdout } = cli.run('--help');
    for (const name of ['run', 'view', 'report']) {
      expect(stdout).toContain(`heapglass ${name} `);
      expect(cli.run(name, '--help')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`heapglass ${name}`),
      });
    }
  });
});
