// VitePress' settings. The file is copied beside the pages; menu.json is written by build.mjs.

import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { emptyHeads, figures, withoutFigures } from './site/plots/figures.mjs';
import { baseAtRunTime, kBaseScript, kBuiltBase } from './site/relative.mjs';
import { frames } from './site/scene_frames.mjs';

const menu = JSON.parse(readFileSync(new URL('./menu.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'heapglass',
  description: 'A memory allocator for WebAssembly, and a page that shows its heap',
  lang: 'en',
  base: kBuiltBase,
  head: [
    ['script', {}, kBaseScript],
    ['link', { rel: 'icon', href: `${kBuiltBase}icon.svg`, type: 'image/svg+xml' }],
  ],
  vite: { plugins: [baseAtRunTime], build: { minify: false } }, // minified by relative.mjs, after its changes
  markdown: {
    html: false, // documents have none; a < in a sentence stays one
    config: (markdown) => {
      frames(markdown);
      figures(markdown);
      emptyHeads(markdown);
    },
    languages: ['c', 'cpp', 'js', 'ts', 'json', 'sh', 'cmake', 'html', 'rust', 'ini'],
    languageAlias: { jsonc: 'json', bash: 'sh', meson: 'text', make: 'text', scene: 'text', scenes: 'text' },
  },
  themeConfig: {
    nav: [
      { text: 'Learn', link: '/learn' },
      { text: 'Use', link: '/recording' },
      { text: 'Understand', link: '/life_of_an_allocation' },
      { text: 'Develop', link: '/architecture' },
    ],
    sidebar: menu,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { _render: async (text, env, markdown) => withoutFigures(await markdown.renderAsync(text, env)) },
    },
  },
});
