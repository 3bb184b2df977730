// The app that the plugins of bundlers are tested with: installed from the tarball, with a module of an npm package, one whose allocator
// is named, and one whose is not.

import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { launchOptions } from '../../tools/find_chromium.mjs';
import { bumpAllocator } from './bump_allocator.ts';
import { type Installed, installPacked, root } from './installed.ts';

export interface App<Plugin> {
  readonly installed: Installed;
  readonly browser: Browser;
  readonly heapglass: (options?: object) => Plugin;
  dispose(): Promise<void>;
}

export async function installApp<Plugin>(bundler: 'vite' | 'webpack'): Promise<App<Plugin>> {
  const installed = installPacked(fileURLToPath(new URL('./vite_app', import.meta.url)));
  const modules = join(installed.folder, 'node_modules');
  cpSync(join(root, 'node_modules/@jsquash'), join(modules, '@jsquash'), { recursive: true });
  symlinkSync(join(root, 'node_modules/binaryen'), join(modules, 'binaryen'));
  writeFileSync(join(installed.folder, 'public/empty.wasm'), bumpAllocator('malloc', 'free'));
  writeFileSync(join(installed.folder, 'public/unnamed.wasm'), bumpAllocator('a', 'b'));
  const entry = pathToFileURL(join(modules, `heapglass/dist/package/${bundler}/plugin.js`)).href;
  const { heapglass } = (await import(/* @vite-ignore */ entry)) as Pick<App<Plugin>, 'heapglass'>;
  const browser = await chromium.launch(launchOptions());
  return {
    installed,
    browser,
    heapglass,
    async dispose() {
      await browser.close();
      installed.dispose();
    },
  };
}
