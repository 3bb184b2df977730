// heapglass symbolize trace app.wasm: names, files and lines for the sites of a trace, out of the module as it was before it was
// instrumented.
//
//   S1  Names come from the name section or DWARF, lines and inlined calls from DWARF, else from a source map: --source-map, or the file
//       that the module names, if it lies beside it.
//   S2  The trace is written over, unless -o names another file.
//   S3  A module may be a stranger's: of what it names only a regular file in its own folder, or below it, is read (recorded/module_names.ts).

import { dirname, join } from 'node:path';
import { knownPart } from '../../web/src/report/verdict.ts';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { besideModule, demangler, isBelow } from '../recorded/module_names.ts';
import { readBytes } from './files.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';
import { readTrace } from './traces.ts';
import { sayVerdict } from './verdict.ts';
import { refuseOnto, writeOut } from './write_out.ts';

export interface SymbolizeOptions {
  readonly output?: string;
  readonly sourceMap?: string;
}

export async function symbolize(tracePath: string, wasmPath: string, options: SymbolizeOptions): Promise<number> {
  const { createSymbolizer, sourceMapUrl, symbolizeTrace, WasmFileError } = await import(
    '../../web/src/symbols/index.ts'
  );
  refuseOnto([wasmPath, options.sourceMap], [options.output ?? tracePath], 1);
  const { file, verdict } = knownPart((await readTrace(tracePath, 1)).file);
  const code = sayVerdict(tracePath, verdict);
  if (code !== 0 && options.output === undefined)
    throw new Problem(
      `"${tracePath}" is not whole, and what cannot be known would be lost in it: name another file with -o`,
    );
  const wasm = readBytes(wasmPath, 1);
  try {
    const symbolizer = createSymbolizer({
      wasm,
      sourceMap: sourceMapOf(wasmPath, options.sourceMap ?? sourceMapUrl(wasm), options.sourceMap !== undefined),
      demangler: demangler(),
    });
    const { trace, sites, named } = symbolizeTrace(file.trace, symbolizer);
    if (sites === 0) {
      throw new Problem(
        `"${tracePath}" has no sites: only a module instrumented with --stacks or --sample writes them`,
      );
    }
    writeOut(options.output ?? tracePath, new Uint8Array(encodeTraceFile(trace, file.wordSize, file.notes)), 1);
    say(`${options.output ?? tracePath}: ${named} of ${sites} sites have names from ${wasmPath}`);
    return code;
  } catch (error) {
    if (error instanceof WasmFileError) throw new Problem(`"${wasmPath}": ${error.message}`);
    throw error;
  }
}

/** S3 */
function sourceMapOf(wasmPath: string, url: string | undefined, isGiven: boolean): string | undefined {
  if (url === undefined) return undefined;
  const path = isGiven ? url : sourceMapBeside(wasmPath, url);
  return path === undefined ? undefined : new TextDecoder().decode(readBytes(path, 1));
}

function sourceMapBeside(wasmPath: string, url: string): string | undefined {
  const path = besideModule(wasmPath, url);
  const folder = dirname(wasmPath);
  if (path === undefined && !/^[a-z]+:/.test(url) && !isBelow(folder, join(folder, url)))
    say(
      `"${url}", the source map that ${wasmPath} names, lies outside the folder of the module and is not read; --source-map names it`,
    );
  return path;
}
