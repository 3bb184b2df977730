// Figures of measurements. Those that two documents state are the same figure; those that a compiler gives (bytes, instructions)
// are counted again, when the compiler is the one that the document names. Times are only compared between documents.
//
//   ST1  A figure with fewer digits is the other one, rounded: "1.04" of "1.037".

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { codeSizes } from '../../tools/check_size.mjs';
import { kScenes } from '../../web/src/scenes/index.ts';
import { archive, emccVersion } from '../bench/harness/compile.mjs';
import { readFastPath } from '../bench/malloc/fast_path.mjs';
import { kEvery } from '../every.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** A document, and a place in it with one figure or several. */
type Place = readonly [document: string, place: RegExp];

interface Row {
  readonly what: string;
  readonly said: Place;
  readonly so: Place | (() => readonly number[]);
}

/** The row of a replayed program: "most off, of six" is its last cell. */
const programsBeyond10Percent = () =>
  [...read('docs/replay.md').matchAll(/^\| \w+ \| [\d,]+ .*\| ([+-][\d.]+) % \(`[\w-]+`\) \|$/gm)].filter(
    ([, off]) => Math.abs(Number(off)) > 10,
  ).length;

const kRows: readonly Row[] = [
  ...(
    [
      ['memory', 'exact memory', ' [\\d.]+ \\|'],
      ['time of the whole program', 'time', ''],
    ] as const
  ).flatMap(([inReadme, table, median]) =>
    (['heapglass', 'emmalloc', 'mimalloc'] as const).map(
      (allocator, nth): Row => ({
        what: `${inReadme} of random programs with ${allocator}: mean, one in ten, worst`,
        said: [
          'README.md',
          new RegExp(`\\| ${inReadme} (?:\\| [^|\\n]+){${nth}}\\| ([\\d.]+) · ([\\d.]+) · ([\\d.]+) \\|`),
        ],
        so: [
          'docs/malloc.md',
          new RegExp(
            `\\n\\| ${table} \\|(?:[^\\n]*\\n){2,5}?\\| ${allocator} \\| ([\\d.]+) \\|${median} ([\\d.]+) \\| ([\\d.]+)`,
          ),
        ],
      }),
    ),
  ),
  {
    what: 'the time with a newer compiler and Node, and with mimalloc',
    said: ['README.md', /other programs took ([\d.]+) of the time \(([\d.]+), ([\d.]+)\), and ([\d.]+) with mimalloc/],
    so: [
      'docs/malloc.md',
      /\n\| time \|[^\n]*Node 24[\s\S]*?\| heapglass \|[^\n]*\(\d+\) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \([\s\S]*?\| mimalloc \|(?: [\d.]+ \|){3} ([\d.]+) \|/,
    ],
  },
  {
    what: 'where malloc is slower',
    said: [
      'README.md',
      /other sizes take ([\d.]+) of the time[\s\S]*?up to ([\d.]+) of the cycles in malloc, and up to ([\d.]+) in/,
    ],
    so: [
      'docs/malloc.md',
      /other sizes takes ([\d.]+) of dlmalloc's time[\s\S]*?16 KiB and more take [\d.]+ to ([\d.]+) of dlmalloc's cycles, in a used one [\d.]+ to ([\d.]+)\./,
    ],
  },
  {
    what: 'bytes of malloc, with threads and of its small profile, in KB',
    said: ['README.md', /malloc adds ([\d.]+) KB of wasm, ([\d.]+) KB with threads \(`small`: ([\d.]+) KB\)/],
    so: () => {
      const [full = Number.NaN, threads = Number.NaN] = figuresAt(
        'docs/malloc_figures.md',
        /### Code[\s\S]*?\| heapglass \| ([\d,]+) \|(?: [\d,]+ \|){3} ([\d,]+) /,
      );
      const [small = Number.NaN] = figuresAt(
        'docs/malloc_figures.md',
        /\| heapglass-small \| ([\d,]+) \| [\d,]+ \| [\d,]+ \| [\d,]+ \| –/,
      );
      return [full / 1000, threads / 1000, small / 1000];
    },
  },
  {
    what: 'the cost of recording: dropped, into memory, into a file',
    said: [
      'README.md',
      /`fast`, ([\d.]+) of the time when the events are dropped, ([\d.]+) into memory and ([\d.]+) into a file/,
    ],
    so: ['docs/recording.md', /\| geometric mean \| \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|/],
  },
  {
    what: 'the cost of recording the most expensive program',
    said: ['README.md', /6\.6 million events a second, takes ([\d.]+), ([\d.]+) and ([\d.]+)\./],
    so: ['docs/recording.md', /\| tree-sitter \| [\d,]+ \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| ([\d.]+) \|/],
  },
  {
    what: 'claims: memory on random programs, mean and worst',
    said: ['docs/claims.md', /\| ([\d.]+) of dlmalloc's memory on 200 random programs, the worst ([\d.]+) \|/],
    so: [
      'docs/malloc.md',
      /exact memory \|[^\n]*\n[^\n]*\n\| heapglass \| ([\d.]+) \| [\d.]+ \| [\d.]+ \| ([\d.]+) \(/,
    ],
  },
  {
    what: 'claims: time on random programs, with two compilers',
    said: ['docs/claims.md', /\| ([\d.]+) of the time with dlmalloc on 24 random programs, ([\d.]+) on 24 others/],
    so: ['docs/malloc.md', /\n\| time \|[^\n]*\n[^\n]*\n\| heapglass \| ([\d.]+) [^\n]*\(\d+\) \| ([\d.]+) /],
  },
  {
    what: 'claims: counted cycles, in malloc and in the program',
    said: ['docs/claims.md', /\| ([\d.]+) of dlmalloc's cycles in malloc, ([\d.]+) in the program/],
    so: [
      'docs/malloc.md',
      /\| {2}\| allocator \|[^\n]*\n[^\n]*\n\| heapglass \| ([\d.]+) \| [\d.]+ \| [\d.]+ \(\d+\) \| ([\d.]+) /,
    ],
  },
  {
    what: 'claims: bytes of wasm, as in the README',
    said: ['docs/claims.md', /Bytes of wasm: ([\d.]+) KB, with threads ([\d.]+) KB, `small` ([\d.]+) KB/],
    so: ['README.md', /malloc adds ([\d.]+) KB of wasm, ([\d.]+) KB with threads \(`small`: ([\d.]+) KB\)/],
  },
  {
    what: 'claims: replayed peaks',
    said: ['docs/claims.md', /(\d+) of (\d+) replayed peaks are within (\d+) %/],
    so: ['docs/replay.md', /Of the (?=48 peaks (\d+))(\d+) peaks \d+ are within (\d+) %/],
  },
  {
    what: 'replayed peaks within 10 %, by the table above the sentence',
    said: ['docs/replay.md', /Of the 48 peaks (\d+) are within/],
    so: () => [48 - programsBeyond10Percent()],
  },
  {
    what: 'claims: regressions that the diff names',
    said: ['docs/claims.md', /The diff names (\d+) of (\d+) planted regressions/],
    so: ['docs/diff.md', /The diff named (\d+) of the (\d+) regressions/],
  },
  {
    what: 'scenes, on the front page of the site',
    said: ['site/index.md', /Learn in (\d+) scenes/],
    so: () => [kScenes.length],
  },
];

const numberIn = (text: string) => Number(text.replaceAll(',', ''));

function textsAt(document: string, place: RegExp): readonly string[] {
  const found = place.exec(read(document));
  if (found === null) throw new Error(`${document} has nothing like ${place.source}`);
  return found.slice(1);
}

const figuresAt = (document: string, place: RegExp): readonly number[] => textsAt(document, place).map(numberIn);

/** ST1: a figure with as many digits as another one is written with. */
const rounded = (value: number, like = '') => value.toFixed(/\.(\d+)$/.exec(like)?.[1]?.length ?? 0);

test.each(kRows)('$what', ({ said, so }) => {
  const stated = textsAt(...said);
  const figures = typeof so === 'function' ? so() : figuresAt(...so);
  expect(stated).toEqual(figures.map((value, at) => rounded(value, stated[at])));
});

/** The rows of the first table below a heading that begins so, by their first cell. */
function tableBelow(document: string, heading: string): ReadonlyMap<string, readonly number[]> {
  const text = read(document);
  const lines = text.slice(text.indexOf(`\n## ${heading}`)).split('\n');
  const begin = lines.findIndex((line) => line.startsWith('|---'));
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith('|'));
  return new Map(
    lines.slice(begin + 1, end).map((line) => {
      const [name = '', ...cells] = line.slice(2, -2).split(' | ');
      return [name, cells.map(numberIn)];
    }),
  );
}

/** The documents name the compiler; 3.1.6 is not 3.1.69. */
const isCompiler = `${emccVersion()} `.includes(' 3.1.6 ');

describe.skipIf(!isCompiler)('counted with Emscripten 3.1.6', () => {
  test('the bytes in docs/measurements.md are those of the modules', () => {
    const sizes = Object.entries(codeSizes()).map(([set, { heapglass, dlmalloc, emmalloc }]) => [
      set,
      [heapglass, dlmalloc, emmalloc],
    ]);
    expect(Object.fromEntries(tableBelow('docs/measurements.md', 'Code'))).toEqual(Object.fromEntries(sizes));
  });

  test.runIf(kEvery)('the instructions in docs/malloc.md are those of the modules', async () => {
    const counted = new Map<string, readonly number[]>();
    for (const [name, suffix] of [
      ['malloc-fast', ''],
      ['malloc-fast-threads', ', threads'],
    ] as const) {
      for (const [call, kinds] of Object.entries(await readFastPath(archive(name), suffix !== '')))
        counted.set(`${call.replace('hg_', '')}${suffix}`, Object.values(kinds));
    }
    expect(Object.fromEntries(tableBelow('docs/malloc.md', 'Instructions'))).toEqual(Object.fromEntries(counted));
  });
});

test('a figure with fewer digits is the other one, rounded', () => {
  expect([rounded(1.037, '1.04'), rounded(1.099, '1.10'), rounded(7.037, '7.0'), rounded(47, '48')]).toEqual([
    '1.04',
    '1.10',
    '7.0',
    '47',
  ]);
  expect(rounded(1.046, '1.04')).not.toBe('1.04');
});
