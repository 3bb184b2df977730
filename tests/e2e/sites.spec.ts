// Call sites of a program that leaks on purpose: the program's own functions, the blocks of one on the map, and the flame graph.

import { coloursOverMap, expect, inAll, settled, shownEvent, test, timeOf } from './one_page.ts';

const testAll = inAll(test);
const kTrace = './#trace=traces/words.hgtrace&event=20000';

test('a press on a function says what it holds and lights its blocks; the link does the same', async ({ page }) => {
  await page.goto(`${kTrace}&tab=sites`);
  await settled(page);
  const sites = page.getByRole('region', { name: 'Sites' });
  const table = sites.getByRole('table', { name: 'Call sites' });
  await expect(table).toContainText('index_word words.cpp:27');
  await expect(table).not.toContainText('operator new');
  expect(await coloursOverMap(page)).toBe(1); // nothing is lit
  await table.getByRole('button', { name: 'remember_note' }).first().click();
  const sentence = page.locator('.hg-answer__sentence');
  await expect(sentence).toContainText(/^remember_note \(words\.cpp:30\) holds .* in 39 blocks/);
  await settled(page);
  expect(await coloursOverMap(page)).toBeGreaterThan(1); // what fades, and what does not
  await expect(table.getByRole('button', { name: 'remember_note', pressed: true })).toHaveCount(1);
  const said = await sentence.innerText();
  await page.reload();
  await expect(sentence).toHaveText(said);

  await sites.getByRole('checkbox', { name: 'Library frames' }).check();
  await expect(table).toContainText('operator new');
  await expect(page).toHaveURL(/libraries=on/);
});

testAll(
  'the words of Sites are found from the question line, on and back, and a heading leads to its panel',
  async ({ page }) => {
    await page.goto(`${kTrace}&tab=sites`);
    await settled(page);
    await page.keyboard.press('g');
    const field = page.getByRole('combobox', { name: /^Ask/ });
    await field.fill('remember_note');
    await field.press('Enter');
    await expect.poll(() => shownEvent(page)).toBeGreaterThan(20_000);
    const next = await shownEvent(page);
    await field.press('Shift+Enter');
    await expect.poll(() => shownEvent(page)).toBeLessThan(next);
    await field.fill('Bins');
    await page.getByRole('option', { name: 'Bins in Lists' }).click();
    await expect(page.getByRole('tab', { name: 'Lists' })).toHaveAttribute('aria-selected', 'true');
  },
);

test('leaks, temporaries and a stretch of time are lists of own functions', async ({ page }) => {
  await page.goto(`${kTrace}&from=10000&to=20000&tab=sites`);
  await settled(page);
  const sites = page.getByRole('region', { name: 'Sites' });
  const table = sites.getByRole('table', { name: 'Call sites' });
  await sites.getByRole('button', { name: 'Leaks' }).click();
  await expect(table.getByRole('row', { name: /remember_note words\.cpp:30 keeps growing/ })).toBeVisible();
  await expect(sites.getByRole('status').first()).toContainText('are still held');
  await sites.getByRole('button', { name: 'Temporaries' }).click();
  await expect(table.getByRole('row', { name: /make_word|render_page/ }).first()).toBeVisible();
  await sites.getByRole('button', { name: 'Time range' }).click();
  await expect(sites.getByRole('status').first()).toContainText('Events 10,000 to 20,000');
  await expect(table.getByRole('columnheader')).toHaveText(['function', 'allocated', 'freed', 'kept']);
  await expect(table).toContainText('index_word');
  // The graph beside it is of the same blocks: those that the stretch made and kept.
  await expect(sites.getByRole('status').last()).toContainText(
    /^The width is [\d.]+\sKiB made in the stretch and kept\./,
  );
  const kept = await table
    .getByRole('row', { name: /index_word/ })
    .getByRole('cell')
    .last()
    .innerText();
  const graph = sites.getByRole('group', { name: 'Call sites, widths by bytes' });
  await expect(
    graph.getByRole('button', { name: new RegExp(`^index_word .*: ${kept.replace(/\s/, '\\s')} in`) }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'What leaked?' }).click();
  await expect(sites.getByRole('button', { name: 'Leaks' })).toHaveAttribute('aria-pressed', 'true');
  await expect(sites.getByRole('status').first()).toHaveText(''); // the answer stands once
});

