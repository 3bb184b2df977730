// npm run check:modules:strangers: finished modules of packages that were chosen by name before anybody looked into them, with a piece of
// each one's own work. Whoever uses a package gives its file to the command, so this list says no more: no glue, no names.

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kHiddenAllocators } from './hidden_allocators.mjs';

/**
 * @typedef {{ name: string, toolchain: string, packages: string, file: string, refused?: RegExp, unseen?: number | { most: number }, varies?: boolean, work: (given: Given) => unknown }} Stranger
 *   file: in node_modules. unseen: so many frees of blocks from a function without a name, or at most so many where each run has another number;
 *   the command says which roles it did not find. varies: it makes other calls in each run (random keys of hash tables).
 *   refused: what the command says that it does not do, with what the user can do.
 * @typedef {{ require: NodeRequire, from: (specifier: string) => Promise<any>, folder: string }} Given
 */

const sentence = 'the quick brown fox jumps over the lazy dog, and the heap does not mind at all. ';
const text = sentence.repeat(200);
const bytes = Buffer.from(text);
const pixels = (/** @type {number} */ count) =>
  Uint8Array.from({ length: count }, (_, i) => (i % 4 === 3 ? 255 : (i * i) >>> 5));
const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** @type {readonly Stranger[]} */
export const kStrangers = [
  {
    name: 'RDKit',
    toolchain: 'Emscripten, embind',
    packages: '@rdkit/rdkit@2026.9.1',
    file: '@rdkit/rdkit/dist/RDKit_minimal.wasm',
    async work({ require }) {
      const kit = await require('@rdkit/rdkit')();
      return ['CCO', 'c1ccccc1O', 'CC(=O)Oc1ccccc1C(=O)O'].map((smiles) => {
        const molecule = kit.get_mol(smiles);
        const said = [molecule.get_smiles(), molecule.get_descriptors(), molecule.get_svg()];
        molecule.delete();
        return said;
      });
    },
  },
  {
    name: 'HDF5',
    toolchain: 'Emscripten, in a script',
    packages: 'h5wasm@0.10.3',
    file: 'h5wasm/dist/node/hdf5_util.js',
    async work({ from }) {
      const { default: library } = await from('h5wasm/node');
      await library.ready;
      const file = new library.File(join(tmpdir(), 'heapglass-stranger.h5'), 'w');
      file.create_dataset({ name: 'squares', data: Float64Array.from({ length: 500 }, (_, i) => i * i) });
      file.create_group('more').create_dataset({ name: 'words', data: sentence.split(' ') });
      const read = [[...file.get('squares').value], file.get('more/words').value, file.keys()];
      file.close();
      return read;
    },
  },
  {
    name: 'libxml2',
    toolchain: 'Emscripten, in a script',
    packages: 'libxml2-wasm@0.7.2',
    file: 'libxml2-wasm/lib/libxml2raw.mjs',
    async work({ from }) {
      const { XmlDocument } = await from('./node_modules/libxml2-wasm/lib/index.mjs');
      const document = XmlDocument.fromString(`<a>${'<b c="1">word</b>'.repeat(200)}</a>`);
      const said = [document.toString(), document.find('//b').length];
      document.dispose();
      return said;
    },
  },
  {
    name: 'OpenJPEG',
    toolchain: 'Emscripten, embind',
    packages: '@cornerstonejs/codec-openjpeg@1.3.6',
    file: '@cornerstonejs/codec-openjpeg/dist/openjpegwasm.wasm',
    async work({ require }) {
      const library = await require('@cornerstonejs/codec-openjpeg/wasmjs')();
      const encoder = new library.J2KEncoder();
      const shape = { width: 64, height: 64, bitsPerSample: 8, componentCount: 1, isSigned: false };
      encoder.getDecodedBuffer(shape).set(pixels(64 * 64));
      encoder.encode();
      const packed = [...encoder.getEncodedBuffer()];
      encoder.delete();
      const decoder = new library.J2KDecoder();
      decoder.getEncodedBuffer(packed.length).set(packed);
      decoder.decode();
      const read = [...decoder.getDecodedBuffer()];
      decoder.delete();
      return [packed, read];
    },
  },
  {
    name: 'libwebp (webpmux)',
    toolchain: 'Emscripten, embind',
    packages: 'node-webpmux@3.2.1',
    file: 'node-webpmux/libwebp/libwebp.wasm',
    async work({ require }) {
      const { Image } = require('node-webpmux');
      await Image.initLib();
      const image = await Image.getEmptyImage();
      await image.setImageData(Buffer.from(pixels(64 * 64 * 4)), { width: 64, height: 64, lossless: 5 });
      return [...(await image.getImageData())];
    },
  },
  {
    name: 'Zstandard (Foxglove)',
    toolchain: 'Emscripten',
    packages: '@foxglove/wasm-zstd@1.0.1',
    file: '@foxglove/wasm-zstd/dist/wasm-zstd.wasm',
    async work({ require }) {
      const zstd = require('@foxglove/wasm-zstd');
      await zstd.isLoaded;
      return [1, 9].map((level) => {
        const packed = zstd.compress(bytes, level);
        return [[...packed], String(zstd.decompress(packed, bytes.length))];
      });
    },
  },
  {
    name: 'pg_query',
    toolchain: 'Emscripten, in a script',
    packages: 'pg-query-emscripten@5.1.0',
    file: 'pg-query-emscripten/pg_query_wasm.js',
    unseen: 2, // addresses of its stack, which it gives to free
    async work({ from }) {
      const { default: begin } = await from('./node_modules/pg-query-emscripten/pg_query_wasm.js');
      const library = await begin();
      return ['select a, b from c where d > 5 order by e', 'select from where'].map((query) => library.parse(query));
    },
  },
  {
    name: 'Hunspell',
    toolchain: 'Emscripten, in a script',
    packages: 'hunspell-asm@4.0.2',
    file: 'hunspell-asm/dist/cjs/lib/node/hunspell.js',
    async work({ require }) {
      const factory = await require('hunspell-asm').loadModule();
      const [rules, words] = ['SET UTF-8\nTRY esianrtolcdugmphbyfvkwz\n', '3\nfox\ndog\nheap\n'].map((each) =>
        factory.mountBuffer(Buffer.from(each)),
      );
      const speller = factory.create(rules, words);
      const said = ['fox', 'fix', 'heap', 'hep'].map((word) => [speller.spell(word), speller.suggest(word)]);
      speller.dispose();
      return said;
    },
  },
  {
    name: 'Graphviz',
    toolchain: 'Emscripten, packed in a script',
    packages: '@hpcc-js/wasm-graphviz@1.29.2',
    file: '@hpcc-js/wasm-graphviz/dist/index.js',
    refused: /has no module inside as a literal.*recordExports\(\)/,
    work: () => undefined,
  },
  {
    name: 'NSGIF',
    toolchain: 'clang, wasi-libc',
    packages: '@cwasm/nsgif@0.1.2',
    file: '@cwasm/nsgif/nsgif.wasm',
    work: ({ require }) => [...require('@cwasm/nsgif').decode(gif).data],
  },
  {
    name: 'Snappy (N-API)',
    toolchain: 'Rust, wasm32-wasip1-threads',
    packages: '@napi-rs/snappy-wasm32-wasi@7.4.3',
    file: '@napi-rs/snappy-wasm32-wasi/snappy.wasm32-wasi.wasm',
    work({ require }) {
      const snappy = require('@napi-rs/snappy-wasm32-wasi');
      const packed = snappy.compressSync(bytes);
      return [[...packed], String(snappy.uncompressSync(packed))];
    },
  },
  {
    name: 'FarmHash',
    toolchain: 'Rust, wasm-bindgen',
    packages: 'farmhash-modern@1.1.0',
    file: 'farmhash-modern/bin/nodejs/farmhash_modern_bg.wasm',
    work({ require }) {
      const { fingerprint32, fingerprint64 } = require('farmhash-modern');
      return sentence.split(' ').flatMap((word) => [fingerprint32(word), String(fingerprint64(word))]);
    },
  },
  {
    name: 'OpenCC (simplecc)',
    toolchain: 'Rust, wasm-bindgen',
    packages: 'simplecc-wasm@1.1.1',
    file: 'simplecc-wasm/pkg/nodejs/simplecc_wasm_bg.wasm',
    work: ({ require }) => ['s2t', 't2s', 's2tw'].map((way) => require('simplecc-wasm').simplecc('发展中国家', way)),
  },
  {
    name: 'css-inline',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@css-inline/css-inline-wasm@0.21.2',
    file: '@css-inline/css-inline-wasm/index_bg.wasm',
    async work({ require, folder }) {
      const { initWasm, inline } = require('@css-inline/css-inline-wasm');
      await initWasm(readFileSync(join(folder, 'node_modules/@css-inline/css-inline-wasm/index_bg.wasm')));
      return inline(
        `<html><head><style>p { color: red }</style></head><body>${'<p>word</p>'.repeat(50)}</body></html>`,
      );
    },
  },
  {
    name: 'Prisma schema',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@prisma/prisma-schema-wasm@8.1.0-2.59be4fda12412a79eeb9c2ae727b6aa723593323',
    file: '@prisma/prisma-schema-wasm/src/prisma_schema_build_bg.wasm',
    work({ require }) {
      const library = require('@prisma/prisma-schema-wasm');
      const schema = 'model User {\n id Int @id\n name String\n}\n';
      return library.lint(JSON.stringify([['schema.prisma', schema]]));
    },
  },
  {
    name: 'one-ini',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@one-ini/wasm@0.2.1',
    file: '@one-ini/wasm/one_ini_bg.wasm',
    work: ({ require }) =>
      require('@one-ini/wasm').parse_to_json('root = true\n[*.js]\nindent = 2\n; word\n'.repeat(20)),
  },
  {
    name: 'Automerge',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@automerge/automerge@3.5.0',
    file: '@automerge/automerge/dist/mjs/wasm_bindgen_output/nodejs/automerge_wasm_bg.wasm',
    varies: true,
    async work({ from }) {
      const library = await from('./node_modules/@automerge/automerge/dist/mjs/entrypoints/fullfat_node.js');
      let document = library.from({ words: [] }, { actor: 'aa' });
      for (const word of sentence.split(' '))
        document = library.change(document, { time: 0 }, (it) => void it.words.push(word));
      return [document.words, library.load(library.save(document)).words]; // a document has the time of its making inside
    },
  },
  {
    name: 'JavaScript rewriter (Datadog)',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@datadog/wasm-js-rewriter@5.0.4',
    file: '@datadog/wasm-js-rewriter/wasm/wasm_js_rewriter_bg.wasm',
    async work({ require }) {
      const { Rewriter } = require('./node_modules/@datadog/wasm-js-rewriter/wasm/wasm_js_rewriter.js');
      const csiMethods = [{ src: 'plusOperator', operator: true }];
      const rewriter = new Rewriter({ csiMethods, localVarPrefix: 'test' });
      return rewriter.rewrite('function f(b, c) { return b + c; }\n'.repeat(20), 'app.js', ['iast']);
    },
  },
  {
    name: 'Polkadot crypto',
    toolchain: 'Rust, packed in a script',
    packages: '@polkadot/wasm-crypto-wasm@7.5.4',
    file: '@polkadot/wasm-crypto-wasm/cjs/bytes.js',
    refused: /has no module inside as a literal.*recordExports\(\)/,
    work: () => undefined,
  },
  {
    name: 'Rabin',
    toolchain: 'AssemblyScript',
    packages: 'rabin-wasm@0.1.5',
    file: 'rabin-wasm/dist/rabin.wasm',
    refused: /--malloc/,
    async work({ require }) {
      const rabin = await require('rabin-wasm').create(18, 1 << 10, 1 << 14, 64);
      return rabin.fingerprint(bytes);
    },
  },
  {
    name: 'D2',
    toolchain: 'Go',
    packages: '@terrastruct/d2@0.1.33',
    file: '@terrastruct/d2/dist/node-esm/d2.wasm',
    refused: /garbage collector/,
    work: () => undefined,
  },
  {
    name: '.NET (MLVScan)',
    toolchain: '.NET 9, Emscripten',
    packages: '@mlvscan/wasm-core@1.4.1',
    file: '@mlvscan/wasm-core/dist/_framework/dotnet.native.wasm',
    async work({ from, folder }) {
      const scanner = await from('@mlvscan/wasm-core');
      await scanner.initScanner({ baseUrl: pathToFileURL(join(folder, 'node_modules/@mlvscan/wasm-core/dist')).href });
      if (scanner.isMockScanner()) throw scanner.getInitError();
      return scanner.getScannerVersion();
    },
  },
  {
    name: 'LAME (media encoders)',
    toolchain: 'clang, no libc',
    packages: 'wasm-media-encoders@0.7.0',
    file: 'wasm-media-encoders/wasm/mp3.wasm',
    async work({ require, folder }) {
      const module = readFileSync(join(folder, 'node_modules/wasm-media-encoders/wasm/mp3.wasm'));
      const encoder = await require('wasm-media-encoders').createEncoder('audio/mpeg', module);
      encoder.configure({ sampleRate: 44100, channels: 1, vbrQuality: 4 });
      const wave = Float32Array.from({ length: 44100 }, (_, i) => Math.fround(((i * 13) % 200) / 200 - 0.5));
      return [[...encoder.encode([wave])], [...encoder.finalize()]];
    },
  },
  {
    name: 'Potrace',
    toolchain: 'Emscripten, in a script',
    packages: 'esm-potrace-wasm@0.5.1',
    file: 'esm-potrace-wasm/dist/index.js',
    async work({ from, require, folder }) {
      class ImageData {
        width = 40;
        height = 40;
        data = Uint8ClampedArray.from({ length: 6400 }, (_, i) =>
          i % 4 === 3 || ((i >> 2) % 40) + i / 160 > 40 ? 255 : 0,
        );
      }
      Object.assign(globalThis, { ImageData, require, __dirname: folder }); // as a page and a script of CommonJS have them
      const { init, potrace } = await from('esm-potrace-wasm');
      await init();
      return potrace(new ImageData());
    },
  },
  {
    name: 'LERC',
    toolchain: 'Emscripten',
    packages: 'lerc@4.2.0',
    file: 'lerc/lerc-wasm.wasm',
    async work({ from }) {
      const { load, decode, getBlobInfo } = await from('lerc');
      await load();
      const blob = new DataView(new ArrayBuffer(66));
      [...'Lerc2 '].forEach((letter, at) => void blob.setUint8(at, letter.charCodeAt(0)));
      [2, 64, 64, 64 * 64, 8, 66, 1].forEach((word, at) => void blob.setInt32(6 + 4 * at, word, true));
      [0.5, 7, 7].forEach((value, at) => void blob.setFloat64(34 + 8 * at, value, true));
      const decoded = Array.from({ length: 20 }, () => [...decode(blob.buffer).pixels[0]]);
      return [decoded, getBlobInfo(blob.buffer)];
    },
  },
  {
    name: 'laz-perf',
    toolchain: 'Emscripten, embind',
    packages: 'laz-perf@0.0.7',
    file: 'laz-perf/lib/node/laz-perf.wasm',
    async work({ require }) {
      const library = await require('laz-perf').createLazPerf();
      const [packed, point] = [library._malloc(bytes.length), library._malloc(20)];
      library.HEAPU8.set(bytes, packed);
      const decoder = new library.ChunkDecoder();
      decoder.open(0, 20, packed);
      const points = Array.from({ length: 100 }, () => {
        decoder.getPoint(point);
        return [...library.HEAPU8.slice(point, point + 20)];
      });
      decoder.delete();
      for (const block of [packed, point]) library._free(block);
      return points;
    },
  },
  {
    name: 'web-ifc',
    toolchain: 'Emscripten, embind',
    packages: 'web-ifc@0.0.78',
    file: 'web-ifc/web-ifc-node.wasm',
    async work({ from }) {
      const { IfcAPI } = await from('web-ifc');
      const api = new IfcAPI();
      await api.Init();
      const head = `FILE_DESCRIPTION((''),'2;1');FILE_NAME('','',(''),(''),'','','');FILE_SCHEMA(('IFC4'))`;
      const points = Array.from({ length: 200 }, (_, at) => `#${at + 1}=IFCCARTESIANPOINT((${at}.,1.,2.));`);
      const file = `ISO-10303-21;HEADER;${head};ENDSEC;DATA;${points.join('')}ENDSEC;END-ISO-10303-21;`;
      const model = api.OpenModel(new TextEncoder().encode(file));
      const said = [api.GetModelSchema(model), api.GetAllLines(model).size(), api.GetLine(model, 77)];
      api.CloseModel(model);
      return said;
    },
  },
  {
    name: 'Open CASCADE',
    toolchain: 'Emscripten, embind',
    packages: 'occt-import-js@0.0.23',
    file: 'occt-import-js/dist/occt-import-js.wasm',
    async work({ require, folder }) {
      const library = await require('occt-import-js')();
      const cube = 'node_modules/occt-import-js/test/testfiles/simple-basic-cube/cube.stp';
      return library.ReadStepFile(readFileSync(join(folder, cube)), null);
    },
  },
  {
    name: 'libFLAC',
    toolchain: 'Emscripten',
    packages: 'libflacjs@5.6.0',
    file: 'libflacjs/dist/libflac.wasm.wasm',
    async work({ require }) {
      Object.assign(globalThis, { fetch: undefined }); // its script takes Node's for a browser's
      const library = require('libflacjs')('wasm');
      await new Promise((done) => (library.isReady() ? done(undefined) : library.on('ready', done)));
      const { Encoder } = require('libflacjs/lib/encoder');
      const encoder = new Encoder(library, { sampleRate: 8000, channels: 1, bitsPerSample: 16, compression: 5 });
      encoder.encode(Int32Array.from({ length: 8000 }, (_, at) => Math.round(1000 * Math.sin(at / 9))));
      encoder.encode();
      const samples = [...encoder.getSamples()];
      encoder.destroy();
      return samples;
    },
  },
  ...kHiddenAllocators,
];
