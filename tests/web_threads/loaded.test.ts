// malloc on threads of a loader that is not Emscripten's, in the browser: a page's main thread, workers, and an AudioWorklet also
// where Emscripten has none. No pthreads are linked, so no thread may wait, and each flushes before it ends (threads.E5).

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { archive, root, toolchains } from '../link/toolchain.ts';
import { closeBrowser, runOnPage } from './hosts.ts';

const kBlocks = Number(process.env['HG_CROWD_BLOCKS'] ?? 200_000);
const kTimeout = 60_000 + kBlocks / 25;
const kFlags = [
  ...['-O2', '-matomics', '-mbulk-memory', '-sSTANDALONE_WASM', '--no-entry', '-sIMPORTED_MEMORY=1'],
  ...['-sINITIAL_MEMORY=67108864', '-sMAXIMUM_MEMORY=67108864', '-sALLOW_MEMORY_GROWTH=1'],
  '-Wl,--shared-memory,--no-check-features,--export=__wasm_init_tls,--export=__tls_size,--export=__stack_pointer',
  `-sEXPORTED_FUNCTIONS=${['stack', 'stack_bytes', 'swap', 'end', 'judge'].map((name) => `_loaded_${name}`).join()}`,
];

afterAll(closeBrowser);

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    for (const profile of ['fast', 'checked']) {
      test(`main thread, workers and an AudioWorklet of another loader, profile ${profile}, in Chromium`, {
        timeout: kTimeout,
        retry: 0,
      }, async () => {
        const flags = [archive(`${profile}-threads`), '-I', join(root, 'core/include'), ...kFlags];
        const { wasm } = await toolchain.link(`loaded_${profile}`, ['../../web_threads/loaded.c'], flags);
        copyFileSync(join(root, 'tests/web_threads/loaded_page.js'), wasm.replace(/wasm$/, 'js'));
        const blocks = profile === 'fast' ? kBlocks : kBlocks / 20;
        expect(JSON.parse(await runOnPage(wasm, blocks, kTimeout - 10_000))).toEqual({
          judged: 0,
          lowWordsChanged: false,
        });
      });
    }
  });
}
