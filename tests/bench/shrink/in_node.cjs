// The scene in a Node process of its own: calls come as messages, and so do the answers.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

process.on('message', async ({ name, given }) => {
  try {
    process.send({ value: name === 'start' ? await start(...given) : await globalThis.heldScene[name](...given) });
  } catch (error) {
    process.send({ error: String(error) });
  }
});

function start(kind, files) {
  require(join(files.folder, 'scene.js'));
  const wasm = new Uint8Array(readFileSync(join(files.wasmFolder, 'heapglass-release.wasm')));
  return globalThis.heldScene.start(kind, () => require(join(files.folder, 'held.js'))(), wasm);
}
