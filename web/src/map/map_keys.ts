// What the keys do while the map has the focus. One table: it drives the listener and the description that a screen
// reader reads out.

export type MapKey =
  | 'previous'
  | 'next'
  | 'rowUp'
  | 'rowDown'
  | 'pageUp'
  | 'pageDown'
  | 'zoomIn'
  | 'zoomOut'
  | 'start'
  | 'end'
  | 'fit'
  | 'enter'
  | 'fold'
  | 'nextFree'
  | 'previousFree';

interface MapKeyRow {
  readonly keys: readonly string[];
  readonly key: MapKey;
}

const kMapKeys: readonly MapKeyRow[] = [
  { keys: ['ArrowLeft'], key: 'previous' },
  { keys: ['ArrowRight'], key: 'next' },
  { keys: ['ArrowUp'], key: 'rowUp' },
  { keys: ['ArrowDown'], key: 'rowDown' },
  { keys: ['PageUp'], key: 'pageUp' },
  { keys: ['PageDown'], key: 'pageDown' },
  { keys: ['+', '='], key: 'zoomIn' },
  { keys: ['-', '_'], key: 'zoomOut' },
  { keys: ['Home'], key: 'start' },
  { keys: ['End'], key: 'end' },
  { keys: ['f'], key: 'fit' },
  { keys: ['Enter'], key: 'enter' },
  { keys: ['e'], key: 'fold' },
  { keys: ['n'], key: 'nextFree' },
  { keys: ['p'], key: 'previousFree' },
];

export const kMapKeysText =
  'Arrow keys select the previous and next chunk, or the one a row above and below. Plus and minus zoom, f shows all ' +
  'of the heap, Home and End go to its first and last chunk, Page up and Page down scroll. Enter opens the ' +
  'selected chunk when it is folded, goes nearer to it, and into a pool block. e folds all empty rows, or none. n and p ' +
  'follow the links of a free chunk.';

export function mapKeyOf(event: KeyboardEvent): MapKey | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  return kMapKeys.find((row) => row.keys.includes(event.key))?.key;
}
