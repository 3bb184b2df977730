// npm run check:modules:unseen: finished modules on which nothing here was tuned, with a piece of work for each (programs.mjs says how).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const hashOf = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest('hex');
const sentence = 'the quick brown fox jumps over the lazy dog, and the heap does not mind at all. ';

const slope = (/** @type {number} */ side) =>
  new Uint8ClampedArray(side * side * 4).map((_, i) => (i % 4 === 3 ? 255 : (i * i) >>> 5));
const kAvif = {
  ...{ quality: 50, qualityAlpha: -1, denoiseLevel: 0, tileColsLog2: 0, tileRowsLog2: 0, speed: 8, subsample: 1 },
  ...{ chromaDeltaQ: false, sharpness: 0, tune: 0, enableSharpYUV: false, bitDepth: 8, lossless: false },
};

class Pixels {
  constructor(/** @type {Uint8ClampedArray} */ data) {
    this.data = data;
  }
}

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
      return () => hashOf(encoder.encode(slope(32), 32, 32, kAvif));
    },
  },
  {
    name: 'HarfBuzz',
    toolchain: 'Emscripten',
    packages: 'harfbuzzjs@1.6.4 dejavu-fonts-ttf@2.37.3',
    wasm: './node_modules/harfbuzzjs/dist/harfbuzz.wasm',
    async begin(from, _, folder = '') {
      const hb = await from('./node_modules/harfbuzzjs/dist/index.mjs');
      const file = readFileSync(join(folder, 'node_modules/dejavu-fonts-ttf/ttf/DejaVuSerif.ttf'));
      const font = new hb.Font(new hb.Face(new hb.Blob(new Uint8Array(file))));
      return () =>
        Array.from({ length: 60 }, (_each, i) => {
          const buffer = new hb.Buffer();
          buffer.addText(sentence.slice(i).repeat(1 + (i % 4)));
          buffer.guessSegmentProperties();
          hb.shape(font, buffer, [new hb.Feature('liga', i % 2), new hb.Feature('kern', 1)]);
          return hashOf(Buffer.from(JSON.stringify(buffer.getGlyphInfosAndPositions())));
        });
    },
  },
  {
    name: 'AVIF decoder (jSquash)',
    toolchain: 'Emscripten',
    packages: '@jsquash/avif@2.1.1',
    wasm: '@jsquash/avif/codec/dec/avif_dec.wasm',
    glue: '@jsquash/avif/codec/dec/avif_dec.js',
    async begin(from, bytes, folder = '') {
      const { default: initEncoder } = await from('@jsquash/avif/codec/enc/avif_enc.js');
      const wasmBinary = readFileSync(join(folder, 'node_modules/@jsquash/avif/codec/enc/avif_enc.wasm'));
      const encoder = await initEncoder({ wasmBinary });
      const { default: initDecoder } = await from('@jsquash/avif/codec/dec/avif_dec.js');
      globalThis.ImageData ??= /** @type {any} */ (Pixels); // what the decoder gives; Node has none
      const decoder = await initDecoder({ wasmBinary: bytes });
      const pictures = [8, 24, 64].map((side) => encoder.encode(slope(side), side, side, kAvif).slice());
      return () => pictures.map((picture) => hashOf(decoder.decode(picture, 8).data));
    },
  },
  {
    name: 'MuPDF',
    toolchain: 'Emscripten',
    packages: 'mupdf@1.28.1',
    wasm: './node_modules/mupdf/dist/mupdf-wasm.wasm',
    async begin(from) {
      const mupdf = await from('./node_modules/mupdf/dist/mupdf.js');
      return () => {
        const pdf = new mupdf.PDFDocument();
        const font = pdf.addSimpleFont(new mupdf.Font('Times-Roman'));
        const resources = pdf.addObject({ Font: { F1: font } });
        for (let i = 0; i < 3; ++i) {
          const lines = Array.from({ length: 20 }, (_each, line) => `0 -20 Td (${sentence.slice(line + i)}) Tj`);
          pdf.insertPage(
            -1,
            pdf.addPage([0, 0, 300, 500], 0, resources, `BT /F1 12 Tf 10 480 Td ${lines.join(' ')} ET`),
          );
        }
        const file = mupdf.Document.openDocument(pdf.saveToBuffer('compress'), 'application/pdf');
        const pages = [0, 1, 2].map((number) => {
          const page = file.loadPage(number);
          const pixmap = page.toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceRGB, false, true);
          const found = [hashOf(pixmap.getPixels()), page.search('heap').length];
          for (const each of [pixmap, page]) each.destroy();
          return found;
        });
        for (const each of [file, font, resources, pdf]) each.destroy();
        return pages;
      };
    },
  },
  {
    name: 'Box2D',
    toolchain: 'Emscripten',
    packages: 'box2d-wasm@7.0.0',
    wasm: 'box2d-wasm/dist/umd/Box2D.wasm',
    glue: 'box2d-wasm/dist/umd/Box2D.js',
    async begin(from, bytes) {
      const { default: initBox2D } = await from('box2d-wasm/dist/umd/Box2D.js');
      const b2 = await initBox2D({ wasmBinary: bytes });
      return () => {
        const world = new b2.b2World(new b2.b2Vec2(0, -10));
        const bodies = Array.from({ length: 200 }, (_each, i) => {
          const definition = new b2.b2BodyDef();
          definition.set_type(i === 0 ? b2.b2_staticBody : b2.b2_dynamicBody);
          definition.set_position(new b2.b2Vec2((i * 7) % 23, i === 0 ? -5 : i));
          const shape = new b2.b2PolygonShape();
          shape.SetAsBox(i === 0 ? 60 : 0.5, i === 0 ? 2 : 0.4);
          const body = world.CreateBody(definition);
          body.CreateFixture(shape, 1);
          b2.destroy(definition);
          b2.destroy(shape);
          return body;
        });
        for (let step = 0; step < 120; ++step) world.Step(1 / 60, 6, 2);
        const places = bodies.map((body) => [body.GetPosition().get_x(), body.GetPosition().get_y(), body.GetAngle()]);
        for (const body of bodies.slice(50)) world.DestroyBody(body);
        b2.destroy(world);
        return places;
      };
    },
  },
  {
    name: 'tree-sitter',
    toolchain: 'Emscripten',
    packages: 'web-tree-sitter@0.27.1 tree-sitter-javascript@0.25.0',
    wasm: './node_modules/web-tree-sitter/web-tree-sitter.wasm',
    async begin(from, bytes, folder = '') {
      const { Parser, Language } = await from('./node_modules/web-tree-sitter/web-tree-sitter.js');
      await Parser.init({ wasmBinary: bytes });
      const grammar = join(folder, 'node_modules/tree-sitter-javascript/tree-sitter-javascript.wasm');
      const language = await Language.load(new Uint8Array(readFileSync(grammar)));
      return () => {
        const parser = new Parser();
        parser.setLanguage(language);
        const trees = Array.from({ length: 12 }, (_each, i) => {
          const line = `const f${i} = (a, b) => ({ ...a, [b]: \`text \${a + ${i}}\` }); // ${sentence}\n`;
          const tree = parser.parse(line.repeat(20 + i));
          const found = hashOf(Buffer.from(tree.rootNode.toString()));
          tree.delete();
          return found;
        });
        parser.delete();
        return trees;
      };
    },
  },
];
