// Loads a program with threads whose main waits for them, then writes what its recorder kept: gather.cjs <script> <records>.

const { readFileSync, writeFileSync } = require('node:fs');

const [, , script, path] = process.argv;
const wasmBinary = readFileSync(script.replace(/\.js$/, '.wasm'));

require(script)({ wasmBinary, arguments: ['20000'], heapglassOptions: { keep: 'all' } }).then(({ heapglass }) => {
  heapglass.checkpoint();
  const records = heapglass.records();
  writeFileSync(path, records);
  process.stdout.write(`${records.length / 16 === heapglass.count} ${heapglass.lost}\n`);
  process.exit(0);
});
