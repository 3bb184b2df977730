// What could go back to the system at the moment shown, in words: for the status and the time line.

import { formatBytes } from '../../base/format.ts';
import type { StatusFrame } from '../../protocol/frames.ts';

/** '64 of 112 MiB could go back'; empty where no whole page is free. */
export function returnableText(status: Pick<StatusFrame, 'returnable' | 'footprint'> | undefined): string {
  if (status === undefined || status.returnable === 0) return '';
  const [part, whole] = [formatBytes(status.returnable), formatBytes(status.footprint)];
  const unit = /\D+$/.exec(whole)?.[0] ?? '';
  return `${part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole} could go back`;
}
