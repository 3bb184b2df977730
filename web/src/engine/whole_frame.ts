// A frame that any panel may have a part of.

import { kQueries } from '../panels/worker.ts';
import type { Frame } from '../protocol/frames.ts';
import type { FrameRequest } from '../protocol/messages.ts';
import { frameWith } from './frame.ts';
import type { Session } from './session.ts';

export const makeFrame = (session: Session, request: FrameRequest): Frame => frameWith(kQueries, session, request);
