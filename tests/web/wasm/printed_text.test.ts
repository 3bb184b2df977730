import { expect, test } from 'vitest';
import { PrintedText } from '../../../web/src/wasm/printed_text.ts';

const [line, error, column, cell, nullCell, rowEnd] = [0, 1, 2, 3, 4, 5];

function printedOf(...told: readonly (readonly [kind: number, text: string])[]) {
  const text = new PrintedText();
  for (const [kind, words] of told) text.take(kind, words);
  return text.printed;
}

test('columns and cells become a table; columns behind rows begin the next one', () => {
  const { parts } = printedOf(
    [column, 'a'],
    [column, 'b'],
    [cell, '1'],
    [nullCell, 'NULL'],
    [rowEnd, ''],
    [column, 'c'],
    [line, 'one row changed'],
    [column, 'd'],
    [error, 'no'],
  );
  expect(parts).toEqual([
    { kind: 'table', columns: ['a', 'b'], rows: [['1', undefined]] },
    { kind: 'table', columns: ['c'], rows: [] },
    { kind: 'line', text: 'one row changed' },
    { kind: 'table', columns: ['d'], rows: [] },
    { kind: 'error', text: 'no' },
  ]);
});

test('what is too much is counted, an error is taken all the same', () => {
  const text = new PrintedText();
  text.take(column, 'n');
  for (let i = 0; i < 700; ++i) {
    text.take(cell, String(i));
    text.take(rowEnd, '');
  }
  text.take(error, 'stopped');
  expect(text.printed.more).toBe(200);
  expect(text.printed.parts.at(-1)).toEqual({ kind: 'error', text: 'stopped' });
  text.clear();
  text.take(line, 'x'.repeat(300_000));
  expect(text.printed).toEqual({ parts: [], more: 1 });
});

test('a long cell is shortened', () => {
  const { parts } = printedOf([column, 'long'], [cell, 'y'.repeat(1000)], [rowEnd, '']);
  expect(parts).toEqual([{ kind: 'table', columns: ['long'], rows: [[`${'y'.repeat(300)}…`]] }]);
});

test('behind clear nothing of what was printed before is left, nor half a row', () => {
  const text = new PrintedText();
  text.take(column, 'a');
  text.take(cell, 'old');
  text.clear();
  text.take(cell, 'nobody has columns for it');
  text.take(rowEnd, '');
  expect(text.printed).toEqual({ parts: [], more: 0 });
  text.take(column, 'b');
  text.take(cell, 'new');
  text.take(rowEnd, '');
  text.take(cell, 'half');
  text.clear();
  text.take(column, 'c');
  text.take(cell, 'whole');
  text.take(rowEnd, '');
  expect(text.printed.parts).toEqual([{ kind: 'table', columns: ['c'], rows: [['whole']] }]);
});
