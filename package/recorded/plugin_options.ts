// What the plugins of bundlers may be given.

import { checkOptions, kRecordTypes, type RecordOptions } from './record_options.ts';

/** What the plugin may be given. */
export interface HeapglassOptions extends RecordOptions {
  /**
   * Whether modules are recorded in development. Default true; false leaves only what `createHeap()` needs of Vite. `'sampled'`: in a build
   * too, where one allocation in so many bytes is recorded, with its call site.
   */
  readonly record?: boolean | 'sampled';
  /** In a build with `record: 'sampled'`: the bytes from one sample to the next, as a mean. Default 2097152. */
  readonly sample?: number;
  /**
   * The key that opens and closes the dock: a letter or digit behind any of `Ctrl+`, `Alt+`, `Shift+`, `Meta+`. Default `Alt+Shift+H`; in a
   * build there is none by default.
   */
  readonly key?: string;
}

export const kKeyInDevelopment = 'Alt+Shift+H';
export const kSample = 2 * 1024 * 1024; // bytes
const kMostSample = 2 ** 30; // bytes
const kKey = /^(?:(?:Ctrl|Alt|Shift|Meta)\+)*[A-Z0-9]$/i;

export function checkPluginOptions(options: HeapglassOptions): void {
  const { record, sample } = options;
  const types = { record: typeof record, sample: typeof sample, key: 'string', ...kRecordTypes }; // these two below
  checkOptions('heapglass()', options, types);
  if (record !== undefined && typeof record !== 'boolean' && record !== 'sampled')
    throw new TypeError(`heapglass(): record is true, false or "sampled", not ${JSON.stringify(record)}`);
  if (sample !== undefined && (!Number.isInteger(sample) || sample < 1 || sample > kMostSample))
    throw new TypeError(
      `heapglass(): sample is a number of bytes from 1 to ${kMostSample}, not ${JSON.stringify(sample)}`,
    );
  if (sample !== undefined && record !== 'sampled') throw new TypeError('heapglass(): sample needs record: "sampled"');
  if (options.key === undefined || kKey.test(options.key)) return;
  throw new TypeError(`heapglass(): "${options.key}" is no key; write it as "Alt+Shift+H"`);
}
