// Finished modules as packages ship them, and a piece of work for each: what it gives is the same at every run.
//
//   from(specifier)   loads a file of the package, wherever the packages lie
//   bytes             the module as it was shipped; who runs the program decides what is really instantiated
//   folder            above the node_modules that has the packages

import { createHash } from 'node:crypto';

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} toolchain
 * @property {string} packages what npm installs, with exact versions
 * @property {string} wasm the module, as a specifier
 * @property {boolean} [daily] small, and among this project's own packages
 * @property {Record<string, string>} [named] functions of the allocator that only the package's JavaScript tells
 * @property {string} [glue] or Emscripten's JavaScript that tells them (instrument --glue)
 * @property {(from: (specifier: string) => Promise<any>, bytes: Uint8Array, folder?: string) => Promise<() => unknown>} begin gives the work, to be done once or often
 */

const words = 'the heap grows and shrinks while strings are being parsed, sorted, joined and thrown away again'.split(
  ' ',
);
const text = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, i) => words[(i * i + 7) % words.length]).join(' ');

/** @type {readonly Program[]} */
export const kPrograms = [
  {
    name: 'Oniguruma',
    toolchain: 'Emscripten',
    packages: 'vscode-oniguruma@2.0.1',
    wasm: 'vscode-oniguruma/release/onig.wasm',
    daily: true,
    async begin(from, bytes) {
      const { default: onig } = await from('vscode-oniguruma');
      await onig.loadWASM({ data: bytes });
      return () => {
        const found = [];
        for (let round = 0; round < 20; ++round) {
          const scanner = onig.createOnigScanner([`\\b\\w+(?:ing|ed)\\b`, `(?<=s)t\\w{${round % 5}}`, 'heap|sort']);
          const string = onig.createOnigString(text(200 + round));
          for (let at = 0; ; ) {
            const match = scanner.findNextMatchSync(string, at);
            if (match === null) break;
            found.push(match.index, match.captureIndices[0].start);
            at = match.captureIndices[0].end + 1;
          }
          string.dispose();
          scanner.dispose();
        }
        return found;
      };
    },
  },
  {
    name: 'SQLite (sql.js)',
    toolchain: 'Emscripten',
    packages: 'sql.js@1.16.0',
    wasm: 'sql.js/dist/sql-wasm.wasm',
    named: { malloc: 'Ia', free: 'Ja' }, // sql-wasm.js: _malloc=c.Ia, _free=c.Ja
    async begin(from) {
      const { default: initSqlJs } = await from('sql.js');
      const SQL = await initSqlJs();
      return () => {
        const db = new SQL.Database();
        db.run('create table t(id integer primary key, word text, n integer)');
        for (let i = 0; i < 2000; ++i)
          db.run('insert into t(word, n) values (?, ?)', [words[(i * 7) % words.length], i % 97]);
        db.run('create index t_word on t(word, n)');
        const rows = db.exec('select word, count(*), sum(n), group_concat(n) from t group by word order by word');
        const file = db.export();
        db.close();
        return [JSON.stringify(rows), createHash('sha256').update(file).digest('hex')];
      };
    },
  },
  {
    name: 'PDFium',
    toolchain: 'Emscripten',
    packages: '@hyzyla/pdfium@2.1.13',
    wasm: '@hyzyla/pdfium/pdfium.wasm',
    async begin(from) {
      const { PDFiumLibrary } = await from('@hyzyla/pdfium');
      const library = await PDFiumLibrary.init();
      return async () => {
        const document = await library.loadDocument(pdf());
        const page = document.getPage(0);
        const image = await page.render({ scale: 2, render: 'bitmap' });
        const found = [image.width, createHash('sha256').update(image.data).digest('hex')];
        document.destroy();
        return found;
      };
    },
  },
  {
    name: 'llhttp (undici)',
    toolchain: 'clang, wasi-libc',
    packages: 'undici@7.30.2',
    wasm: 'undici/lib/llhttp/llhttp-wasm.js',
    async begin(_, bytes) {
      /** @type {(string | number)[]} */
      let told = [];
      const tell =
        (/** @type {string} */ name) =>
        (/** @type {number[]} */ ...args) => {
          told.push(name, ...args.slice(1).map((value) => value & 0xff));
          return 0;
        };
      const module = new WebAssembly.Module(bytes);
      const env = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, tell(name)]));
      const { exports } = await WebAssembly.instantiate(module, { env });
      const call = /** @type {Record<string, (...args: number[]) => number>} */ (exports);
      return () => {
        told = [];
        for (let round = 0; round < 2000; ++round) {
          const parser = call.llhttp_alloc(2);
          const response = new TextEncoder().encode(
            `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Round: ${round}\r\n\r\nhello`,
          );
          const at = call.malloc(response.length);
          new Uint8Array(/** @type {WebAssembly.Memory} */ (exports.memory).buffer, at).set(response);
          told.push(call.llhttp_execute(parser, at, response.length));
          call.free(at);
          call.llhttp_free(parser);
        }
        return told;
      };
    },
  },
  {
    name: 'resvg',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@resvg/resvg-wasm@2.6.2',
    wasm: '@resvg/resvg-wasm/index_bg.wasm',
    async begin(from, bytes) {
      const { default: resvg } = await from('@resvg/resvg-wasm');
      const { initWasm, Resvg } = resvg;
      await initWasm(bytes);
      const shapes = Array.from({ length: 60 }, (_, i) => {
        const [x, y] = [(i * 37) % 280, (i * 53) % 280];
        return `<path d="M${x} ${y} q 20 ${i} 40 0 t 40 ${i}" stroke="hsl(${i * 6} 80% 50%)" fill="url(#g)" stroke-width="${1 + (i % 4)}"/>`;
      });
      const gradient =
        '<linearGradient id="g"><stop offset="0" stop-color="#fa0"/><stop offset="1" stop-color="#06f"/></linearGradient>';
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><defs>${gradient}</defs>${shapes.join('')}</svg>`;
      return () =>
        Array.from({ length: 3 }, () => createHash('sha256').update(new Resvg(svg).render().asPng()).digest('hex'));
    },
  },
  {
    name: 'PNG codec (jSquash)',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@jsquash/png@3.1.1',
    wasm: '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
    daily: true,
    async begin(from, bytes) {
      const { default: init, encode } = await from('@jsquash/png/codec/pkg/squoosh_png.js');
      await init(bytes);
      return () =>
        Array.from({ length: 30 }, (_, i) =>
          createHash('sha256')
            .update(encode(pixels(64 + i), 64 + i, 64 + i, 8))
            .digest('hex'),
        );
    },
  },
  {
    name: 'OxiPNG (jSquash)',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@jsquash/oxipng@2.3.0',
    wasm: '@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm',
    async begin(from, bytes) {
      const { default: init, optimise_raw } = await from('@jsquash/oxipng/codec/pkg/squoosh_oxipng.js');
      await init(bytes);
      return () =>
        [1, 2, 3].map((level) =>
          createHash('sha256')
            .update(optimise_raw(pixels(48), 48, 48, level, false, false))
            .digest('hex'),
        );
    },
  },
  {
    name: 'dprint JSON',
    toolchain: 'Rust',
    packages: '@dprint/json@0.24.0 @dprint/formatter@0.6.0',
    wasm: '@dprint/json/plugin.wasm',
    async begin(from, bytes) {
      const { createFromBuffer } = await from('@dprint/formatter');
      const formatter = createFromBuffer(bytes);
      const file = (/** @type {number} */ depth) =>
        `{"words":[${words.map((word) => `"${word}"`).join(',')}],"depth":${depth},`;
      const nested = (/** @type {number} */ depth) =>
        depth === 0 ? '{}' : `${file(depth)}"more":${nested(depth - 1)}}`;
      return () => [10, 20, 30].map((depth) => formatter.formatText({ filePath: 'a.json', fileText: nested(depth) }));
    },
  },
];

/** @param {number} size */
function pixels(size) {
  const data = new Uint8ClampedArray(size * size * 4);
  for (let i = 0; i < data.length; ++i) data[i] = i % 4 === 3 ? 255 : (i * i) >>> 7;
  return data;
}

/** A page with text and lines. */
function pdf() {
  const lines = Array.from({ length: 30 }, (_, i) => `${20 + i * 5} 20 m ${300 - i * 4} ${400 - i * 9} l S`).join('\n');
  const shown = Array.from({ length: 20 }, (_, i) => `(${text(8 + i)}) Tj 0 -14 Td`).join('\n');
  const content = `0.5 w\n${lines}\nBT /F1 10 Tf 20 780 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const place = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = file.length;
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 6\n0000000000 65535 f \n${entries}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(file, 'latin1');
}
