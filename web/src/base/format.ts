// Numbers as the reader sees them, the same everywhere: addresses grouped, sizes in binary units, counts in thousands.

/** No line breaks there: Firefox and WebKit break at a thin space (U+2009). */
const kNarrowSpace = '\u202f';

/** 0x0004_1a30 */
export function formatAddress(address: number): string {
  const digits = Math.floor(address).toString(16).padStart(8, '0');
  return `0x${digits.slice(0, -4)}_${digits.slice(-4)}`;
}

/** 352 B, 1.83 MiB: three digits at most once there is a unit above bytes. */
export function formatBytes(size: number): string {
  if (Math.abs(size) < 1024) return `${size}${kNarrowSpace}B`;
  let value = size;
  let unit = 'B';
  for (const next of ['KiB', 'MiB', 'GiB']) {
    if (Math.abs(value) < 1023.5) break;
    value /= 1024;
    unit = next;
  }
  const digits = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
  return `${Number.isInteger(value) ? value : value.toFixed(digits)}${kNarrowSpace}${unit}`;
}

// Made once: toLocaleString makes a formatter at every call, and the page writes some hundred counts a frame.
const thousands = new Intl.NumberFormat('en-US');

/** 48,212 */
/** 12.5 % */
export const formatShare = (share: number): string => `${Number((share * 100).toFixed(1))}${kNarrowSpace}%`;

export function formatCount(count: number): string {
  return thousands.format(count);
}
