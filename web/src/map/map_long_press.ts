// A finger that rests on the map opens what the mouse opens by hovering; the words stay when it is lifted, until the next touch.
//
//   press.1  A finger that moves by more than kSlop, a second finger, and one that is lifted early are no long press.
//   press.2  A long press selects nothing: the click that some browsers send behind it is taken back.

const kRestMs = 450;
const kSlop = 10;

export interface LongPressCallbacks {
  /** A finger rests here. */
  open(event: PointerEvent): void;
  /** Something else is touched. */
  close(): void;
}

export function listenForLongPress(
  surface: HTMLElement,
  { open, close }: LongPressCallbacks,
  signal: AbortSignal,
): void {
  const fingers = new Set<number>();
  let resting: ReturnType<typeof setTimeout> | undefined;
  let first: PointerEvent | undefined;
  let opened = false; // by the touch that is the newest

  function give(): void {
    clearTimeout(resting);
    resting = undefined;
  }

  const listen = <Type extends 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel'>(
    type: Type,
    listener: (event: PointerEvent) => void,
  ) =>
    surface.addEventListener(type, (event) => (event.pointerType === 'touch' ? listener(event) : undefined), {
      signal,
    });
  listen('pointerdown', (event) => {
    fingers.add(event.pointerId);
    give();
    close();
    opened = false;
    if (fingers.size > 1) return;
    first = event;
    resting = setTimeout(() => {
      opened = true;
      open(event);
    }, kRestMs);
  });
  listen('pointermove', (event) => {
    if (first !== undefined && Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) > kSlop) give();
  });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    listen(type, (event) => {
      fingers.delete(event.pointerId);
      give();
    });
  }
  signal.addEventListener('abort', give);
  surface.addEventListener(
    'contextmenu',
    (event) => {
      if (fingers.size > 0 || opened) event.preventDefault(); // the browser's own long press
    },
    { signal },
  );
  surface.addEventListener(
    'click',
    (event) => {
      if (!opened) return;
      opened = false;
      event.stopImmediatePropagation(); // press.2
    },
    { signal, capture: true },
  );
}
