// The k-th read, write, open, rename, fsync and close of a command fails, for every k until the command succeeds untouched: each time a
// sentence, an exit code, every input as it was, and the output as it was before or whole (the way SQLite tests itself).
//
//   npx vitest run tests/cli/failures.test.ts    one command            npm run check:failures    all of them, with a table

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { type BareCommand, buildBareCommand } from './bare_command.ts';
import { runFailing } from './failures/failing.ts';
import { namedTrace } from './named_trace.ts';

const kAll = process.env['HG_FAILURES'] === 'all';
const kInputs = ['in.hgtrace', 'other.hgtrace', 'app.wasm'];
const kOut = 'out';
const kThere = 'what was there before';
const kMost = 200;
/** instrument looks for the JavaScript beside a module: a folder that cannot be listed has none. */
const kOptional = ['readdirSync'];
/** The whole of a row, instrument's too, which loads Binaryen each of 52 times. Counts are compared here, not times. */
const kLimit = 1_800_000;

const kCommands: readonly (readonly [name: string, given: readonly string[], daily: boolean])[] = [
  ['convert', ['convert', 'in.hgtrace', kOut, '--to', 'csv'], true],
  ['report --html', ['report', 'in.hgtrace', '--html', kOut], false],
  ['convert to a trace', ['convert', 'in.hgtrace', kOut, '--to', 'hgtrace'], false],
  ['report', ['report', 'in.hgtrace'], false],
  ['report --json', ['report', 'in.hgtrace', '--json'], false],
  ['diff --html', ['diff', 'in.hgtrace', 'other.hgtrace', '--html', kOut], false],
  [
    'replay',
    ['replay', 'in.hgtrace', '--on', 'emmalloc', '--from', 'emmalloc', '--rounds', '0', '--html', kOut],
    false,
  ],
  ['instrument', ['instrument', 'app.wasm', '-o', kOut], false],
  ['ask', ['ask', 'in.hgtrace'], false],
  ['symbolize', ['symbolize', 'in.hgtrace', 'app.wasm', '-o', kOut], false],
  ['instrument --stacks', ['instrument', 'app.wasm', '--stacks', '-o', kOut], false],
];

let cli: BareCommand;
const rows: string[] = [];
beforeAll(async () => {
  cli = await buildBareCommand();
  const module = (await wabt()).parseWat(
    'm.wat',
    '(module (memory 1) (func (export "malloc") (param i32) (result i32) (i32.const 8)))',
  );
  cli.write('in.hgtrace', namedTrace('one'));
  cli.write('other.hgtrace', namedTrace('one', [5000]));
  cli.write('app.wasm', module.toBinary({}).buffer);
});
afterAll(() => {
  cli?.dispose();
  if (kAll) console.log(['command: runs, failures, losses', ...rows].join('\n'));
});

test.each(kCommands.filter(([, , daily]) => daily || kAll))(
  '%s loses nothing, whichever call fails',
  (name, given) => {
    const contents = () => kInputs.map((input) => readFileSync(join(cli.folder, input)));
    const outOf = () => (existsSync(join(cli.folder, kOut)) ? readFileSync(join(cli.folder, kOut), 'utf8') : undefined);
    const before = contents();
    rmSync(join(cli.folder, kOut), { force: true }); // of a try before
    const files = readdirSync(cli.folder);
    runFailing(cli, given, 0);
    const whole = outOf();
    let failures = 0;
    for (const held of kAll ? [undefined, kThere] : [kThere]) {
      for (let nth = 1; ; ++nth) {
        expect(nth, 'it never succeeds').toBeLessThan(kMost);
        if (held === undefined) rmSync(join(cli.folder, kOut), { force: true });
        else cli.write(kOut, held);
        const { status, stderr, failed } = runFailing(cli, given, nth);
        expect(contents(), `${failed} ${nth}`).toEqual(before);
        if (failed === '') {
          expect(status, stderr).toBe(0);
          break;
        }
        failures += 1;
        if (kOptional.includes(failed) && status === 0) {
          expect(outOf(), `${failed} ${nth}`).toBe(whole);
          continue;
        }
        expect(status, `${failed} ${nth}: ${stderr}`).toBeGreaterThan(0);
        expect(stderr, `${failed} ${nth}`).toMatch(/^(heapglass: .+\n)+$/);
        expect(stderr).not.toMatch(/fault of heapglass|injected/);
        expect(outOf(), `${failed} ${nth}`).toBe(held);
        const left = readdirSync(cli.folder).filter((file) => file !== kOut);
        expect(left, `${failed} ${nth}`).toEqual(files);
      }
      rmSync(join(cli.folder, kOut), { force: true });
    }
    rows.push(`${name}: ${failures + 2}, ${failures}, 0`);
  },
  kLimit,
);
