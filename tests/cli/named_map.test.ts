// A module names its source map, and a stranger's module may name any file: symbolize reads only what lies beside the module.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BareCommand, buildBareCommand } from './bare_command.ts';
import { namedTrace } from './named_trace.ts';

const kLimit = 20_000; // milliseconds

let cli: BareCommand;
beforeAll(async () => {
  cli = await buildBareCommand();
  cli.write('in.hgtrace', namedTrace('one'));
});
afterAll(() => cli?.dispose());

const named = (text: string): number[] => [text.length, ...Buffer.from(text)];
function moduleNaming(url: string): Uint8Array {
  const body = [...named('sourceMappingURL'), ...named(url)];
  return Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, body.length, ...body);
}

// A pipe without a writer: whoever opens it waits for ever.
test.each(['../pipe.map', 'x/../../pipe.map', './/../pipe.map'])(
  'a module that names %s reads nothing there',
  (url) => {
    cli.shell('mkdir -p module/x; rm -f pipe.map; mkfifo pipe.map');
    cli.write('module/app.wasm', moduleNaming(url));
    const { signal, status, stderr } = spawnSync(
      process.execPath,
      [cli.command, 'symbolize', 'in.hgtrace', 'module/app.wasm', '-o', 'out.hgtrace'],
      { cwd: cli.folder, encoding: 'utf8', timeout: kLimit, killSignal: 'SIGKILL' },
    );
    expect(signal, 'it waits for the pipe').toBeNull();
    expect(stderr).toContain('lies outside the folder of the module');
    expect(status).toBe(0);
    expect(existsSync(join(cli.folder, 'out.hgtrace'))).toBe(true);
  },
);

test('a map that is no file, or no map, is one sentence', () => {
  cli.write('app.wasm', moduleNaming('folder.map'));
  cli.shell('mkdir folder.map');
  const { stderr } = cli.run('symbolize', 'in.hgtrace', 'app.wasm', '-o', 'out.hgtrace');
  expect(stderr).toMatch(/^(heapglass: .+\n)+$/);
  expect(stderr).not.toContain('fault of heapglass');
});
