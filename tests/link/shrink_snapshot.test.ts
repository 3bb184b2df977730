// snapshot(), restore(), checkpoint() and reset() of heapglass/shrink: linked programs as bytes, and set back.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { History } from '../../web/src/model/time/history.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { Recorder } from '../../web/src/record/recorder_types.ts';
import { makeReport } from '../../web/src/report/report.ts';
import { checkpoint, reset, restore, shrink, snapshot } from '../../web/src/shrink/shrink.ts';
import { Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { kLevel, someOf } from '../every.ts';
import { recorderFlags } from '../record/recorded_program.ts';
import { closureBuilds, shrinkFlags } from './shrink/flags.ts';
import { archive, glueFlags, root, type Toolchain, toolchains } from './toolchain.ts';

interface Program {
  _run(calls: number, most: number): number;
  _hold(bytes: number): number;
  _sum(address: number, bytes: number): number;
  _let_go(address: number): void;
  _stack_at(): number;
  _fails(how: number, depth: number): number;
  _keep_pointer(pointer: number): void;
  _call_kept(n: number): number;
  _calls_out(): number;
  addFunction(fn: (n: number) => number, signature: string): number;
  removeFunction(pointer: number): void;
  duringCall?: () => number;
  readonly HEAPU8: Uint8Array;
}

interface RecordedProgram extends Program {
  readonly heapglass: Recorder;
}

/** A trace, folded to the end. */
function foldOf(bytes: Uint8Array): { readonly file: TraceFile; readonly history: History } {
  const decoded = decodeTraceFile(bytes);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const history = new History(decoded.value.trace);
  history.fold();
  return { file: decoded.value, history };
}

const kMost = 4096;
const kPage = 4096;
const folder = mkdtempSync(join(tmpdir(), 'heapglass-program-'));
const goOn = join(folder, 'go_on.cjs');
const resets = join(folder, 'resets.cjs');
const require = createRequire(import.meta.url);

beforeAll(async () => {
  if (toolchains().some(({ order }) => glueFlags(order).length > 0)) vi.stubGlobal('fetch', undefined);
  await build({
    entryPoints: ['go_on', 'resets'].map((name) => join(root, `tests/link/shrink/${name}.ts`)),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    logLevel: 'error',
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

const start = (wasm: string): Promise<Program> => (require(wasm.replace(/\.wasm$/, '.js')) as () => Promise<Program>)();
const flip = (bytes: Uint8Array, at: number): void => {
  bytes[at] = (bytes[at] ?? 0) ^ 0x80;
};
const saidBy = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
};

describe.each(toolchains())('Emscripten $version', (toolchain) => {
  const builds = [['fast', '-O3'], ['checked', '-O1'], ['fast', '-O0'], ['small', '-O2'], ...closureBuilds()] as const;
  describe.each(someOf(builds))('profile %s, %s', (profile, level) => {
    let wasm = '';
    beforeAll(async () => {
      const given = [...level.split(' '), archive(profile), ...shrinkFlags(toolchain)];
      const name = `shrinks_${profile}${level.replaceAll(' ', '_')}`;
      ({ wasm } = await toolchain.link(name, ['shrinks.cpp'], given));
    }, 120_000);

    test('goes on in this process and in another one as the original does', async () => {
      const program = await start(wasm);
      program._run(5000, kMost);
      const bytes = snapshot(program);
      const path = join(folder, `${profile}${level}.snapshot`);
      writeFileSync(path, bytes);
      const twin = await start(wasm);
      twin._run(100, kMost); // what it did before is gone
      restore(twin, bytes);
      const expected = program._run(5000, kMost);
      expect(twin._run(5000, kMost)).toBe(expected);
      const given = [...glueFlags(toolchain.order), goOn, wasm.replace(/\.wasm$/, '.js'), path, '5000'];
      expect(execFileSync(process.execPath, given, { encoding: 'utf8' })).toContain(`found ${expected >>> 0}`);
    });

    test('a snapshot of what was restored has the same bytes, and taking one changes nothing', async () => {
      const [one, other] = [await start(wasm), await start(wasm)];
      for (let i = 0; i < 5; ++i) {
        expect(one._run(500, kMost)).toBe(other._run(500, kMost));
        snapshot(one);
      }
      const bytes = snapshot(one);
      expect(Buffer.compare(snapshot(other), bytes)).toBe(0);
      restore(other, bytes);
      expect(Buffer.compare(snapshot(other), bytes)).toBe(0);
    });

    test('is about what lives, also where much was freed', async () => {
      const program = await start(wasm);
      const before = snapshot(program).length;
      const blocks = Array.from({ length: 60 }, () => program._hold(1_000_000));
      for (const block of blocks.slice(0, 59)) program._let_go(block);
      const grown = snapshot(program).length - before;
      if (profile === 'checked') expect(grown).toBeLessThan(61_000_000);
      else expect(grown).toBeLessThan(1.02 * 1_000_000);
    });

    test('leaves out the insides of blocks that malloc caches', async () => {
      const program = await start(wasm);
      const blocks = Array.from({ length: 20_000 }, () => program._hold(200));
      for (const [i, block] of blocks.entries()) if (i % 2 === 0) program._let_go(block);
      const bytes = snapshot(program);
      const twin = await start(wasm);
      restore(twin, bytes);
      expect(twin._run(5000, kMost)).toBe(program._run(5000, kMost));
      const grown = bytes.length - snapshot(await start(wasm)).length;
      if (profile !== 'checked') expect(grown / 10_000).toBeLessThan(1.12 * 208);
      for (const each of [program, twin]) {
        for (const [i, block] of blocks.entries()) if (i % 2 === 1) each._let_go(block);
      }
      expect(twin._run(5000, kMost)).toBe(program._run(5000, kMost));
    });

    test('a reset makes calls give what they gave, after more calls, a growth and a shrink', async () => {
      const program = await start(wasm);
      program._run(2000, kMost);
      checkpoint(program);
      const expected = program._run(3000, kMost);
      for (const act of [
        () => program._run(500, kMost),
        () => program._hold(40_000_000),
        () => shrink(program),
        () => program._let_go(program._hold(60_000_000)),
      ]) {
        reset(program);
        await act();
        reset(program);
        expect(program._run(3000, kMost)).toBe(expected);
      }
    });

    test.each([
      [0, 'exit()'],
      [1, 'a trap'],
      [2, 'an exception of JavaScript'],
    ])('a reset puts back the stack that a call left: %i, %s', async (how) => {
      const program = await start(wasm);
      const at = program._stack_at();
      checkpoint(program);
      const expected = program._run(1000, kMost);
      program.duringCall = () => {
        throw new Error('out of a call');
      };
      for (let round = 0; round < 3; ++round) {
        reset(program);
        expect(() => program._fails(how, 100)).toThrow();
      }
      expect(reset(program)).toBeGreaterThan(0);
      expect(program._stack_at()).toBe(at);
      expect(program._run(1000, kMost)).toBe(expected);
    });

    test.each([0, 1, 100, 2000])('%i touched pages are written back, and no more', async (touched) => {
      const program = await start(wasm);
      const block = program._hold(10_000_000) >>> 0;
      checkpoint(program);
      for (let i = 0; i < touched; ++i) flip(program.HEAPU8, block + i * kPage);
      expect(reset(program)).toBe(touched);
      expect(program._sum(block, 10_000_000)).toBe(90 * 10_000_000);
    });

    test('added functions are known by their place in the table', async () => {
      const program = await start(wasm);
      const pointer = program.addFunction((n) => n + 1000, 'ii');
      program._keep_pointer(pointer);
      const bytes = snapshot(program);
      checkpoint(program);
      const twin = await start(wasm);
      expect(saidBy(() => restore(twin, bytes))).toMatch(
        /^refused: .*added a function to the table at \d+\. Call addFunction\(\) as before$/,
      );
      twin.addFunction((n) => n + 2000, 'ii');
      restore(twin, bytes);
      expect(twin._call_kept(1)).toBe(2001);
      program._keep_pointer(0);
      reset(program);
      expect(program._call_kept(1)).toBe(1001);
      await shrink(program);
      reset(program);
      program.removeFunction(pointer);
      expect(program.addFunction((n) => n + 3000, 'ii')).toBe(pointer);
      expect(saidBy(() => reset(program))).toMatch(/^refused: .* at \d+ is not there any more$/);
    });

    test('what cannot be is refused, and the program goes on', async () => {
      const program = await start(wasm);
      const hold = program._hold(1000);
      expect(saidBy(() => reset(program))).toBe(
        'refused: this program cannot go back: it has no checkpoint. Call checkpoint() before',
      );
      const bytes = snapshot(program);
      const during: string[] = [];
      program.duringCall = () => {
        for (const act of [snapshot, checkpoint, reset]) during.push(saidBy(() => act(program)));
        during.push(saidBy(() => restore(program, bytes)));
        return 0;
      };
      program._calls_out();
      expect(during).toEqual([
        'refused: this program has no snapshot: one of its functions is running: call snapshot() from JavaScript, between two calls',
        'refused: this program cannot be kept: one of its functions is running: call checkpoint() from JavaScript, between two calls',
        'refused: this program cannot go back: one of its functions is running: call reset() from JavaScript, between two calls',
        'refused: this program cannot go on with a snapshot: one of its functions is running: call restore() from JavaScript, between two calls',
      ]);
      const spoiled = bytes.slice();
      flip(spoiled, spoiled.length >>> 1);
      expect(saidBy(() => restore(program, spoiled))).toMatch(/^bad_snapshot: .*checksum/);
      expect(saidBy(() => restore(program, 'text' as unknown as ArrayBuffer))).toMatch(/^bad_argument: /);
      expect(saidBy(() => snapshot({}))).toMatch(/^not_linked: /);
      const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
        throw new RangeError('refused by the test');
      });
      const large = await start(wasm);
      grow.mockRestore();
      large._hold(50_000_000);
      const long = snapshot(large);
      const again = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
        throw new RangeError('refused by the test');
      });
      expect(saidBy(() => restore(program, long))).toMatch(
        /^out_of_memory: no memory of \d+ bytes: refused by the test$/,
      );
      again.mockRestore();
      expect(program._sum(hold, 1000)).toBe(90 * 1000);
    });
  });

  const linked = (name: string, ...flags: string[]): ReturnType<Toolchain['link']> =>
    toolchain.link(name, ['shrinks.cpp'], [...flags, ...shrinkFlags(toolchain)]);

  test('a snapshot of another build is refused', async () => {
    const [one, other] = [
      await start((await linked('shrinks_fast-O3', '-O3', archive('fast'))).wasm),
      await start((await linked(`shrinks_small${kLevel}`, kLevel, archive('small'))).wasm),
    ];
    expect(saidBy(() => restore(other, snapshot(one)))).toBe(
      'bad_snapshot: the snapshot is of another program, or of another build of this one',
    );
  }, 120_000);

  describe('a recorded program', () => {
    const traced = async (): Promise<RecordedProgram> =>
      (await start((await linked('shrinks_traced', kLevel, ...recorderFlags('trace'))).wasm)) as RecordedProgram;

    test('has no snapshot', async () => {
      const program = await traced();
      for (const act of [snapshot, (it: Program) => restore(it, new Uint8Array(8))])
        expect(saidBy(() => act(program))).toMatch(/^refused: .*it is recorded, and what its trace says has happened$/);
    }, 120_000);

    test('goes back as another one does, and its trace agrees with its heap behind each reset', async () => {
      const program = await traced();
      program._run(2000, kMost);
      checkpoint(program);
      const expected = program._run(3000, kMost);
      for (const act of [() => program._run(700, kMost), () => program._hold(40_000_000), () => shrink(program)]) {
        reset(program);
        await act();
        reset(program);
        program.heapglass.checkpoint(); // of the trace: the hash of a walk
        expect(program._run(3000, kMost)).toBe(expected);
      }
      program.heapglass.checkpoint();
      const { history, file } = foldOf(program.heapglass.trace());
      expect([history.broken, history.differs, history.lostEvents]).toEqual([undefined, undefined, 0]);
      expect(history.proofs.count).toBe(4 + 6); // and a snapshot behind each reset
      const kinds = Array.from({ length: file.trace.count }, (_, event) => file.trace.kind(event));
      expect(kinds.filter((kind) => kind === EventKind.stateReset)).toHaveLength(6);
      const { marks } = makeReport(file, { name: '' });
      expect(marks.list.filter(({ name }) => /^reset: [\d,]+ pages? written back$/.test(name))).toHaveLength(6);
    }, 120_000);

    test('goes on for who attached behind the checkpoint, with a snapshot', async () => {
      const program = await traced();
      program._run(1000, kMost);
      checkpoint(program);
      program._run(1000, kMost);
      const late = new Trace();
      program.heapglass.subscribe(({ records }) => late.append(records), { past: false });
      program.heapglass.snapshot();
      program._run(500, kMost);
      reset(program);
      program._run(500, kMost);
      program.heapglass.checkpoint();
      program.heapglass.drain();
      const history = new History(late);
      history.fold();
      expect([history.broken, history.differs, history.head.awaiting]).toEqual([undefined, undefined, false]);
      expect(history.proofs.count).toBeGreaterThan(0);
      expect(history.kept.isKnown).toBe(false);
    }, 120_000);

    test('writes its file on behind each reset', async () => {
      const { wasm } = await linked('shrinks_traced', kLevel, ...recorderFlags('trace'));
      const path = join(folder, 'resets.hgtrace');
      const given = [...glueFlags(toolchain.order), resets, wasm.replace(/\.wasm$/, '.js')];
      execFileSync(process.execPath, given, { env: { ...process.env, HEAPGLASS_RECORD: path } });
      const { history, file } = foldOf(readFileSync(path));
      expect([history.broken, history.differs, history.lostEvents, file.notice]).toEqual([
        undefined,
        undefined,
        0,
        undefined,
      ]);
      const kinds = Array.from({ length: file.trace.count }, (_, event) => file.trace.kind(event));
      expect(kinds.filter((kind) => kind === EventKind.stateReset)).toHaveLength(3);
      expect(history.proofs.count).toBe(1);
    }, 120_000);

    test('goes back from a trap inside a call, and its trace goes on', async () => {
      const program = await traced();
      checkpoint(program);
      const expected = program._run(1000, kMost);
      for (let round = 0; round < 3; ++round) {
        reset(program);
        expect(() => program._fails(1, 100)).toThrow();
      }
      reset(program);
      expect(program._run(1000, kMost)).toBe(expected);
      program.heapglass.checkpoint();
      const { history } = foldOf(program.heapglass.trace());
      expect([history.broken, history.differs]).toEqual([undefined, undefined]);
      expect(history.proofs.count).toBeGreaterThan(0);
    }, 120_000);
  });
});
