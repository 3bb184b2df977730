// The scenes as a reader goes through them: by mouse, by keyboard, by link, with right and with wrong answers.
//
//   HG_SCENES=all     all of them instead of one: npm run check:scenes

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { kScenes } from '../../web/src/scenes/index.ts';
import { kScenePrefix, type Scene } from '../../web/src/scenes/scene.ts';
import { axeOn } from '../axe.ts';
import { someOf } from '../every.ts';
import { makeEngine, partsIn, wanting } from '../web/engine/harness.ts';
import { expect, goTo, inAll, onOwnPage, settled, shownEvent, test } from './one_page.ts';

const kDaily = ['pools'];
const kEveryScene = process.env['HG_SCENES'] === 'all';
const kPlayed = kScenes.filter(({ id }) => kEveryScene || kDaily.includes(id));
const kSeed = 5;

const [testAll, ownPageAll] = [inAll(test, kEveryScene), inAll(onOwnPage, kEveryScene)];

const panelOf = (page: Page) => page.locator('.hg-panel--learn');
const button = (page: Page, name: string | RegExp) => panelOf(page).getByRole('button', { name, exact: true });
const verdictOf = (page: Page) => panelOf(page).getByRole('status');
const badge = (page: Page) => page.locator('.hg-badge');

/** Where the steps lie, and what they tell: from the same engine, run here. */
async function stepsOf(scene: Scene) {
  const { run, ask, frame } = makeEngine();
  await run(kScenePrefix + scene.id, kSeed);
  const { steps } = await ask({ type: 'sceneSteps' }, 'sceneSteps');
  return Promise.all(
    steps.map(async (step) => ({
      ...step,
      inspect: partsIn(await frame({ at: { to: 'seq', seq: step.from }, ...wanting({ inspect: step.places?.[0] }) }))
        .inspect,
    })),
  );
}

async function openScene(page: Page, id: string): Promise<void> {
  await page.goto(`./#scene=${id}&seed=${kSeed}`);
  await expect(panelOf(page).locator('.hg-scene__progress')).toContainText('1 of');
  await expect(button(page, 'Next')).toBeEnabled();
}

