import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { kFormats } from '../../../web/src/convert/formats.ts';
import { programTable } from '../../../web/src/convert/program_table.ts';
import { unpickle } from '../../../web/src/convert/unpickle.ts';
import { Session } from '../../../web/src/engine/session.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { LoadError } from '../../../web/src/wasm/compile_wasm.ts';
import { importCase, importSeeds, openImport } from '../../fuzz/import_cases.ts';

async function reading(format: string, content: string | Uint8Array, name?: string) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const read = kFormats.find(({ name }) => name === format)?.read;
  if (read === undefined) throw new Error(`${format} cannot be read`);
  return read(bytes, name === undefined ? {} : { name });
}

async function opened(format: string, content: string | Uint8Array): Promise<TraceFile> {
  const file = await reading(format, content);
  if (!file.ok) throw new Error(file.error);
  return file.value;
}

async function refused(format: string, content: string | Uint8Array): Promise<string> {
  const file = await reading(format, content);
  return file.ok ? `opened: ${file.value.notice}` : file.error;
}

/** [call, bytes] of each row. */
function callsOf(file: TraceFile): [number, number][] {
  const { call, bytes, count } = programTable(file);
  return Array.from({ length: count }, (_, row) => [call[row] ?? 9, bytes[row] ?? 0]);
}

/** The trace as the glass has it: every checkpoint in it agrees with the model. */
function proved({ trace, wordSize, notes }: TraceFile): Session {
  const session = Session.open(trace, wordSize, notes);
  expect([session.mismatch, session.waiting]).toEqual([undefined, undefined]);
  return session;
}

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

describe('lists of operations', () => {
  test('of malloclab are replayed on the real allocator, and the model proves it', async () => {
    const file = await opened('rep', '20000\n3\n6\n1\na 0 512\na 1 128\nr 0 640\nf 1\na 1 64\nf 0\n');
    expect(callsOf(file)).toEqual([
      [0, 512],
      [0, 128],
      [2, 640],
      [1, 128],
      [0, 64],
      [1, 640],
    ]);
    expect(proved(file).verified).toEqual([file.trace.count]);
  });

  test('have the title that they are given, or say that they are operations', async () => {
    for (const [name, title] of [
      ['cold start', 'cold start'],
      [undefined, 'operations'],
    ]) {
      const file = await reading('rep', 'a 0 8\n', name);
      expect(file.ok && file.value.notes.title).toBe(title);
    }
  });

  test('are replayed on the module that is given', async () => {
    const bytes = new TextEncoder().encode('a 0 8\n');
    const read = kFormats.find(({ name }) => name === 'rep')?.read;
    await expect(read?.(bytes, { wasm: new Uint8Array(8) })).rejects.toThrow(LoadError);
  });

  test('may begin with an empty line, and end without one', async () => {
    const file = await opened('rep', '\na 0 100\n\n# a remark\r\nf 0');
    expect(callsOf(file)).toEqual([
      [0, 100],
      [1, 100],
    ]);
  });

  test('with a realloc to no bytes go on: a free and a malloc of 0 bytes, in a block that has to be freed', async () => {
    const file = await opened('rep', 'a 0 100\nr 0 0\na 1 8\nf 0\nf 1\n');
    expect(file.notice).toBeUndefined();
    expect(callsOf(file)).toEqual([
      [0, 100],
      [1, 100],
      [0, 0],
      [0, 8],
      [1, 0],
      [1, 8],
    ]);
  });

  test('as CSV may have names, alignments and any ids', async () => {
    const file = await opened(
      'csv',
      'op,id,size,align\nmalloc,0xa0,100\nmemalign,b,1000,4096\ncalloc,c,8\nfree,0xa0\n',
    );
    expect(callsOf(file)).toEqual([
      [0, 100],
      [0, 1000],
      [0, 8],
      [1, 100],
    ]);
    const { address } = programTable(file);
    expect((address[1] ?? 1) % 4096).toBe(0);
    proved(file);
  });

  test.each([
    ['a 1 100\nf 2\n', /line 2: block 2 is not live/],
    ['a 1 100\na 1 5\n', /line 2: block 1 is live already/],
    ['a 1 many\n', /line 1: "many" is no size/],
    ['a 1 -5\n', /line 1: "-5" is no size/],
    ['a 1 1.5\n', /line 1: "1.5" is no size/],
    ['a 1 4294967296\n', /line 1: "4294967296" is no size/],
    ['a 1\n', /line 1: "" is no size/],
    ['m 1 100 -8\n', /line 1: "-8" is no alignment/],
    ['m 1 100 536870912\n', /line 1: "536870912" is no alignment/],
    ['m 1 100 24\n', /line 1: "24" is no alignment/],
    ['a 1 100\nx 2\n', /line 2: there is no operation "x".*a line is "a 1 100"/],
    ['op id size\n7\na 1 8\nop id size\n', /line 4: there is no operation "op"/], // names of columns come before all others
    ['a 1 8\n7\n', /line 2: there is no operation "7"/],
    ['', /there is no operation in it/],
    ['a\n', /the block has no id/],
  ])('that cannot be read are named by line: %j', async (text, sentence) => {
    expect(await refused('rep', text)).toMatch(sentence);
  });

  test('that need more than 4 GiB are carried out up to there', async () => {
    const file = await opened('rep', 'a 1 100\na 2 4294967295\na 3 8\n');
    expect(file.notice).toMatch(/^operation 2: heapglass has no 4294967295 bytes/);
    expect(callsOf(file).slice(0, 1)).toEqual([[0, 100]]);
  });
});

