// The part of gifenc that is used here; the package brings no types.
declare module 'gifenc' {
  type Palette = number[][];
  interface FrameOptions {
    readonly palette: Palette;
    readonly delay: number; // milliseconds
    readonly repeat: number; // 0: for ever
    readonly transparent: boolean;
    readonly transparentIndex: number;
    readonly dispose: number;
  }
  interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colours: number): Palette;
    applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: Palette): Uint8Array;
  };
  export default gifenc;
}
