// Broken invariants: a bug in heapglass, so these throw. Expected failures return a Result (result.ts).

export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

/** Throws unless `condition`; narrows its type. */
export function assertThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new BrokenInvariant(what);
}

/** The value, which must be there. */
export function assertDefined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new BrokenInvariant(`missing: ${what}`);
  return value;
}

/** The end of an exhaustive switch; a new case makes this line an error when compiling. */
export function assertUnreachable(value: never): never {
  throw new BrokenInvariant(`unknown case: ${String(value)}`);
}
