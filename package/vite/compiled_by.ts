// What a page says of a module that it is about to compile (recorded_here.ts) and the dev server reads (served_wasm.ts).

/** Its value: CompiledBy, as JSON in the letters of an address. No other site can send it without asking the server first. */
export const kCompiledHeader = 'x-heapglass-compiled';

export interface CompiledBy {
  /** Where the page had it from. */
  readonly address?: string;
  /** Addresses of the scripts that compile it, the innermost first. */
  readonly scripts: readonly string[];
}

/** Undefined: it is none. */
export function compiledBy(header: unknown): CompiledBy | undefined {
  if (typeof header !== 'string') return undefined;
  try {
    const { address, scripts } = JSON.parse(decodeURIComponent(header)) as Partial<Record<string, unknown>>;
    if (!Array.isArray(scripts) || !scripts.every((it) => typeof it === 'string')) return undefined;
    return { ...(typeof address === 'string' ? { address } : {}), scripts };
  } catch {
    return undefined;
  }
}
