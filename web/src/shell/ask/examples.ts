// What stands in the question field while nothing is written: what it is for, and as many examples as are whole in the width that there is.

export const kShortest = 'Ask or search';
/** The longest first. */
const kExamples = [
  `${kShortest}: why did it grow, a function, 0x41a30, ≥ 64 KiB`,
  `${kShortest}: leak, 0x41a30, 64 KiB`,
  `${kShortest}: leak`,
  kShortest,
] as const;

/** The longest of the texts that is no wider than the space. */
export const longestWithin = (space: number, widthOf: (text: string) => number): string =>
  kExamples.find((text) => widthOf(text) <= space) ?? kShortest;

/** As the field's width changes, and once its font is there. Returns what ends it. */
export function keepExamples(field: HTMLInputElement): () => void {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => undefined;
  const update = (): void => {
    const { paddingLeft, paddingRight } = getComputedStyle(field);
    const { fontSize, fontFamily } = getComputedStyle(field, '::placeholder'); // `font` is empty where one part is no part of it
    context.font = `${fontSize} ${fontFamily}`;
    const space = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    field.placeholder = longestWithin(space, (text) => context.measureText(text).width);
  };
  const observer = new ResizeObserver(update);
  observer.observe(field);
  document.fonts.addEventListener('loadingdone', update);
  return () => {
    observer.disconnect();
    document.fonts.removeEventListener('loadingdone', update);
  };
}
