// What other rooms use of symbols.

export { ByteReader, signedLeb, unsignedLeb, WasmFileError } from './byte_reader.ts';
export type { CallSite, FunctionBody } from './function_body.ts';
export { functionNames } from './function_names.ts';
export { kOp } from './instructions.ts';
export { deepestNesting } from './nesting.ts';
export { symbolizeTrace } from './symbolize_trace.ts';
export { createSymbolizer, type Symbolizer, sourceMapUrl } from './symbolizer.ts';
export {
  customSection,
  kExported,
  kSection,
  type Part,
  readModule,
  readSections,
  type Section,
  type WasmModule,
} from './wasm_module.ts';