describe('heaptrack', () => {
  const kText = 'v 10500 3\nX ./app\nI 1000 1\ns 4 main\nt 1 0\na 40 1\n+ 0\n+ 0\na 100 1\n+ 1\n- 0\nc a\nR 100\n- 1\n';
  test('is replayed by its allocation infos', async () => {
    const file = await opened('heaptrack', kText);
    expect(callsOf(file)).toEqual([
      [0, 64],
      [0, 64],
      [0, 256],
      [1, 64],
      [1, 256],
    ]);
    proved(file);
  });

  test.each([
    ['a 40 1\n+ 7\n', /line 2: there is no allocation 7/],
    ['hello\n', /line 1: "hello" is no line of heaptrack/],
    ['a zz 1\n', /has no number/],
    ['a 100000000 1\n', /line 1: "a 100000000 1" has no number/],
    ['a -1 1\n', /line 1: "a -1 1" has no number/],
    ['v 1 3\n', /there is no allocation in it/],
  ])('that cannot be read is named by line: %j', async (text, sentence) => {
    expect(await refused('heaptrack', text)).toMatch(sentence);
  });
});

describe('a PyTorch snapshot', () => {
  test.each(['snapshot_protocol_2', 'snapshot_protocol_4'])('shows its segments and blocks: %s', async (name) => {
    const file = await opened('pytorch', fixture(`${name}.pickle`));
    const { state } = proved(file).model.head;
    expect(state.segments.map(({ size }) => size)).toEqual([2 * 2 ** 20 + 8, 2 * 2 ** 20 + 8]);
    expect([state.inUse, state.heap(1).chunksInUse]).toEqual([2048 + 2 * 2 ** 20 - 512, 3]);
    expect(callsOf(file)).toEqual([
      [0, 2000],
      [0, 2 ** 20],
      [0, 2 ** 20 - 512],
    ]);
    expect(file.notice).toMatch(/^the 1 steps of its history are left out/);
  });

  test('never runs what a pickle names', async () => {
    expect(await refused('pytorch', fixture('runs_code.pickle'))).toMatch(/uses opcode 0x93, .* it is not followed/);
    for (const code of ['c', 'R', 'b', 'i', 'o', '\x81', '\x82', 'P', 'Q']) {
      const bytes = Uint8Array.from([0x80, 2, ...Buffer.from(code, 'latin1'), 0x2e]);
      expect(unpickle(bytes)).toMatchObject({ ok: false, error: expect.stringMatching(/it is not followed/) });
    }
  });

  test('reads what Python writes for data', () => {
    // pickle.dumps({'a': [1, -2, 300, 2**40, -2**70, 1.5, True, None, b'x'], ('t',): 'é'}, 4)
    const hex =
      '80049544000000000000007d94288c0161945d94284b014afeffffff4d2c018a060000000000018a090000000000000000c0473ff8' +
      '000000000000884e43017894658c01749485948c02c3a994752e';
    const read = unpickle(Uint8Array.from(Buffer.from(hex, 'hex')));
    if (!read.ok || !(read.value instanceof Map)) throw new Error('no dictionary');
    const [[a, list], [key, text]] = [...read.value] as [[unknown, unknown], [unknown, unknown]];
    expect([a, key, text]).toEqual(['a', ['t'], 'é']);
    expect(list).toEqual([1, -2, 300, 2 ** 40, -(2n ** 70n), 1.5, true, null, Uint8Array.of(0x78)]);
  });
});

test('300 damaged imports are answered with a sentence, or open', { timeout: 120_000 }, async () => {
  const seeds = importSeeds(fileURLToPath(new URL('fixtures', import.meta.url)));
  let said = 0;
  for (let seed = 1; seed <= 300; ++seed) said += (await openImport(importCase(seeds, seed))) === undefined ? 0 : 1;
  expect(said).toBeGreaterThan(150);
});
