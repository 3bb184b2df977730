// What the plugin may be given.

import { checkOptions, kRecordTypes, type RecordOptions } from '../recorded/record_options.ts';

/** What the plugin may be given. */
export interface HeapglassOptions extends RecordOptions {
  /** Whether modules are recorded in development. Default true; false leaves only what `createHeap()` needs of Vite. */
  readonly record?: boolean;
  /** The key that opens and closes the dock: a letter or digit behind any of `Ctrl+`, `Alt+`, `Shift+`, `Meta+`. Default `Alt+Shift+H`. */
  readonly key?: string;
}

const kKey = /^(?:(?:Ctrl|Alt|Shift|Meta)\+)*[A-Z0-9]$/i;

export function checkPluginOptions(options: HeapglassOptions): void {
  checkOptions('heapglass()', options, { record: 'boolean', key: 'string', ...kRecordTypes });
  if (options.key === undefined || kKey.test(options.key)) return;
  throw new TypeError(`heapglass(): "${options.key}" is no key; write it as "Alt+Shift+H"`);
}
