// What loaded_programs.mjs measures: a program with data, as bytes, in another instance, and set back. Bundled, and run in Node.

import { checkpoint, reset, restore, snapshot } from '../../../web/src/shrink/shrink.ts';
import { type OpenProgram, openTextProgram } from '../../web/shrink/text_program.ts';

export interface Loaded {
  readonly live: number;
  readonly snapshotBytes: number;
  /** Milliseconds, medians. */
  readonly times: Readonly<Record<string, number>>;
}

interface Exports {
  hg_malloc_get_stats(stats: number): void;
  hg_memory_scratch(): number;
  readonly memory: WebAssembly.Memory;
}

const kPage = 4096;
const kRounds = 5;
const kInUseWord = 2; // hg_malloc_stats
export const kTouched = [0, 1, 100, 10_000];

const exportsOf = ({ instance }: OpenProgram) => instance.exports as unknown as Exports;

/** Bytes of the program's chunks, headers included. */
function liveBytes(program: OpenProgram): number {
  const exports = exportsOf(program);
  const at = exports.hg_memory_scratch() >>> 0;
  exports.hg_malloc_get_stats(at);
  return new Uint32Array(exports.memory.buffer)[(at >>> 2) + kInUseWord] ?? 0;
}

async function median(act: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < kRounds; ++round) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[kRounds >>> 1] ?? 0;
}

const kGroup = 50; // pages

/** Pages that a reset writes when they are touched, spread evenly; fewer where there are not so many. pre: there is a checkpoint */
function livePages(program: OpenProgram, count: number): number[] {
  const words = new Int32Array(exportsOf(program).memory.buffer);
  const pages: number[] = [];
  for (let page = 1 << 20; page + kPage <= 4 * words.length; page += kPage) {
    if (words[(page + 2048) >>> 2] !== 0 && words[(page + 3000) >>> 2] !== 0) pages.push(page);
  }
  const size = Math.min(kGroup, count);
  const step = Math.max(1, Math.floor(pages.length / (count + 2 * size)));
  const spread = pages.filter((_, i) => i % step === 0);
  const live: number[] = [];
  // What is free or cached holds something, too, and no reset writes it: a group with such a page is left out.
  for (let at = 0; at < spread.length && live.length < count; at += size) {
    const group = spread.slice(at, at + size);
    touch(program, group);
    if (reset(program.instance) === group.length) live.push(...group);
  }
  return live.slice(0, count);
}

function touch(program: OpenProgram, pages: readonly number[]): void {
  const bytes = new Uint8Array(exportsOf(program).memory.buffer);
  for (const page of pages) bytes[page + 2048] = (bytes[page + 2048] ?? 0) ^ 0xff;
}

/** `answer`: a text whose output says whether all is there. */
export async function measure(
  bytes: Uint8Array<ArrayBuffer>,
  load: readonly string[],
  answer: string,
): Promise<Loaded> {
  const loaded = async (): Promise<OpenProgram> => {
    const program = await openTextProgram(bytes);
    for (const text of load) program.type(text);
    return program;
  };
  const answered = (program: OpenProgram): string => {
    program.printed.length = 0;
    program.type(answer);
    return program.printed.join('|');
  };
  const program = await loaded();
  const expected = answered(program);
  const times: Record<string, number> = { 'start and load': await median(loaded) };
  const live = liveBytes(program);
  let kept = snapshot(program.instance);
  times['snapshot()'] = await median(() => {
    kept = snapshot(program.instance);
  });
  let twin = program;
  times['start and restore()'] = await median(async () => {
    twin = await openTextProgram(bytes);
    restore(twin.instance, kept);
  });
  prove(answered(twin), expected);
  times['checkpoint()'] = await median(() => checkpoint(program.instance));
  for (const touched of kTouched) {
    const pages = livePages(program, touched);
    if (pages.length < touched) continue; // it has not so many
    const resets: number[] = [];
    for (let round = 0; round < kRounds; ++round) {
      touch(program, pages);
      const began = performance.now();
      const written = reset(program.instance);
      resets.push(performance.now() - began);
      prove(String(written), String(touched));
    }
    times[`reset(), ${touched} pages touched`] = resets.sort((a, b) => a - b)[kRounds >>> 1] ?? 0;
  }
  prove(answered(program), expected);
  return { live, snapshotBytes: kept.length, times };
}

function prove(found: string, expected: string): void {
  if (found !== expected) throw new Error(`'${found}' instead of '${expected}'`);
}
