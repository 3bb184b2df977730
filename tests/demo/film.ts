// A demo that is filmed: pictures with a caption under the page, an animation of them, and the trace that was shown.
//
//   build/demo/<name>/   picture-1.png ...   one for each moment that has a name
//                        preview.gif         all shots, at half the size; HG_PICTURE=write (npm run picture) copies that of one scene
//                                            to docs/images, for the README
//                        trace.hgtrace       what the page saves; the page and `heapglass report` open it

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { animate, type Shot } from './gif.ts';

const kInReadme = 'scene_joining';
const kReadmePicture = fileURLToPath(new URL('../../docs/images/scene_joining.gif', import.meta.url));

/** Milliseconds in the animation. */
export const kGlance = 220;
export const kLook = 900;

export interface Film {
  /** Is read under the page from here on. */
  caption(text: string): Promise<void>;
  shot(milliseconds: number): Promise<void>;
  /** A shot that is a picture of its own too. */
  picture(milliseconds: number): Promise<void>;
  /** Writes animation and trace. */
  end(): Promise<void>;
}

export function startFilm(page: Page, name: string): Film {
  const folder = fileURLToPath(new URL(`../../build/demo/${name}/`, import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shots: Shot[] = [];
  let pictures = 0;
  const shoot = async (milliseconds: number): Promise<Buffer> => {
    const png = await page.screenshot({ animations: 'disabled' });
    shots.push({ png, milliseconds });
    return png;
  };
  return {
    caption: (text) => showCaption(page, text),
    shot: async (milliseconds) => {
      await shoot(milliseconds);
    },
    picture: async (milliseconds) => writeFileSync(`${folder}picture-${++pictures}.png`, await shoot(milliseconds)),
    end: async () => {
      const animation = animate(shots);
      writeFileSync(`${folder}preview.gif`, animation);
      if (name === kInReadme && process.env['HG_PICTURE'] === 'write') writeFileSync(kReadmePicture, animation);
      await saveTrace(page, `${folder}trace.hgtrace`);
    },
  };
}

/** Over the foot of the page, and no part of it: nobody can press it, and no reader hears it twice. */
async function showCaption(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => {
    const known = document.querySelector<HTMLElement>('.demo-caption');
    const bar = known ?? document.createElement('div');
    bar.className = 'demo-caption';
    bar.ariaHidden = 'true';
    bar.textContent = words;
    bar.style.cssText =
      'position:fixed;inset:auto 0 12px;margin:auto;width:fit-content;max-width:70%;padding:8px 20px;border-radius:8px;' +
      'background:#000c;color:#fff;font:600 20px/1.4 Inter,sans-serif;text-align:center;z-index:9999;pointer-events:none';
    if (known === null) document.body.append(bar);
  }, text);
}

async function saveTrace(page: Page, path: string): Promise<void> {
  await page.locator('.hg-scenarios__open').click();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the trace' }).click();
  await (await downloaded).saveAs(path);
  await expect(page.locator('.hg-badge')).toHaveAttribute('data-badge', 'verified');
}
