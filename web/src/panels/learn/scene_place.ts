// The place that a question asks for: what is selected while it is asked, and whether it is the right one.

import { formatAddress, formatBytes } from '../../base/format.ts';
import { partOf } from '../../protocol/parts.ts';
import type { PlaceKind } from '../../protocol/scenes.ts';
import { type InspectFrame, kInspect } from '../chunk/part.ts';
import type { Shown } from '../panel.ts';
import { runningScene, type SceneRun, stepAt } from './scene_run.ts';

/** SC2 */
export function holdsPlace(inspect: InspectFrame, places: readonly number[]): boolean {
  const { node } = inspect;
  const [begin, size] = node === undefined ? [inspect.chunk, inspect.size] : [node.address, node.size];
  return places.some((place) => place >= begin && place < begin + size);
}

/** The chunk or node that is selected while a place is asked for, in the frame of the question. */
export function placeAsked(shown: Shown | undefined, run: SceneRun): InspectFrame | undefined {
  const scene = shown && runningScene(shown);
  if (shown === undefined || scene === undefined || !run.isKnown(scene)) return undefined;
  const { frame, state, parts } = shown;
  const at = stepAt(run.steps(), state.cursor);
  const asks = scene.info.scene?.steps[at]?.question?.kind === 'place';
  const inspect = partOf(parts, kInspect);
  if (!asks || inspect === undefined || inspect.asked !== state.selected) return undefined;
  return frame.status.seq === run.steps()[at]?.from && inspect.what !== 'outside' ? inspect : undefined;
}

/** What is wrong with the place that was chosen (SC3). */
export function faultOf(inspect: InspectFrame, run: SceneRun, shown: Shown | undefined): string | undefined {
  const at = stepAt(run.steps(), shown?.state.cursor ?? 0);
  const question = shown && runningScene(shown)?.info.scene?.steps[at]?.question;
  if (question?.kind !== 'place') return undefined;
  const named = Object.entries(run.steps()[at]?.wrongPlaces ?? {}).find(([, places]) => holdsPlace(inspect, places));
  return question.wrongs[named?.[0] ?? kindOf(inspect)] ?? question.wrongs[kindOf(inspect)];
}

export const kindOf = ({ node, state }: Pick<InspectFrame, 'node' | 'state'>): PlaceKind =>
  node === undefined ? (kKinds[state] ?? 'used') : 'node';

const kKinds: readonly PlaceKind[] = ['free', 'used', 'top', 'victim', 'pool', 'cached'];

const kStates = ['free', 'in use', 'top', 'free', 'pool', 'cached'];

export const placeText = ({ chunk, size, state, node }: InspectFrame): string =>
  node === undefined
    ? `${formatAddress(chunk)}, ${kStates[state] ?? ''}, ${formatBytes(size)}`
    : `node ${formatAddress(node.address)}`;
