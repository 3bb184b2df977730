// Runs main of one linked program and tells its time, in milliseconds, on the last line of standard error.
//
//   node run_once.cjs <script> [keep]

const { readFileSync } = require('node:fs');

const [, , script, keep] = process.argv;
const quiet = () => {};
const options = keep === undefined ? {} : { heapglassOptions: { keep } };
const wasmBinary = readFileSync(script.replace(/\.js$/, '.wasm'));

require(script)({ wasmBinary, print: quiet, printErr: quiet, ...options }).then((program) => {
  const begin = process.hrtime.bigint();
  program.callMain([]);
  const milliseconds = Number(process.hrtime.bigint() - begin) / 1e6;
  const events = program.heapglass === undefined ? 0 : program.heapglass.count;
  process.stderr.write(`${JSON.stringify({ milliseconds, events })}\n`);
});
