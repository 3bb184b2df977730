// What the heap map needs from whoever mounts it and what it offers back.
//
//   map ── onViewport(viewport) ──▶ owner      asks the engine for a frame of that viewport
//   map ◀── setFrame(frame, detail) ── owner   draws it
//   map ── onSelect, onPlace ──▶ owner    what the visitor did; the owner keeps it as state

import type { Addr, Bytes } from '../base/brand.ts';
import type { Theme } from '../dom/palette.ts';
import type { InspectFrame } from '../panels/chunk/part.ts';
import type { BinChain } from '../panels/lists/part.ts';
import type { Colouring, MapFrame, MapViewport } from '../protocol/map_frames.ts';
import type { MapLetter, MapLit } from './map_overlay.ts';
import type { MapPicture } from './map_svg.ts';
import type { BlockNames } from './pool_names.ts';

/** First byte shown and bytes per row. */
export interface MapPlace {
  readonly origin: Addr;
  readonly bytesPerRow: Bytes;
}

export interface HeapMapOptions {
  /** Where the map is put; it fills it. Its styles are in heap_map.css. */
  readonly parent: Element | ShadowRoot;
  readonly theme: Theme;
  /** The wheel zooms only while the map has the focus, or with Ctrl: else it scrolls the page around it. */
  readonly wheelNeedsFocus?: boolean;
  /** The map shows another part of memory: a frame of this viewport is wanted. Called at most once a screen frame. */
  readonly onViewport: (viewport: MapViewport) => void;
  /** The visitor selected the chunk or node at an address, or nothing. */
  readonly onSelect: (address: Addr | undefined) => void;
  /** All that is in view, whenever that changes: [from, to). */
  readonly onView?: (from: number, to: number) => void;
  /** Which calls made the block at an address, innermost first: asked when the pointer rests on it. Without it nothing says so. */
  readonly stackAt?: (address: Addr) => Promise<readonly string[]>;
  /** The visitor wants to see lifetimes in place of the map. Without it there is no button. */
  readonly onLives?: () => void;
  /** The visitor wants the chunks in use coloured by something else. Without it there is no such choice. */
  readonly onColour?: (by: Colouring) => void;
  /** The visitor folded runs of emptiness, or unfolded them. */
  readonly onFold?: (on: boolean) => void;
  /** The visitor moved or zoomed and the map has come to rest; undefined: it shows all of the heap by itself. */
  readonly onPlace?: (place: MapPlace | undefined) => void;
}

/** What is drawn besides the frame. */
export interface MapDetail {
  readonly selected: Addr | undefined;
  /** Of `selected`; its bytes and free links are shown when they are there. */
  readonly inspect: InspectFrame | undefined;
  /** The selected bin: drawn as arrows. */
  readonly binChain: BinChain | undefined;
  /** What the blocks of pools are called. */
  readonly names: BlockNames;
  /** This frame is one step from the last one: splits, merges and changes of state move for 200 ms. */
  readonly animate: boolean;
  /** It was waited for, and the last one only filled the time: nothing on the map has come from there, so nothing travels. */
  readonly arrives: boolean;
}

export interface HeapMap {
  readonly element: HTMLElement;
  setFrame(frame: MapFrame, detail: MapDetail): void;
  setTheme(theme: Theme): void;
  /** Names of blocks, as a text beside the map speaks of them. */
  setLetters(letters: readonly MapLetter[]): void;
  /** What an answer is about; undefined: nothing fades. */
  setLit(lit: MapLit | undefined): void;
  /** undefined: all of the heap, following its growth. */
  setPlace(place: MapPlace | undefined): void;
  /** The nearest place, from bytesPerRow on, at which all from an address to another one is in view; not too far for single blocks. */
  placeFor(from: number, to: number, bytesPerRow: number): MapPlace;
  setColour(by: Colouring): void;
  /** The chunks as a table. */
  openTable(): void;
  /** So near that [from, to) takes all rows, with so many bytes of the heap beside it on either side as there are. */
  fit(from: number, to: number, beside?: number): void;
  /** Whether runs of emptiness take one row. */
  setFolded(on: boolean): void;
  /** At once: the row of the address comes to a height of the map, 0..1, or as near to it as rows allow. */
  showAt(address: number, height: number): void;
  /** At once, by so many heights of the map. */
  scrollScreens(screens: number): void;
  /** Scrolls, and zooms when it would be too small to see, so that [address, address + size) is in view. */
  reveal(address: Addr, size: Bytes): void;
  /** The viewport it would ask for now; for the first request. */
  viewport(): MapViewport;
  /** What is shown, with its selection and links, in the screen's resolution. */
  png(): Promise<Blob>;
  /** The same, to be drawn as shapes (map_shapes.ts). */
  picture(): MapPicture;
  /** It moves, or is about to be drawn. */
  isBusy(): boolean;
  focus(): void;
  dispose(): void;
}