/** Selects chunk by chunk with the arrow keys until the answer's place is named, and confirms. */
async function answerByKeyboard(page: Page, chunk: number, node: number | undefined): Promise<void> {
  const here = panelOf(page).locator('.hg-scene__here');
  const shown = async () => Number(((await here.textContent()) ?? '').match(/0x[0-9a-f_]+/)?.[0].replace('_', ''));
  const walkTo = async (address: number) => {
    for (let at = await shown(); at !== address; at = await shown()) {
      await page.keyboard.press(at < address ? 'ArrowRight' : 'ArrowLeft');
      await expect.poll(shown).not.toBe(at);
    }
  };
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('ArrowRight'); // to a chunk in the middle of the map
  await expect(here).toBeVisible();
  await walkTo(chunk);
  if (node !== undefined) {
    await page.keyboard.press('Enter'); // into the block
    await expect(here).toContainText('node');
    await walkTo(node);
  }
  await here.click();
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axeOn(page).include('.hg-panel--learn').analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

for (const scene of kPlayed) {
  test(`scene ${scene.id} from its first step to its last`, async ({ page }) => {
    test.setTimeout(120_000);
    const steps = await stepsOf(scene);
    await openScene(page, scene.id);
    for (const [nth, info] of scene.steps.entries()) {
      const step = steps[nth];
      if (step === undefined) throw new Error(`no step ${nth}`);
      await expect(panelOf(page).locator('.hg-scene__title')).toHaveText(info.title);
      if (info.question !== undefined) {
        await expect(button(page, 'Next')).toBeDisabled();
        await expect.poll(() => shownEvent(page)).toBe(step.from);
        await expectAccessible(page);
        if (info.question.kind === 'choice')
          await button(page, info.question.options[step.right ?? -1]?.text ?? '').click();
        else await answerByKeyboard(page, step.inspect?.chunk ?? 0, step.inspect?.node?.address);
        await expect(verdictOf(page)).toHaveText(`Right. ${info.question.reason}`);
      }
      if (info.number !== undefined) {
        await button(page, 'Try').click();
        await expect(verdictOf(page)).toHaveText(step.says ?? '');
      }
      await expect.poll(() => shownEvent(page)).toBe(step.to);
      await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
      if (nth + 1 < scene.steps.length) await button(page, 'Next').click();
    }
    await expectAccessible(page);
    const after = kScenes[kScenes.indexOf(scene) + 1];
    if (after === undefined) return expect(button(page, 'Next')).toBeDisabled();
    await button(page, `Next: ${after.title}`).click();
    await expect(panelOf(page).locator('.hg-scene__title')).toHaveText(after.steps[0]?.title ?? '');
    await expect(page).toHaveURL(new RegExp(`#scene=${after.id}&event=`));
  });
}

onOwnPage('from the first look a scene is two clicks away, and a click on the map answers', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: /^Learn: \d+ scenes$/ }).click();
  await panelOf(page).locator('[data-scene=scene_what_is_a_heap]').click();
  await expect(page).toHaveURL(/#scene=what_is_a_heap&/);
  await button(page, 'Next').click();
  await expect(panelOf(page).locator('.hg-scene__question')).toBeVisible();
  await settled(page); // the step is written: an entry of the history of its own
  const surface = page.locator('.hg-map__surface');
  const box = await surface.boundingBox();
  if (box === null) throw new Error('the map has no box');
  const tip = page.locator('.hg-map__tip');
  const overTop = async (): Promise<boolean> => {
    for (let y = 20; y < box.height - 60; y += 12) {
      await page.mouse.move(box.x + box.width * 0.8, box.y + y);
      if (((await tip.textContent()) ?? '').includes('top,') && (await tip.isVisible())) return true;
    }
    return false;
  };
  await expect.poll(overTop).toBe(true);
  await page.mouse.down();
  await page.mouse.up();
  await expect(verdictOf(page)).toHaveText(/^Right\. Nothing but top is free/);
  await expect(page).toHaveURL(/select=/); // written, as another
  await page.goBack(); // to the question
  await expect(button(page, 'Show me')).toBeVisible();
});

