// The share of a frame that the handles have which nobody has deleted.

import type { HandleFigures } from '../../protocol/handles.ts';
import { partKey } from '../../protocol/parts.ts';

export const kHandles = partKey<true, HandleFigures>('handles');
