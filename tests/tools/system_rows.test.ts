// Every row of docs/systems.md is proved by a test that names it: TEST(A2_expansion_command, ...) in C++, a test or
// describe whose name holds the id as a word in TypeScript.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kThis = 'tests/tools/system_rows.test.ts';

interface Row {
  readonly id: string;
  readonly where: readonly string[];
}

/** The rows of the tables: | id | what | `place`, `place` | */
function systemRows(): readonly Row[] {
  const text = readFileSync(join(root, 'docs/systems.md'), 'utf8');
  return [...text.matchAll(/^\| ([A-E]E?\d+) \| [^|]+ \| ([^|]+) \|$/gm)].map((match) => ({
    id: match[1] ?? '',
    where: [...(match[2] ?? '').matchAll(/`([^`]+)`/g)].map((place) => place[1] ?? ''),
  }));
}

/** Names of suites and tests in the sources of all tests, by file. */
function testNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(root, 'tests'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = relative(root, path);
    if (!entry.isFile() || file === kThis) continue;
    const pattern = /\.cpp$/.test(file)
      ? /\bTEST(?:_F|_P)?\(\s*(\w+\s*,\s*\w+)/g
      : /\.(test|spec)\.ts$/.test(file)
        ? /\b(?:describe|test|it)(?:\.\w+(?:\([^()]*\))?)*\(\s*(['"`][^\n]*)/g
        : undefined;
    if (pattern === undefined) continue;
    const names = [...readFileSync(path, 'utf8').matchAll(pattern)].map((match) => match[1] ?? '');
    if (names.length > 0) found.set(file, names.join('\n').replaceAll('_', ' '));
  }
  return found;
}

const rows = systemRows();
const names = testNames();

test('the documents have 45 rows, each with a place', () => {
  expect(rows.map((row) => row.id)).toEqual(expectedIds());
  for (const { id, where } of rows) expect(where, id).not.toEqual([]);
});

function expectedIds(): string[] {
  const letters = { A: [11, 5], B: [3, 1], C: [3, 1], D: [6, 1], E: [5, 5] } as const;
  return Object.entries(letters).flatMap(([letter, [systems, experiments]]) => [
    ...Array.from({ length: systems }, (_, index) => `${letter}${index + 1}`),
    ...Array.from({ length: experiments }, (_, index) => `${letter}E${index + 1}`),
  ]);
}

describe.each(rows)('$id', ({ id, where }) => {
  test('is named by a test', () => {
    const word = new RegExp(`(^|[^A-Za-z0-9])${id}([^A-Za-z0-9]|$)`, 'm');
    const naming = [...names].filter(([, text]) => word.test(text)).map(([file]) => file);
    expect(naming, `no test names ${id}`).not.toEqual([]);
  });

  test.each(where)('lives in %s', (place) => {
    expect(place.includes('*') ? matchesAny(place) : existsSync(join(root, place)), place).toBe(true);
  });
});

/** True when a file of the folder fits `folder/name_*.cpp`. */
function matchesAny(pattern: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  const folder = join(root, dirname(before));
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.some((file) => join(dirname(before), file).startsWith(before) && file.endsWith(after));
}
