import { expect, it } from 'vitest';
import { seq } from '../../../../web/src/base/brand.ts';
import { nothingText } from '../../../../web/src/shell/ask/finding.ts';

const kMeant = 'mentions “load”';

it('where nothing is found ahead, what lies behind is said, and the key that goes there', () => {
  const there = { moment: seq(1_204), lookedUpTo: undefined };
  expect(nothingText(kMeant, 1, there)).toBe(
    `No later event ${kMeant}. The nearest earlier one is 1,204: Shift Enter goes there.`,
  );
  expect(nothingText(kMeant, -1, there)).toBe(
    `No earlier event ${kMeant}. The nearest later one is 1,204: Enter goes there.`,
  );
  expect(nothingText(kMeant, 1, { moment: undefined, lookedUpTo: seq(9) })).toBe(
    `No later event ${kMeant}. Shift Enter looks at earlier ones.`,
  );
});

it('where nothing is found at all, what can be asked is said', () => {
  const text = nothingText(kMeant, 1, { moment: undefined, lookedUpTo: undefined });
  expect(text).toContain(`No event ${kMeant}. Ask “why did it grow”`);
  expect(text).not.toContain('Enter');
});
