// The generated TypeScript layout is that of the headers, and the headers' shape is understood or refused.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generateEventLayout } from '../../tools/gen_event_layout.mjs';
import { readFunctions, readHeader, readStructs, readTable } from '../../tools/headers/read_header.mjs';
import { CommandFlag, EventKind, kEventFields, kRingLayout, Status } from '../../web/src/protocol/event_layout.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

test('event_layout.ts is what the headers generate', () => {
  expect(readFileSync(path('web/src/protocol/event_layout.ts'), 'utf8')).toBe(generateEventLayout());
});

test('the numbers are those that a C compiler sees', () => {
  const rows = [
    ['HG_EVENT_events_lost', EventKind.eventsLost],
    ['HG_EVENT_bin_removed', EventKind.binRemoved],
    ['HG_STATUS_bad_argument', Status.badArgument],
    ['HG_TRY_SHRINK_IN_PLACE', CommandFlag.tryShrinkInPlace],
    ['offsetof(hg_ring, word_size)', kRingLayout.wordSize],
    ['sizeof(hg_ring)', kRingLayout.bytes],
  ];
  const asserts = rows.map(([name, value]) => `_Static_assert(${name} == ${value}, "");`).join('\n');
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-layout-'));
  try {
    const file = join(folder, 'layout.c');
    writeFileSync(
      file,
      `#include <stddef.h>\n#include <heapglass/event.h>\n#include <heapglass/heapglass.h>\n${asserts}\n`,
    );
    execFileSync('cc', ['-std=c11', '-fsyntax-only', '-Wall', '-Werror', '-I', path('core/include'), file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every kind has the fields of its row', () => {
  const rows = readTable(readHeader(path('core/include/heapglass/event.h')), 'HG_EVENTS');
  expect(Object.keys(kEventFields)).toEqual(rows.map((row) => row[0]));
  expect(kEventFields[EventKind.chunkSplit]).toEqual({
    detail: undefined,
    a: 'address',
    b: 'leftSize',
    c: 'rightSize',
  });
});

test('a table with a line that is no row is refused', () => {
  expect(() => readTable('#define T(X) \\\n  X(1, one) \\\n  Y(2, two)\n', 'T')).toThrow('not a row: Y(2, two)');
  expect(() => readTable('#define T(X) \\\n  X(1, one) \\\n  X(1, two)\n', 'T')).toThrow('stands twice');
});

test('a struct with a field that is no word is refused', () => {
  expect(() => readStructs('typedef struct hg_x { uint64_t wide; } hg_x;')).toThrow('no 32-bit word');
});

test('declared functions are found, inline and function pointer types are not', () => {
  const header =
    'typedef void (*hg_hook)(int a);\nstatic inline int hg_two(void) { return hg_one(0); }\nvoid *hg_one(const struct hg_heap *heap);\n';
  expect(readFunctions(header)).toEqual([
    { name: 'hg_one', result: 'void *', parameters: ['const struct hg_heap *heap'] },
  ]);
});
