// What the plugin may be given, and what it refuses.

/** What the plugin may be given. */
export interface HeapglassOptions {
  /** Whether modules are recorded in development. Default true; false leaves only what `createHeap()` needs of Vite. */
  readonly record?: boolean;
  /** The key that opens and closes the dock: a letter or digit behind any of `Ctrl+`, `Alt+`, `Shift+`, `Meta+`. Default `Alt+Shift+H`. */
  readonly key?: string;
  /** Whether every allocation has its call stack. The program calls more slowly then: docs/sites.md. Default false. */
  readonly stacks?: boolean;
  /** Names of the allocator's functions, for modules whose own names do not say which they are. With `malloc` comes `free`. */
  readonly malloc?: string;
  readonly free?: string;
  readonly calloc?: string;
  readonly realloc?: string;
}

const kTypes: Readonly<Record<keyof HeapglassOptions, 'boolean' | 'string'>> = {
  record: 'boolean',
  key: 'string',
  stacks: 'boolean',
  malloc: 'string',
  free: 'string',
  calloc: 'string',
  realloc: 'string',
};
const kKey = /^(?:(?:Ctrl|Alt|Shift|Meta)\+)*[A-Z0-9]$/i;

export function checkOptions(options: HeapglassOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const type = kTypes[name as keyof HeapglassOptions];
    if (type === undefined) {
      throw new TypeError(`heapglass(): there is no option "${name}"; there are ${Object.keys(kTypes).join(', ')}`);
    }
    if (value !== undefined && typeof value !== type)
      throw new TypeError(`heapglass(): ${name} is a ${type}, not ${JSON.stringify(value)}`);
  }
  if (options.key !== undefined && !kKey.test(options.key)) {
    throw new TypeError(`heapglass(): "${options.key}" is no key; write it as "Alt+Shift+H"`);
  }
  if (options.malloc === undefined && (options.free ?? options.calloc ?? options.realloc) !== undefined)
    throw new TypeError('heapglass(): an allocator is named by malloc and free together, and malloc is missing');
  if (options.malloc !== undefined && options.free === undefined)
    throw new TypeError('heapglass(): an allocator is named by malloc and free together, and free is missing');
}
