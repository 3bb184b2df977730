// Addresses that nobody would write, with every number at its extremes: each opens a moment that there is, no panel throws, and the page
// goes on. Daily every sixth moment, and every third panel at one.

import { expect, kEveryLook, settled, test, timeOf } from './one_page.ts';

const kMost = Number.MAX_SAFE_INTEGER;
const kNumbers = [
  '0',
  '1',
  '15',
  '-1',
  '0.5',
  'NaN',
  'Infinity',
  '1e308',
  '4294967295',
  '4294967296',
  `${kMost}`,
  '0x1fffffffffffff',
];
const kNames = ['event', 'from', 'to', 'since', 'bookmarks', 'at', 'row', 'select', 'heap', 'bin', 'pool', 'asked'];

/** What means something only together. */
const kTogether = [
  `from=0&to=${kMost}`,
  `from=${kMost - 1}&to=${kMost}&event=${kMost}`,
  `from=${kMost - 1}&to=${kMost}&event=0&since=${kMost}`,
  'at=0xffffffff&row=4294967296',
  'at=0xffffffff&row=16',
  'at=0&row=17',
  'at=0&row=4294967295&view=lives',
  `at=0xfffffff0&row=4294967296&view=lives&from=0&to=${kMost}`,
  `select=0xffffffff&heap=255&bin=65535&pool=65535&event=${kMost}`,
  `ask=fits.4294967295&asked=${kMost}`,
  'ask=fits.0&event=50',
  `ask=grew.4294967295&event=0&from=0&to=${kMost}`,
  'ask=pins.0xffffffff',
  `ask=leaked&asked=${kMost}`,
  `bookmarks=${Array.from({ length: 5000 }, (_, nth) => 999_999_999_999_999 - nth).join(',')}`,
  `__proto__=1&constructor=2&toString=3&event=40`,
  `${'x='.repeat(3000)}&event=40`,
];
const kMoments = [
  ...kNumbers.map((number) => kNames.map((name) => `${name}=${number}`).join('&')),
  ...kTogether,
].filter((_, nth) => kEveryLook || nth % 6 === 0);

test('every number of an address at its extremes', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('./#scenario=adaptive_pool&event=40');
  await settled(page);
  for (const moment of kMoments) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `scenario=adaptive_pool&event=40&${moment}`);
    await settled(page);
  }
  await page.goto('./#scenario=forward_expansion&event=40');
  await expect(timeOf(page)).toHaveAttribute('aria-valuenow', '40');
});

test('every panel at extremes', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('./#scenario=adaptive_pool&event=40');
  await settled(page);
  const tabs = await page.getByRole('tab').evaluateAll((all) => all.map((tab) => tab.id.replace(/^.*tab-/, '')));
  expect(tabs.length).toBeGreaterThan(5);
  for (const tab of tabs.filter((_, nth) => kEveryLook || nth % 3 === 0)) {
    for (const moment of [`event=${kMost}`, ...(kEveryLook ? ['event=0'] : [])]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `scenario=adaptive_pool&${moment}&tab=${tab}&from=0&to=${kMost}&select=0xffffffff&heap=255&bin=65535&pool=65535&at=0xffffffff&row=4294967296`);
      await settled(page);
    }
  }
});
