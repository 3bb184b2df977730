// npm run check:modules:unseen: finished modules on which nothing here was tuned, with a piece of work for each (programs.mjs says how).

import { createHash } from 'node:crypto';

const hashOf = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest('hex');
const sentence = 'the quick brown fox jumps over the lazy dog, and the heap does not mind at all. ';

/** @type {readonly import('./programs.mjs').Program[]} */
export const kUnseenPrograms = [
  {
    name: 'Brotli',
    toolchain: 'Rust, wasm-bindgen',
    packages: 'brotli-wasm@3.0.1',
    wasm: './node_modules/brotli-wasm/pkg.node/brotli_wasm_bg.wasm',
    async begin(from) {
      const { default: brotli } = await from('./node_modules/brotli-wasm/pkg.node/brotli_wasm.js');
      const text = new TextEncoder().encode(sentence.repeat(400));
      return () =>
        [1, 5, 9].map((quality) => {
          const packed = brotli.compress(text, { quality });
          return [packed.length, hashOf(packed), hashOf(brotli.decompress(packed))];
        });
    },
  },
  {
    name: 'Manifold',
    toolchain: 'Emscripten',
    packages: 'manifold-3d@3.5.4',
    wasm: 'manifold-3d/manifold.wasm',
    glue: 'manifold-3d/manifold.js',
    async begin(from, bytes) {
      const { default: initManifold } = await from('manifold-3d/manifold.js');
      const library = await initManifold({ wasmBinary: bytes });
      library.setup();
      return () =>
        [16, 32, 48].map((segments) => {
          const ball = library.Manifold.sphere(10, segments);
          const box = library.Manifold.cube([12, 12, 12], true);
          const rest = box.subtract(ball);
          const found = [
            rest.numTri(),
            rest.volume(),
            hashOf(new Uint8Array(rest.getMesh().vertProperties.slice().buffer)),
          ];
          for (const shape of [ball, box, rest]) shape.delete();
          return found;
        });
    },
  },
  {
    name: 'CanvasKit',
    toolchain: 'Emscripten',
    packages: 'canvaskit-wasm@0.42.0',
    wasm: 'canvaskit-wasm/bin/canvaskit.wasm',
    glue: 'canvaskit-wasm/bin/canvaskit.js',
    async begin(from, bytes) {
      const { default: initCanvasKit } = await from('canvaskit-wasm/bin/canvaskit.js');
      const kit = await initCanvasKit({ wasmBinary: bytes });
      return () => {
        const surface = kit.MakeSurface(200, 200);
        const canvas = surface.getCanvas();
        const paint = new kit.Paint();
        for (let i = 0; i < 50; ++i) {
          paint.setColor(kit.Color((i * 37) % 256, (i * 11) % 256, 90, 0.7));
          canvas.drawOval(kit.XYWHRect(i * 2, (i * 29) % 150, 40, 30), paint);
        }
        surface.flush();
        const pixels = canvas.readPixels(0, 0, surface.imageInfo());
        paint.delete();
        surface.delete();
        return hashOf(pixels);
      };
    },
  },
  {
    name: 'AVIF encoder (jSquash)',
    toolchain: 'Emscripten',
    packages: '@jsquash/avif@2.1.1',
    wasm: '@jsquash/avif/codec/enc/avif_enc.wasm',
    glue: '@jsquash/avif/codec/enc/avif_enc.js',
    async begin(from, bytes) {
      const { default: initEncoder } = await from('@jsquash/avif/codec/enc/avif_enc.js');
      const encoder = await initEncoder({ wasmBinary: bytes });
      const pixels = new Uint8ClampedArray(32 * 32 * 4).map((_, i) => (i % 4 === 3 ? 255 : (i * i) >>> 5));
      const options = { quality: 50, qualityAlpha: -1, denoiseLevel: 0, tileColsLog2: 0, tileRowsLog2: 0, speed: 8 };
      const more = {
        subsample: 1,
        chromaDeltaQ: false,
        sharpness: 0,
        tune: 0,
        enableSharpYUV: false,
        bitDepth: 8,
        lossless: false,
      };
      return () => hashOf(encoder.encode(pixels, 32, 32, { ...options, ...more }));
    },
  },
];
