// What could go back to the system at the moment shown, in words: for the status, the time line and the question line.

import { formatBytes } from '../../base/format.ts';
import type { StatusFrame } from '../../protocol/frames.ts';

/** '64 of 112 MiB could go back'; empty where no whole page is free. */
export function returnableText(status: Pick<StatusFrame, 'returnable' | 'footprint'> | undefined): string {
  if (status === undefined || status.returnable === 0) return '';
  const [part, whole] = [formatBytes(status.returnable), formatBytes(status.footprint)];
  const unit = /\D+$/.exec(whole)?.[0] ?? '';
  return `${part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole} could go back`;
}

/** As an answer. */
export function goesBackText(status: Pick<StatusFrame, 'returnable' | 'footprint' | 'heaps'> | undefined): string {
  const text = returnableText(status);
  if (text === '') return 'Nothing could go back here: no page of 64 KiB is free as a whole.';
  const whose = (status?.heaps.length ?? 0) < 2 ? '' : 'Of all heaps, ';
  return `${whose}${text}: pages of 64 KiB that are free as a whole, hollow on the map. Linked with --shrink, a program gives them back.`;
}
