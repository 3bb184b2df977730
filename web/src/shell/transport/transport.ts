// The transport: first, back, play, on, last; whole events or whole operations; how fast; and where in time we are.
// Steps go by the chosen unit; with Shift held, by the other one.

import './transport.css';
import { formatCount } from '../../base/format.ts';
import { icon, iconButton, make, setText } from '../../dom/dom.ts';

export interface TransportState {
  readonly cursor: number;
  readonly head: number;
  readonly operations: number;
  readonly operationsTotal: number;
  readonly playing: boolean;
  readonly running: boolean;
  readonly speed: number;
  readonly unit: 'event' | 'operation';
  readonly bookmarked: boolean; // the event that is shown
}

export interface TransportCallbacks {
  first(): void;
  last(): void;
  step(by: -1 | 1, otherUnit: boolean): void;
  togglePlay(): void;
  bookmark(): void;
  speed(speed: number): void;
  unit(unit: 'event' | 'operation'): void;
}

const kPaths = {
  first: 'M3 3h1.6v10H3zM13 3v10L5.6 8z',
  back: 'M11 3v10L4.5 8z',
  play: 'M4.5 2.5v11L13 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  on: 'M5 3v10l6.5-5z',
  bookmark: 'M4 2h8v12l-4-3.4L4 14z',
  last: 'M11.4 3H13v10h-1.6zM3 3v10l7.4-5z',
};

export function createTransport(
  parent: Element,
  speeds: readonly number[],
  speedText: (speed: number) => string,
  callbacks: TransportCallbacks,
) {
  const shifted = { held: false };
  const stepButton = (path: string, name: string, by: -1 | 1) => {
    const button = iconButton(path, name, () => callbacks.step(by, shifted.held));
    button.addEventListener('pointerdown', (event) => {
      shifted.held = event.shiftKey;
    });
    button.addEventListener('keydown', (event) => {
      shifted.held = event.shiftKey;
    });
    return button;
  };
  const playIcon = icon(kPaths.play);
  const play = make('button', { type: 'button', class: 'hg-button hg-button--icon hg-transport__play' }, playIcon);
  play.addEventListener('click', () => callbacks.togglePlay());

  const bookmark = iconButton(kPaths.bookmark, 'Bookmark this event (b)', () => callbacks.bookmark());
  bookmark.classList.add('hg-transport__bookmark');

  const event = make('strong', { class: 'hg-transport__event' });
  const head = make('span', { class: 'hg-transport__head' });
  const operation = make('span', { class: 'hg-transport__operation' });

  const units = (['event', 'operation'] as const).map((unit) => {
    const button = make('button', { type: 'button', class: 'hg-segment', title: `step by ${unit}` }, unit);
    button.addEventListener('click', () => callbacks.unit(unit));
    return { unit, button };
  });
  const speed = make('select', { class: 'hg-input hg-transport__speed', 'aria-label': 'Speed, steps per second' });
  for (const value of speeds) speed.append(make('option', { value }, speedText(value)));
  speed.addEventListener('change', () => callbacks.speed(Number(speed.value)));

  const element = make(
    'div',
    { class: 'hg-transport' },
    make(
      'div',
      { class: 'hg-transport__buttons', role: 'group', 'aria-label': 'Playback' },
      iconButton(kPaths.first, 'First event (Home)', () => callbacks.first()),
      stepButton(kPaths.back, 'One step back (, or Shift , for an operation)', -1),
      play,
      stepButton(kPaths.on, 'One step on (. or Shift . for an operation)', 1),
      iconButton(kPaths.last, 'Newest event (End)', () => callbacks.last()),
      bookmark,
    ),
    make('p', { class: 'hg-transport__where' }, 'event ', event, head, operation),
    make(
      'div',
      { class: 'hg-transport__choices' },
      make(
        'div',
        { class: 'hg-segments', role: 'group', 'aria-label': 'Step by' },
        ...units.map(({ button }) => button),
      ),
      speed,
    ),
  );
  parent.append(element);

  return {
    element,
    update(state: TransportState): void {
      const name = state.playing ? 'Pause (Space)' : 'Play (Space)';
      if (play.title !== name) {
        play.title = name;
        play.setAttribute('aria-label', name);
        playIcon.firstElementChild?.setAttribute('d', state.playing ? kPaths.pause : kPaths.play);
        play.classList.toggle('hg-transport__play--on', state.playing);
      }
      bookmark.setAttribute('aria-pressed', String(state.bookmarked));
      setText(event, formatCount(state.cursor));
      setText(head, ` / ${formatCount(state.head)}${state.running ? '+' : ''}`);
      setText(operation, ` · op ${formatCount(state.operations)} / ${formatCount(state.operationsTotal)}`);
      // As wide as the largest number it will show: nothing moves while it counts.
      event.style.minWidth = `${formatCount(state.head).length}ch`;
      for (const { unit, button } of units) button.setAttribute('aria-pressed', String(unit === state.unit));
      if (speed.value !== String(state.speed)) speed.value = String(state.speed);
    },
    dispose(): void {
      element.remove();
    },
  };
}
