// Of twenty_programs.mjs those of Rust, and of what is neither Rust nor C: TinyGo, AssemblyScript, KaRaMeL, Ruby's and Haskell's runtimes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sentence = 'the quick brown fox jumps over the lazy dog, and the heap does not mind at all. ';
const text = sentence.repeat(200);
const program = 'export function twice(a: number) { const b = [a, a]; return b.map((c) => c * 2); }\n'.repeat(30);

/** A module that wasm-bindgen wrote for a bundler, as a bundler loads it. */
async function bundled(/** @type {string} */ folder, /** @type {string} */ glue, /** @type {string} */ wasm) {
  const at = (/** @type {string} */ file) => readFileSync(join(folder, 'node_modules', file));
  const script = await import(`data:text/javascript;base64,${at(glue).toString('base64')}`);
  const imports = { [`./${glue.split('/').at(-1)}`]: script };
  const { instance } = await WebAssembly.instantiate(at(wasm), imports);
  script.__wbg_set_wasm(instance.exports);
  return script;
}

/** @type {readonly import('./stranger_programs.mjs').Stranger[]} */
export const kTwentyElsewhere = [
  {
    name: 'oxc',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@oxc-parser/wasm@0.60.0',
    file: '@oxc-parser/wasm/node/oxc_parser_wasm_bg.wasm',
    work: ({ require }) => require('@oxc-parser/wasm').parseSync(program, { sourceFilename: 'a.ts' }).programJson,
  },
  {
    name: 'Voy',
    toolchain: 'Rust, wasm-bindgen',
    packages: 'voy-search@0.6.3',
    file: 'voy-search/voy_search_bg.wasm',
    async work({ folder }) {
      const { Voy } = await bundled(folder, 'voy-search/voy_search_bg.js', 'voy-search/voy_search_bg.wasm');
      const vector = (/** @type {number} */ at) => Array.from({ length: 768 }, (_, i) => Math.sin(at * 7 + i));
      const embeddings = Array.from({ length: 60 }, (_, at) => ({
        id: String(at),
        title: `title ${at}`,
        url: `/${at}`,
        embeddings: vector(at),
      }));
      const voy = new Voy({ embeddings });
      const found = [3, 30, 59].map((at) => voy.search(Float32Array.from(vector(at)), 3));
      voy.free();
      return found;
    },
  },
  {
    name: 'IronCalc',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@ironcalc/wasm@0.8.4',
    file: '@ironcalc/wasm/wasm_bg.wasm',
    async work({ from, folder }) {
      const { initSync, Model } = await from('@ironcalc/wasm');
      initSync({ module: readFileSync(join(folder, 'node_modules/@ironcalc/wasm/wasm_bg.wasm')) });
      const model = new Model('book', 'en', 'UTC', 'en');
      for (let row = 1; row <= 100; ++row) {
        model.setUserInput(0, row, 1, String(row * 3));
        model.setUserInput(0, row, 2, `=SUM(A1:A${row})*2`);
      }
      model.evaluate();
      const said = [1, 50, 100].map((row) => model.getFormattedCellValue(0, row, 2));
      model.free();
      return said;
    },
  },
  {
    name: 'Cardano',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@emurgo/cardano-serialization-lib-nodejs@15.0.3',
    file: '@emurgo/cardano-serialization-lib-nodejs/cardano_serialization_lib_bg.wasm',
    work({ require }) {
      const library = require('@emurgo/cardano-serialization-lib-nodejs');
      const root = library.Bip32PrivateKey.from_bip39_entropy(Buffer.from('the quick fox...'), Buffer.from(''));
      return Array.from({ length: 20 }, (_, at) => {
        const key = root.derive(at);
        const credential = library.Credential.from_keyhash(key.to_public().to_raw_key().hash());
        return [key.to_bech32(), library.EnterpriseAddress.new(1, credential).to_address().to_bech32()];
      });
    },
  },
  {
    name: 'PRQL',
    toolchain: 'Rust, wasm-bindgen',
    packages: 'prqlc@0.13.14',
    file: 'prqlc/dist/node/prqlc_js_bg.wasm',
    work({ require }) {
      const { compile, prql_to_pl } = require('prqlc');
      const queries = [
        'from a | filter b > 3 | select {b, c} | sort c',
        'from a | group b (aggregate {n = count this})',
      ];
      return queries.map((query) => [compile(query), prql_to_pl(query)]);
    },
  },
  {
    name: 'Cedar',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@cedar-policy/cedar-wasm@4.13.0',
    file: '@cedar-policy/cedar-wasm/nodejs/cedar_wasm_bg.wasm',
    work({ require }) {
      const { isAuthorized, formatPolicies } = require('./node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js');
      const staticPolicies = 'permit(principal == User::"fox", action, resource) when { context.calm };';
      return ['fox', 'dog'].map((id) => {
        const [principal, action] = [
          { type: 'User', id },
          { type: 'Action', id: 'jump' },
        ];
        const asked = { principal, action, resource: { type: 'Dog', id: 'lazy' }, context: { calm: true } };
        const policyText = staticPolicies.repeat(10);
        return [
          isAuthorized({ ...asked, policies: { staticPolicies }, entities: [] }),
          formatPolicies({ policyText, lineWidth: 40, indentWidth: 2 }),
        ];
      });
    },
  },
  {
    name: 'Matrix crypto',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@matrix-org/matrix-sdk-crypto-wasm@18.9.0',
    file: '@matrix-org/matrix-sdk-crypto-wasm/pkg/matrix_sdk_crypto_wasm_bg.wasm',
    async work({ require }) {
      const library = require('@matrix-org/matrix-sdk-crypto-wasm');
      await library.initAsync();
      const machine = await library.OlmMachine.initialize(
        new library.UserId('@fox:example.com'),
        new library.DeviceId('DOG'),
      );
      const requests = await machine.outgoingRequests();
      const hidden = library.Attachment.encrypt(Buffer.from(text));
      return [
        requests.map((/** @type {any} */ { type }) => type),
        String(Buffer.from(library.Attachment.decrypt(hidden))),
      ];
    },
  },
  {
    name: 'Biome',
    toolchain: 'Rust, wasm-bindgen',
    packages: '@biomejs/wasm-nodejs@2.5.14',
    file: '@biomejs/wasm-nodejs/biome_wasm_bg.wasm',
    work({ require }) {
      const { Workspace } = require('@biomejs/wasm-nodejs');
      const workspace = new Workspace();
      const { projectKey } = workspace.openProject({ openUninitialized: true, path: '/project' });
      const path = '/project/a.ts';
      workspace.openFile({ projectKey, path, content: { type: 'fromClient', content: program, version: 0 } });
      return workspace.formatFile({ projectKey, path }).code;
    },
  },
  {
    name: 'LZMA (N-API)',
    toolchain: 'Rust, wasm32-wasip1-threads',
    packages: '@napi-rs/lzma-wasm32-wasi@1.5.1',
    file: '@napi-rs/lzma-wasm32-wasi/lzma.wasm32-wasi.wasm',
    work({ require }) {
      const { xz } = require('@napi-rs/lzma-wasm32-wasi');
      const packed = xz.compressSync(Buffer.from(text));
      return [[...packed], String(xz.decompressSync(packed))];
    },
  },
  {
    name: 'Ruby',
    toolchain: 'wasi-sdk, Asyncify',
    packages: '@ruby/3.3-wasm-wasi@2.10.1 @ruby/wasm-wasi@2.10.1',
    file: '@ruby/3.3-wasm-wasi/dist/ruby.wasm',
    refused: /--malloc 16956 --free 16959/, // with these options it is recorded
    async work({ require, folder }) {
      const { DefaultRubyVM } = require('@ruby/wasm-wasi/dist/node');
      const module = readFileSync(join(folder, 'node_modules/@ruby/3.3-wasm-wasi/dist/ruby.wasm'));
      const { vm } = await DefaultRubyVM(await WebAssembly.compile(module));
      const given = '(1..300).map { |at| "word#{at}" * (at % 9) }.group_by(&:size).map { |a, b| [a, b.last] }.inspect';
      return vm.eval(given).toString();
    },
  },
  {
    name: 'pandoc',
    toolchain: 'Haskell, wasi-sdk',
    packages: 'wasm-pandoc@1.0.1',
    file: 'wasm-pandoc/src/pandoc.wasm',
    async work({ from }) {
      const { convert } = await from('wasm-pandoc');
      return convert({ from: 'markdown', to: 'html' }, '# Fox\n\n* jumps *over*\n* a dog\n\n'.repeat(10), {});
    },
  },
  {
    name: 'shfmt',
    toolchain: 'TinyGo',
    packages: '@wasm-fmt/shfmt@0.2.7',
    file: '@wasm-fmt/shfmt/shfmt.wasm',
    refused: /garbage collector/,
    work: async ({ from }) => (await from('@wasm-fmt/shfmt')).format('if true;then\necho "a"\nfi\n'.repeat(20)),
  },
  {
    name: 'ChaCha20-Poly1305 (ChainSafe)',
    toolchain: 'AssemblyScript, in a script',
    packages: '@chainsafe/as-chacha20poly1305@0.1.0',
    file: '@chainsafe/as-chacha20poly1305/lib/src/wasmCode.js',
    refused: /--malloc|garbage collector/,
    work: () => undefined,
  },
  {
    name: 'HACL*',
    toolchain: 'KaRaMeL',
    packages: 'hacl-wasm@1.4.0',
    file: 'hacl-wasm/WasmSupport.wasm',
    refused: /--malloc|no memory/,
    work: () => undefined,
  },
  {
    name: 'hash-wasm',
    toolchain: 'clang, 25 modules in a script',
    packages: 'hash-wasm@4.13.0',
    file: 'hash-wasm/dist/index.umd.js',
    refused: /--malloc/,
    work: () => undefined,
  },
];
