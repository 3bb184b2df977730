// Writes the page of the bench's figures: one HTML file with script, style, fonts and figures inside, which opens from a
// disk, a mail or any server.
//
//   node tests/bench/malloc/page/write_page.mjs [build/bench/malloc.json] [build/bench/page]

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const kFigures = /(<script type="application\/json" id="hg-figures">).*?(<\/script>)/s;

/** @returns {Promise<string>} the path of the page */
export async function writePage(jsonPath, outFolder) {
  const figures = JSON.parse(readFileSync(jsonPath, 'utf8')); // also proves that it is JSON
  const built = mkdtempSync(join(tmpdir(), 'heapglass-page-'));
  try {
    await build({
      configFile: false,
      root: fileURLToPath(new URL('.', import.meta.url)),
      base: './',
      logLevel: 'warn',
      build: {
        outDir: built,
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: Number.POSITIVE_INFINITY, // fonts
        cssCodeSplit: false,
        modulePreload: false,
      },
    });
    mkdirSync(outFolder, { recursive: true });
    const page = join(outFolder, 'index.html');
    writeFileSync(page, withFigures(withFiles(readFileSync(join(built, 'index.html'), 'utf8'), built), figures));
    return page;
  } finally {
    rmSync(built, { recursive: true });
  }
}

/** Scripts and styles where they were linked. Functions replace, as text may hold $&; "</script" would end the element. */
function withFiles(html, folder) {
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  let scripts = '';
  const rest = html
    .replaceAll(/<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g, (_, path) => `<style>${read(path)}</style>`)
    .replaceAll(/<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/g, (_, path) => {
      scripts += `<script type="module">${read(path).replaceAll('</script', '<\\/script')}</script>`;
      return '';
    });
  return rest.replace('</body>', () => `${scripts}</body>`); // after the figures
}

/** In JSON a "<" can be written so that no HTML is in it. */
function withFigures(html, figures) {
  const text = JSON.stringify(figures).replaceAll('<', '\\u003c');
  return html.replace(kFigures, (_, open, close) => `${open}${text}${close}`);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , json = 'build/bench/malloc.json', out = 'build/bench/page'] = process.argv;
  console.log(await writePage(json, out));
}