test('a wrong answer says why, and a link leads to the same step', async ({ page }) => {
  await openScene(page, 'joining');
  await button(page, 'Next').click();
  await button(page, 'Three').click();
  await expect(verdictOf(page)).toHaveText(/^Not so\. Only two blocks are freed\. There are two/);
  await settled(page); // the address is written
  const address = page.url();
  expect(address).toMatch(/#scene=joining&seed=5&event=\d+/);
  await page.goto('about:blank');
  await page.goto(address);
  await expect(panelOf(page).locator('.hg-scene__progress')).toHaveText('2 of 5');
  await expect(panelOf(page).locator('.hg-scene__title')).toHaveText('A and C are freed');
  // A moment inside a step: what its caption says is not so yet, and the way on leads there.
  const step = (await stepsOf(kScenes.find(({ id }) => id === 'joining') as Scene))[0];
  await goTo(page, ((step?.from ?? 0) + (step?.to ?? 0)) >> 1);
  await expect(panelOf(page).locator('.hg-scene__caption')).toContainText('lies inside this step');
  await button(page, 'Next').click();
  await expect.poll(() => shownEvent(page)).toBe(step?.to);
  await expect(panelOf(page).locator('.hg-scene__progress')).toHaveText('1 of 5');
  await expect(panelOf(page).locator('.hg-scene__caption')).not.toContainText('lies inside this step');
});

/** What is written on the map, as its picture has it. */
async function textsOnMap(page: Page): Promise<readonly string[]> {
  await settled(page);
  await page.getByRole('button', { name: 'Share and save (s)' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Map, SVG' }).click();
  const svg = await readFile(await (await download).path(), 'utf8');
  await page.keyboard.press('Escape');
  return [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map((match) => match[1] ?? '');
}

testAll('the blocks that the text names have their letters on the map, and an answer its place', async ({ page }) => {
  await openScene(page, 'joining');
  expect((await textsOnMap(page)).filter((text) => /^[A-D]$/.test(text))).toEqual(['A', 'B', 'C', 'D']);
  await page.goto('about:blank');
  await openScene(page, 'what_is_a_heap');
  await button(page, 'Next').click();
  await expect(panelOf(page).locator('.hg-scene__question')).toBeVisible();
  expect(await textsOnMap(page)).not.toContain('answer');
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('Home'); // the first block, in use: a wrong answer
  await panelOf(page).locator('.hg-scene__here').click();
  await expect(verdictOf(page)).toHaveText(/^Not so\. That memory is in use/);
  const named = (await textsOnMap(page)).filter((text) => /^(answer|your click)$/.test(text));
  expect(named).toEqual(['answer', 'your click']);
  await page.goto('./#scenario=burst_list&event=100');
  await expect.poll(() => shownEvent(page)).toBe(100);
  expect(await textsOnMap(page)).not.toContain('answer');
});

ownPageAll('the puzzle is solved by hand on the heap that the scene left', async ({ page }) => {
  await openScene(page, 'fragmentation');
  await button(page, 'Next').click();
  await button(page, 'Next').click();
  await button(page, 'Show me').click();
  await button(page, 'Next').click();
  await button(page, 'Next').click();
  const [hint, solved] = [/^Neighbours join/, /^Solved/];
  await expect(verdictOf(page)).toHaveText(hint);
  const free = button(page, 'Free the selected block');
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('Home');
  for (let freed = 0; freed < 8; freed++) {
    await expect(verdictOf(page)).toHaveText(hint);
    await page.locator('.hg-map__surface').focus();
    if (freed > 0) for (const _ of [1, 2]) await page.keyboard.press('ArrowRight');
    await settled(page); // the selection is the one that is shown
    await expect(free).toBeEnabled();
    await free.press('Enter');
    await expect(free).toBeDisabled();
  }
  await expect(verdictOf(page)).toHaveText(solved);
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
});

/** From the first step to the puzzle, which is the fourth. */
async function openPuzzle(page: Page, id: string): Promise<void> {
  await openScene(page, id);
  await button(page, 'Next').click();
  await button(page, 'Show me').click();
  await button(page, 'Next').click();
  await button(page, 'Next').click();
  await expect(panelOf(page).locator('.hg-scene__progress')).toHaveText('4 of 4');
}

ownPageAll('a heap that cannot grow is made to refuse, and a wrong choice is told', async ({ page }) => {
  await openPuzzle(page, 'refusal');
  await button(page, 'Free the first half').click();
  await button(page, 'Allocate 4,096').click();
  await expect(verdictOf(page)).toHaveText(/^4,096 bytes fitted, at 0x/);
  await button(page, 'Free every second block').click();
  await expect(verdictOf(page)).toHaveText(/^Some of these blocks are free already/);
  await button(page, 'Again').click();
  await expect(panelOf(page).locator('.hg-scene__progress')).toHaveText('1 of 4');
  await button(page, 'Next').click();
  await button(page, 'Show me').click();
  await button(page, 'Next').click();
  await button(page, 'Next').click();
  await button(page, 'Free every second block').click();
  await button(page, 'Allocate 4,096').click();
  await expect(verdictOf(page)).toHaveText(/^Solved: more than a megabyte is free/);
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
});

onOwnPage('a link is broken by a write after free, and the badge turns red', async ({ page }) => {
  await openPuzzle(page, 'broken_link');
  const write = button(page, 'Write 42 into the selected chunk');
  await expect(write).toBeDisabled();
  await expect(badge(page)).toHaveAttribute('data-badge', 'verified');
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('Home');
  await expect(page.locator('.hg-inspector__state')).toContainText('in use');
  await expect(write).toBeDisabled();
  await page.locator('.hg-map__surface').focus();
  await page.keyboard.press('ArrowRight');
  await expect(write).toBeEnabled();
  await write.click();
  await expect(verdictOf(page)).toHaveText(/^Caught: the badge is red/);
  await expect(badge(page)).not.toHaveAttribute('data-badge', 'verified');
});

testAll(
  'a leak hunt: who looks is not wrong, a wrong place is answered by what is wrong with it, and the leaks stay marked',
  async ({ page }) => {
    const scene = kScenes.find(({ id }) => id === 'leak_hunt');
    if (scene === undefined) throw new Error('there is no such scene');
    const step = (await stepsOf(scene))[3];
    const toQuestion = async () => {
      await openScene(page, 'leak_hunt');
      for (let nth = 0; nth < 3; nth++) await button(page, 'Next').click();
      await expect(button(page, 'Show me')).toBeVisible();
    };
    await toQuestion();
    await button(page, 'Show me').click();
    await expect(verdictOf(page)).toHaveText(/^A leaked block stays though its request has ended/);
    await expect.poll(() => shownEvent(page)).toBe(step?.to);

    await page.goto('about:blank');
    await toQuestion();
    await answerByKeyboard(page, (step?.wrongPlaces?.['settings']?.[2] ?? 0) - 4, undefined);
    await expect(verdictOf(page)).toHaveText(/^Not so\. That is one of the settings/);
    await button(page, 'Next').click();
    await expect(panelOf(page)).toContainText('only the settings stay');
  },
);

ownPageAll(
  'a number is changed: the scene runs again with it, says what came of it, and the link has it',
  async ({ page }) => {
    await openScene(page, 'what_is_a_heap');
    const scene = kScenes.find(({ id }) => id === 'what_is_a_heap');
    for (const info of scene?.steps.slice(0, -1) ?? []) {
      if (info.question !== undefined) await button(page, 'Show me').click();
      await button(page, 'Next').click();
    }
    const field = panelOf(page).getByRole('spinbutton', { name: 'bytes' });
    await expect(field).toHaveValue('50');
    await button(page, 'Try').click();
    await expect(verdictOf(page)).toHaveText('50 bytes lie in the hole.');
    await field.fill('2000');
    await field.press('Enter');
    await expect(verdictOf(page)).toHaveText('2,000 bytes lie at the start of top, behind the last block.');
    await settled(page);
    await expect(page).toHaveURL(/#scene=what_is_a_heap&seed=5&number=2000&event=\d+/);
    await page.reload();
    await expect(field).toHaveValue('2000');
    await expect(verdictOf(page)).toHaveText(/^2,000 bytes lie at the start of top/);
  },
);

for (const [width, height] of someOf([
  [390, 844],
  [1440, 900],
] as const))
  test(`at ${width} px a scene has the map to itself, and the map shows all that the step is about`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await openScene(page, 'joining');
    await settled(page);
    await expect(page.locator('.hg-ask')).toBeHidden();
    await expect(page.locator('.hg-inspector')).toBeHidden();
    const map = await page.locator('.hg-map').boundingBox();
    expect(map?.width ?? 0).toBeGreaterThan(width * 0.9);
    await button(page, 'Next').click();
    await settled(page);
    // Each of the questions, their choices and the way on are in sight without scrolling.
    for (const name of ['None', 'Three', 'Show me', 'Next'])
      await expect(button(page, name)).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: /table/i }).first().click();
    const rows = page.getByRole('region', { name: 'Table of chunks' }).getByRole('row');
    await expect(rows.filter({ hasText: 'in use' })).toHaveCount(4);
    await expect(rows.filter({ hasText: 'top' })).toHaveCount(1);
  });
