// Damaged files of other tools, and what a visitor does with them: one is read, and what it becomes is opened.

import { readFileSync } from 'node:fs';
import { createRandom } from '../../web/src/base/random.ts';
import { kFormats } from '../../web/src/convert/formats.ts';
import type { WasmSource } from '../../web/src/heap/heap_types.ts';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { openCase } from './open_case.ts';

const kSnapshots = ['snapshot_protocol_2', 'snapshot_protocol_4'];

export interface ImportCase {
  readonly format: string;
  readonly bytes: Uint8Array;
}

/** Well-formed ones, to be damaged. fixtures: a folder. */
export function importSeeds(fixtures: string): readonly ImportCase[] {
  const text = (format: string, words: string) => ({ format, bytes: new TextEncoder().encode(words) });
  return [
    text('rep', 'a 0 512\na 1 128\nr 0 640\nf 1\nf 0\n'.repeat(20)),
    text(
      'csv',
      `op,id,size,align\n${'malloc,a,100\nmemalign,b,1000,4096\ncalloc,c,8\nrealloc,a,9000\nfree,a\nfree,b\nfree,c\n'.repeat(9)}`,
    ),
    text('heaptrack', 'v 1 3\nX ./app\na 40 1\n+ 0\n+ 0\na 100 1\n+ 1\n- 0\nc a\n- 1\n'.repeat(5)),
    ...kSnapshots.map((name) => ({
      format: 'pytorch',
      bytes: new Uint8Array(readFileSync(`${fixtures}/${name}.pickle`)),
    })),
  ];
}

export function importCase(seeds: readonly ImportCase[], seed: number): ImportCase {
  const random = createRandom(seed);
  const { format, bytes: whole } = seeds[random.below(seeds.length)] as ImportCase;
  let bytes = whole.slice();
  for (let n = 1 + random.below(5); n > 0; --n) {
    const at = random.below(bytes.length);
    const kind = random.below(6);
    if (kind === 0) bytes = bytes.slice(0, at + 1);
    else if (kind === 1) bytes.copyWithin(at, random.below(bytes.length));
    else if (kind === 2) bytes[at] = '0123456789'.charCodeAt(random.below(10));
    else if (kind === 3)
      bytes = Uint8Array.from([...bytes.subarray(0, at), ...whole.subarray(random.below(whole.length))]);
    else bytes[at] = random.below(256);
  }
  return { format, bytes };
}

/** What was said; undefined: it opened without a remark. Throws when it is no sentence. */
export async function openImport({ format, bytes }: ImportCase, wasm?: WasmSource): Promise<string | undefined> {
  const read = kFormats.find(({ name }) => name === format)?.read;
  const file = await read?.(bytes, wasm === undefined ? {} : { wasm });
  if (file === undefined) throw new Error(`${format} cannot be read`);
  if (!file.ok) {
    const isSentence =
      /^[a-z].{10,}/s.test(file.error) && !/undefined|Cannot |not a function|is not iterable/.test(file.error);
    if (!isSentence || file.error.length > 600) throw new Error(`no sentence: ${file.error}`);
    return file.error;
  }
  const { trace, wordSize, notes, notice } = file.value;
  return (await openCase(new Uint8Array(encodeTraceFile(trace, wordSize, notes)))) ?? notice;
}
