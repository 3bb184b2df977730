// The question line: the five standing questions and what the map does with their answers; going to an event, an address, a size, a
// condition or a text; what can be chosen by its name.

import { coloursOfMap, expect, goTo, headOf, inAll, onOwnPage, openAt, settled, shownEvent, test } from './one_page.ts';

const testAll = inAll(test);

test('g goes to an event, an address, a growth, a size and a text, on and back', async ({ page }) => {
  await openAt(page, 'forward_expansion', 60);
  await page.keyboard.press('g');
  const field = page.getByRole('combobox', { name: /^Ask/ });
  const said = page.locator('.hg-ask__said');
  await field.fill('300');
  await expect(said).toHaveText('Enter: to event 300');
  await field.press('Enter');
  await expect.poll(() => shownEvent(page)).toBe(300);

  await field.fill('grows');
  await field.press('Enter');
  await expect(said).toContainText('makes the heap grow');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(300);
  const first = await shownEvent(page);
  await field.press('Enter');
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(first);
  await field.press('Shift+Enter');
  await expect.poll(() => shownEvent(page)).toBe(first);
  await expect(page.locator('.hg-explain')).toContainText(/segment/);

  await field.fill('0x70634');
  await field.press('Enter');
  await expect(page.locator('.hg-inspector__address')).toContainText('0x0007_06');

  await field.fill('nothing says this');
  await field.press('Enter');
  await expect(said).toContainText('No event mentions');
  await field.fill('what is top?');
  await expect(said).toHaveText('top: the free chunk at the end of the newest segment.');
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(field).not.toBeFocused();
});

test('why did it grow: one click leads to the state that the call found, Back leads away, and the link says the same', async ({
  page,
}) => {
  await openAt(page, 'mixed_load', 200_000);
  const before = await coloursOfMap(page);
  await page.getByRole('button', { name: 'Why did it grow?' }).click();
  const sentence = page.locator('.hg-answer__sentence');
  await expect(sentence).toContainText(/^At event [\d,]+ .* asked for .* free/);
  await settled(page);
  const [, grew = ''] = /At event ([\d,]+)/.exec(await sentence.innerText()) ?? [];
  expect(Number(grew.replaceAll(',', ''))).toBe(await shownEvent(page)); // the call: its line is lit
  expect(await coloursOfMap(page)).not.toBe(before);
  await expect(page).toHaveURL(/ask=grew&asked=200000/);
  const said = await sentence.innerText();

  await page.getByRole('button', { name: 'Earlier growth' }).click();
  await expect(sentence).not.toHaveText(said);
  await page.getByRole('button', { name: 'Later growth' }).click();
  await expect(sentence).toHaveText(said);

  await expect(page).toHaveURL(/ask=grew&/);
  await page.reload();
  await expect(sentence).toHaveText(said);
  // The heap grew later, too: the moment is no end.
  await page.getByRole('button', { name: 'Later growth' }).click();
  await expect(sentence).not.toHaveText(said);
  await expect.poll(() => shownEvent(page)).toBeGreaterThan(200_000);
  await page.getByRole('button', { name: 'Close the answer' }).click();
  await expect(sentence).toBeHidden();
  await expect(page).not.toHaveURL(/ask=/);
});

test('an answer follows the moment that is shown, and a question can be written', async ({ page }) => {
  await openAt(page, 'mixed_load', 200_000);
  await page.keyboard.press('g');
  const field = page.getByRole('combobox', { name: /^Ask/ });
  await field.fill('will 300 KiB fit');
  await field.press('Enter');
  const sentence = page.locator('.hg-answer__sentence');
  await expect(sentence).toContainText('300 KiB');
  await expect(page).toHaveURL(/ask=fits.307200/);
  const size = page.getByRole('textbox', { name: 'Size' });
  await size.fill('100 B');
  await size.press('Enter');
  await expect(sentence).toContainText('100 B');
  const said = await sentence.innerText();
  await field.fill('1000');
  await field.press('Enter');
  await expect(sentence).not.toHaveText(said);
  await field.fill('300 pieces');
  await field.press('Enter');
  await expect(page.locator('.hg-ask__said')).toContainText('Nothing');
});

testAll('whether memory can go back is answered by how much of it could', async ({ page }) => {
  await openAt(page, 'mixed_load', 200_000);
  await goTo(page, await headOf(page));
  await page.keyboard.press('g');
  const field = page.getByRole('combobox', { name: /^Ask/ });
  await field.fill('can memory go back?');
  await field.press('Enter');
  await expect(page.locator('.hg-ask__said')).toHaveText(/^[\d.]+.* of [\d.]+.* could go back: pages of 64 KiB/);
  await expect(page.locator('.hg-answer')).toBeHidden();
});

