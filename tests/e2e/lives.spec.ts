// Lifetimes: address against time in the map's place, linked with the map and the time line.

import { coloursOfMap, expect, headOf, openAt, settled, shownEvent, test } from './one_page.ts';

test('lifetimes are drawn over address and time; a brush narrows both, a click chooses the block and its moment', async ({
  page,
}) => {
  await openAt(page, 'adaptive_pool', 1_000);
  await page.keyboard.press('v');
  const said = page.locator('.hg-lives__said');
  await expect(page).toHaveURL(/view=lives/);
  // How many events the story has depends on the compiler: from where on memory has to grow.
  const all = `Events 0 to ${(await headOf(page)).toLocaleString('en-US')},`;
  await expect(said).toContainText(all);
  const surface = page.getByRole('application', { name: 'Lifetimes: address against time' });
  const box = await surface.boundingBox();
  if (box === null) throw new Error('the lifetimes are not there');
  const at = (across: number, down: number) => [box.x + box.width * across, box.y + box.height * down] as const;
  await page.mouse.move(...at(0.2, 0.1));
  await page.mouse.down();
  await page.mouse.move(...at(0.3, 0.3), { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d+&to=\d+/);
  await expect(page).toHaveURL(/at=0x[0-9a-f]+&row=/);
  await expect(said).toContainText(/blocks, of which [\d,]+ were freed/);

  await page.mouse.click(...at(0.6, 0.4));
  await expect(page).toHaveURL(/select=0x/);
  const { from = '0', to = '0' } = /from=(?<from>\d+)&to=(?<to>\d+)/.exec(page.url())?.groups ?? {};
  const middle = (Number(from) + Number(to)) / 2;
  expect(Math.abs((await shownEvent(page)) - middle)).toBeLessThan((Number(to) - Number(from)) / 3);
  await expect(page.locator('.hg-inspector__state')).toContainText(/in use|pool/);

  // The link opens the same window.
  await settled(page);
  const link = page.url();
  const words = await said.innerText();
  await page.goto('about:blank');
  await page.goto(link);
  await expect(said).toHaveText(words);

  const shownEvents = async () => {
    const { from = '0', to = '0' } = /from=(?<from>\d+)&to=(?<to>\d+)/.exec(page.url())?.groups ?? {};
    return Number(to) - Number(from);
  };
  const before = await shownEvents();
  await surface.press('+');
  await expect.poll(shownEvents).toBeLessThan(before * 0.6);
  await surface.press('-');
  await expect.poll(shownEvents).toBeGreaterThan(before * 0.9);
  await page.getByRole('button', { name: 'All of the time and of the memory' }).click();
  await expect(said).toContainText(all);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await expect(surface).toBeHidden();
  expect(await coloursOfMap(page)).toBeGreaterThan(3);
});
