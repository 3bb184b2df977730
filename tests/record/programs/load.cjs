// Runs main of a program again and again for some seconds, recorded within a bound, and writes the recording:
//
//   load.cjs <script> <seconds> <mode> <trace file>

const { readFileSync, writeFileSync } = require('node:fs');

const [, , script, seconds, mode, path] = process.argv;
const wasmBinary = readFileSync(script.replace(/\.js$/, '.wasm'));
const heapglassOptions = { mode, keep: 500_000 };

require(script)({ wasmBinary, print: () => {}, heapglassOptions }).then((program) => {
  const recorder = program.heapglass;
  const end = Date.now() + Number(seconds) * 1000;
  let runs = 0;
  do {
    program.callMain([]);
    recorder.drain();
    ++runs;
  } while (Date.now() < end);
  recorder.checkpoint();
  const { lost } = recorder;
  const trace = recorder.trace();
  writeFileSync(path, trace);
  process.stdout.write(`${JSON.stringify({ runs, lost, count: recorder.count })}\n`);
  process.exit(0);
});
