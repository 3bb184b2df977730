import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kRingLayout, kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import { artefactUrl } from '../../../web/src/wasm/heap_artefacts.ts';
import { loadProgram } from '../../../web/src/wasm/load.ts';

const load = (wasm?: Parameters<typeof loadProgram>[2]) => loadProgram('heap', { drain: () => {} }, wasm);

test('a module comes from its artefact, an address, bytes, a compiled module or a response', async () => {
  const url = artefactUrl('trace');
  const file = readFileSync(url);
  const response = () => new Response(file, { headers: { 'content-type': 'application/wasm' } });
  for (const wasm of [undefined, url, url.href, file, new WebAssembly.Module(file), response(), new Response(file)]) {
    const { functions, views } = await load(wasm);
    expect(views.word((functions.hg_trace_ring() >>> 0) + kRingLayout.version)).toBe(kTraceVersion);
  }
});

test('what is not there is named', async () => {
  await expect(load(new URL('nowhere.wasm', artefactUrl('trace')))).rejects.toThrow(
    /cannot be loaded: .*nowhere\.wasm/,
  );
});

test('what is no module is refused', async () => {
  await expect(load(new Uint8Array([1, 2, 3, 4]))).rejects.toThrow(/cannot be loaded/);
  await expect(load(new Response('gone', { status: 404 }))).rejects.toThrow(/404/);
});

test('a module without probes is refused: it would show nothing', async () => {
  await expect(load(artefactUrl('release'))).rejects.toThrow(/without probes/);
});

test('the word index is not the heap alone', async () => {
  await expect(loadProgram('word_index', { drain: () => {} }, artefactUrl('trace'))).rejects.toThrow(
    /no word_index_begin/,
  );
});