testAll('the same question can be asked again, and a key says what is lit on the map', async ({ page }) => {
  await page.goto('./#trace=traces/words.hgtrace&event=20000');
  await settled(page);
  for (const _ of [1, 2]) {
    await page.getByRole('button', { name: 'Who holds it?' }).click();
    await expect(page.locator('.hg-answer__sentence')).toContainText('in 1,121 blocks');
    await expect(page.getByRole('list', { name: 'On the map' })).toHaveText('1,121 blocks, the rest fades');
    await settled(page);
    await page.getByRole('button', { name: 'Close the answer' }).click();
    await expect(page.locator('.hg-answer')).toBeHidden();
  }
  await page.getByRole('button', { name: 'Why did it grow?' }).click();
  await expect(page.getByRole('list', { name: 'On the map' })).toContainText(/^\d[\d,]* free pieces?/);
  await settled(page);
  await page.keyboard.press('.'); // to a moment at which its addresses mean nothing
  await expect(page.getByRole('list', { name: 'On the map' })).toBeHidden();
  await page.getByRole('button', { name: 'Show it on the map' }).click();
  await expect(page.getByRole('list', { name: 'On the map' })).toContainText('free piece');
});

test('panels, scenarios and actions are chosen by their names', async ({ page }) => {
  await openAt(page, 'mixed_load', 200_000);
  await page.keyboard.press('g');
  const field = page.getByRole('combobox', { name: /^Ask/ });
  await field.fill('sizes');
  await field.press('ArrowDown');
  await field.press('Enter');
  await expect(page.getByRole('tab', { name: 'Sizes' })).toHaveAttribute('aria-selected', 'true');
  await field.fill('adaptive pool: fill'); // no event mentions it
  await field.press('Enter');
  await expect(page).toHaveURL(/scenario=adaptive_pool/);
  await openAt(page, 'mixed_load', 200_000);
  await field.fill('leak');
  await page.getByRole('option', { name: /What leaked/ }).click();
  await expect(page.locator('.hg-answer__sentence')).toContainText('held');
});

onOwnPage(
  'the first view answers who holds the memory with a share, lights its blocks, and a door leads to more of them',
  async ({ page }) => {
    await page.goto('./');
    await settled(page);
    await page.getByRole('button', { name: 'Who holds it?' }).click();
    await expect(page.locator('.hg-answer__sentence')).toHaveText(
      /hold.*% of .*; which function made them, this trace does not say\.$/,
    );
    await expect(page.locator('.hg-answer__sentence strong')).toHaveText(/^[\d.]+\s?%$/);
    await expect(page.getByRole('list', { name: 'On the map' })).toHaveText(/^\d[\d,]* blocks, the rest fades$/);
    const missing = page.getByText('Call stacks say who,');
    await expect(missing).toBeHidden();
    await page.getByRole('button', { name: 'Close this line' }).click(); // doors and how to record more wait until the welcome is closed
    await expect(missing).toBeVisible();
    await page.getByRole('button', { name: /^All (sizes|pools)$/ }).click();
    await expect(page.getByRole('tab', { name: /^(Sizes|Lists)$/, selected: true })).toBeVisible();
    await settled(page);
  },
);

testAll('each question carries a number at rest, which its answer says', async ({ page }) => {
  await page.goto('./#trace=traces/words.hgtrace&event=20000');
  await settled(page);
  const numberOf = (name: string) => page.getByRole('button', { name }).locator('.hg-ask__number').innerText();
  const numbers = {
    'Who holds it?': await numberOf('Who holds it?'),
    'What leaked?': await numberOf('What leaked?'),
    'Why did it grow?': await numberOf('Why did it grow?'),
    'Will it fit?': await numberOf('Will it fit?'),
  };
  for (const [name, number] of Object.entries(numbers)) {
    expect(number, name).toMatch(/\d/);
    await page.getByRole('button', { name }).click();
    await expect(page.locator('.hg-answer__sentence')).toContainText(number.replace('≤ ', ''));
    await settled(page);
    await goTo(page, 20_000);
  }
  await page.keyboard.press('Home');
  await settled(page);
  expect(await numberOf('Who holds it?')).toBe('nobody');
});

testAll(
  'the questions and their numbers fit at every width, and a number that comes moves nothing',
  async ({ page }) => {
    for (const width of [320, 390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto('./#trace=traces/words.hgtrace&event=20000');
      await expect(page.locator('.hg-ask__number').first()).toBeVisible();
      const places = () =>
        page.locator('.hg-ask__question').evaluateAll((all) =>
          all.map((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return [left, right, top, bottom].map(Math.round).join(' ');
          }),
        );
      await settled(page);
      const first = await places();
      const cut = await page
        .locator('.hg-ask__question > span')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
      expect(cut, `${width} px`).toEqual([]);
      for (const place of first) expect(Number(place.split(' ')[1])).toBeLessThanOrEqual(width);
      await page.keyboard.press('Home');
      await settled(page);
      expect(await places(), `${width} px`).toEqual(first);
    }
  },
);
