// How modules are recorded on their way to a page, and which options for that are refused.

export interface RecordOptions {
  /** Whether every allocation has its call stack. The program calls more slowly then: docs/sites.md. Default false. */
  readonly stacks?: boolean;
  /** Whether the stacks go on to the lines of JavaScript that called the module. Default false. */
  readonly callers?: boolean;
  /** Names of the allocator's functions, for modules whose own names do not say which they are. With `malloc` comes `free`. */
  readonly malloc?: string;
  readonly free?: string;
  readonly calloc?: string;
  readonly realloc?: string;
}

export type OptionTypes<Options> = Readonly<Record<keyof Options, 'boolean' | 'string'>>;

export const kRecordTypes: OptionTypes<RecordOptions> = {
  stacks: 'boolean',
  callers: 'boolean',
  malloc: 'string',
  free: 'string',
  calloc: 'string',
  realloc: 'string',
};

/** `who`: the function that was given them, as messages name it. Throws a TypeError. */
export function checkOptions(who: string, options: RecordOptions, types: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(options)) {
    const type = types[name];
    if (type === undefined)
      throw new TypeError(`${who}: there is no option "${name}"; there are ${Object.keys(types).join(', ')}`);
    if (value !== undefined && typeof value !== type)
      throw new TypeError(`${who}: ${name} is a ${type}, not ${JSON.stringify(value)}`);
  }
  const { malloc, free, calloc, realloc } = options;
  const missing = malloc === undefined ? 'malloc' : 'free';
  if ((malloc ?? free ?? calloc ?? realloc) !== undefined && (malloc === undefined || free === undefined))
    throw new TypeError(`${who}: an allocator is named by malloc and free together, and ${missing} is missing`);
}
