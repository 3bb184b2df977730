// A target of `npm run fuzz` that is no C++: something that takes what a stranger gives.

export interface Target {
  /** Runs the case of a seed. Resolves to what kind of answer it got, by which new cases are known. Throws when it is a finding. */
  run(seed: number): Promise<string>;
  dispose(): void;
}

/** An answer without its names, numbers and quotations. */
export const kindOf = (text: string): string =>
  text
    .replace(/"[^"]*"/g, '""')
    .replace(/0x[0-9a-f]+|\d[\d,.]*/gi, 'N')
    .replace(/[^ -~]+/g, '?')
    .slice(0, 100);
