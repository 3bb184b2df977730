// Wheel, drag and pinch, recognised by d3-zoom, as movements of the map.
//
// d3-zoom keeps a plane that scales about a point; the map is wrapped text and keeps its own transform. So d3's is read
// as a difference only: where the pointer's place came from, and by how much the scale changed. Its scale is bytes per
// row upside down, so that its limits are the map's.

import { pointers, select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
import { kMaxBytesPerRow, kMinBytesPerRow } from './map_geometry.ts';

export interface GestureCallbacks {
  /** The picture moves by (dx, dy), then bytes per row change by `factor` about (x, y). */
  move(x: number, y: number, dx: number, dy: number, factor: number): void;
  /** Whether the wheel is the map's; else it scrolls what is around. */
  wheel(event: MouseEvent): boolean;
  /** The hand is off the map. */
  end(): void;
}

export interface Gestures {
  /** The map went to another zoom by itself: later differences start there. */
  sync(bytesPerRow: number): void;
  dispose(): void;
}

const scaleOf = (bytesPerRow: number): number => kMaxBytesPerRow / bytesPerRow;

/** One notch of a wheel is about half a zoom step; the map goes on to the next whole one when the wheel rests. */
const kWheelOctaves = 1 / 240;

export function listenForGestures(element: HTMLElement, callbacks: GestureCallbacks): Gestures {
  const selection = select<HTMLElement, unknown>(element);
  let before: ZoomTransform = zoomIdentity;
  let syncing = false;

  const behaviour = zoom<HTMLElement, unknown>()
    .scaleExtent([scaleOf(kMaxBytesPerRow), scaleOf(kMinBytesPerRow)])
    .clickDistance(4)
    .wheelDelta(
      (event: WheelEvent) => -event.deltaY * (event.deltaMode === 1 ? 20 : 1) * kWheelOctaves * (event.ctrlKey ? 4 : 1),
    )
    .filter(
      (event: MouseEvent) =>
        event.type === 'wheel'
          ? !event.shiftKey && callbacks.wheel(event)
          : !event.button && !event.ctrlKey && !event.shiftKey, // a touch has no button
    )
    .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
      const now = event.transform;
      const was = before;
      before = now;
      if (syncing || !(event.sourceEvent instanceof Event)) return;
      const [x, y] = middle(pointers(event.sourceEvent, element));
      const [fromX, fromY] = was.apply(now.invert([x, y]));
      callbacks.move(x, y, x - fromX, y - fromY, was.k / now.k);
    })
    .on('end', () => {
      if (!syncing) callbacks.end();
    });
  selection.call(behaviour).on('dblclick.zoom', null);

  return {
    sync(bytesPerRow) {
      syncing = true;
      behaviour.transform(selection, zoomIdentity.scale(scaleOf(bytesPerRow)));
      syncing = false;
    },
    dispose() {
      selection.on('.zoom', null);
    },
  };
}

function middle(points: readonly [number, number][]): [number, number] {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point[0] / points.length;
    y += point[1] / points.length;
  }
  return [x, y];
}
