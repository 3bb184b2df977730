import { expect, test } from 'vitest';
import { packText, unpackText } from '../../../../web/src/panels/script/packed_text.ts';

test.each(['', 'heap.allocate(1);\n', 'ü – 漢字 🙂', 'x'.repeat(50_000)])(
  'unpacking gives what was packed: %#',
  async (text) => {
    const packed = await packText(text);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(await unpackText(packed)).toBe(text);
  },
);

test('what is damaged, is no text, or is larger than a script may be gives nothing', async () => {
  const packed = await packText('heap.deallocate(heap.allocate(100));');
  expect(await unpackText(packed.slice(0, -4))).toBeUndefined();
  expect(await unpackText('AAAA')).toBeUndefined();
  expect(await unpackText('!')).toBeUndefined();
  expect(await unpackText(await packText('x'.repeat(10_000_000)))).toBeUndefined();
});