test('the flame graph is searched, moved through by keys, and turned into a sandwich', async ({ page }) => {
  await page.goto(`${kTrace}&tab=sites`);
  await settled(page);
  const flame = page.getByRole('group', { name: 'Call sites, widths by bytes' });
  await page.getByRole('searchbox', { name: /in the flame graph/ }).fill('index_word');
  await expect(page.locator('.hg-sites__frame--found')).toHaveCount(1);
  await expect(page.locator('.hg-sites__right').getByRole('status')).toContainText(/^1 frame, [\d.]+\sKiB in use/);
  await page.getByRole('searchbox', { name: /in the flame graph/ }).fill('');

  await flame.locator('[tabindex="0"]').focus();
  await expect(flame.getByRole('button', { name: /^main words\.cpp:\d+/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(flame.getByRole('button', { name: /^read_text/ }).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('.hg-answer__sentence')).toContainText('and what it calls hold');

  await page.getByRole('button', { name: 'Sandwich' }).click();
  await page
    .getByRole('combobox', { name: 'Function of the sandwich' })
    .selectOption({ label: 'index_word words.cpp:27' });
  await expect(flame.getByRole('button', { name: /^read_text/ })).toBeVisible();
  await expect(flame.getByRole('button', { name: /^remember_note/ })).toHaveCount(0);
});

test('the words beside the pointer and the chunk panel name who made a block; colours by call site have names', async ({
  page,
}) => {
  await page.goto(`${kTrace}&at=0x54a000&row=4096&colour=site`);
  await settled(page);
  const colours = page.getByRole('list', { name: 'Colours' });
  await expect(colours).toContainText('index_word (words.cpp)');
  await expect(colours).toContainText('remember_note (words.cpp)');
  const toggle = page.getByRole('button', { name: /table/i });
  await toggle.click();
  const rows = page.getByRole('region', { name: 'Table of chunks' }).getByRole('row');
  await rows.filter({ hasText: 'in use' }).nth(2).getByRole('button').click();
  await toggle.click();
  const stack = page.locator('.hg-inspector__stack');
  await expect(stack.getByRole('listitem').first()).toHaveText(/^(index_word|remember_note) words\.cpp:\d+$/);
  await expect(stack.locator('summary')).toContainText('library frame');
  const surface = page.locator('.hg-map__surface');
  const tip = page.locator('.hg-map__tip');
  for (let x = 200; x < 500 && !(await tip.innerText()).includes('in use'); x += 9)
    await surface.hover({ position: { x, y: 60 } });
  await expect(tip).toContainText(/made by (index_word|remember_note) words\.cpp:\d+/);
});

testAll(
  'a hand that holds Shift chooses the stretch of time that Sites sums; plus and minus narrow and widen it, a double click shows all',
  async ({ page }) => {
    await page.goto(`${kTrace}&tab=sites`);
    await settled(page);
    const event = await shownEvent(page);
    const sites = page.getByRole('region', { name: 'Sites' });
    await sites.getByRole('button', { name: 'Time range' }).click();
    const box = await timeOf(page).boundingBox();
    if (box === null) throw new Error('no time line');
    const [y, band] = [box.y + box.height / 2, page.locator('.hg-timeline__stretch')];
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + box.width * 0.7, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, y, { steps: 4 });
    await expect(band).toBeVisible();
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await expect(band).toBeHidden();
    const stretch = async (): Promise<readonly number[]> => {
      await settled(page);
      const parts = new URLSearchParams(new URL(page.url()).hash.slice(1));
      return [Number(parts.get('from')), Number(parts.get('to'))];
    };
    const [from = 0, to = 0] = await stretch();
    expect(from).toBeGreaterThan(0);
    expect(to).toBeGreaterThan(2 * from); // from three tenths to seven tenths of all
    await expect(sites.getByRole('status').first()).toContainText(
      `Events ${from.toLocaleString('en')} to ${to.toLocaleString('en')}`,
    );
    expect(await shownEvent(page)).toBe(event); // the moment has stayed

    await timeOf(page).press('+');
    const [later = 0, earlier = 0] = await stretch();
    expect(Math.abs(earlier - later - (to - from) / 2)).toBeLessThanOrEqual(2);
    await timeOf(page).press('-');
    await timeOf(page).dblclick({ position: { x: box.width / 2, y: box.height / 2 } });
    await expect(page).not.toHaveURL(/from=/);
  },
);
