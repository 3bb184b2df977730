// Of twenty_programs.mjs the larger programs of C and C++, and what their packages do not ship as a file of wasm.

import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const sentence = 'the quick brown fox jumps over the lazy dog, and the heap does not mind at all. ';
const font = new URL(
  '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  import.meta.url,
);

/** Ten boxes that fall on the ground. */
async function physxWork(/** @type {import('./stranger_programs.mjs').Given} */ { from, folder }) {
  const wasmBinary = readFileSync(join(folder, 'node_modules/physx-js-webidl/physx-js-webidl.wasm'));
  const { default: begin } = await from('physx-js-webidl');
  const { process } = globalThis;
  Object.assign(globalThis, { process: undefined, window: globalThis }); // it is linked for pages
  const px = await begin({ wasmBinary });
  Object.assign(globalThis, { process });
  const callbacks = [new px.PxDefaultAllocator(), new px.PxDefaultErrorCallback()];
  const foundation = px.CreateFoundation(px.PHYSICS_VERSION, ...callbacks);
  const scale = new px.PxTolerancesScale();
  const physics = px.CreatePhysics(px.PHYSICS_VERSION, foundation, scale);
  const description = new px.PxSceneDesc(scale);
  description.set_gravity(new px.PxVec3(0, -9.81, 0));
  description.set_cpuDispatcher(px.DefaultCpuDispatcherCreate(0));
  description.set_filterShader(px.DefaultFilterShader());
  const scene = physics.createScene(description);
  const material = physics.createMaterial(0.5, 0.5, 0.5);
  const { eSCENE_QUERY_SHAPE, eSIMULATION_SHAPE } = px.PxShapeFlagEnum;
  const flags = new px.PxShapeFlags(eSCENE_QUERY_SHAPE | eSIMULATION_SHAPE);
  const pose = new px.PxTransform(px.PxIDENTITYEnum.PxIdentity);
  const add = (/** @type {any} */ actor, /** @type {any} */ geometry) => {
    const shape = physics.createShape(geometry, material, true, flags);
    shape.setSimulationFilterData(new px.PxFilterData(1, 1, 0, 0));
    actor.attachShape(shape);
    scene.addActor(actor);
  };
  add(physics.createRigidStatic(pose), new px.PxBoxGeometry(10, 0.5, 10));
  const boxes = Array.from({ length: 10 }, (_, at) => {
    pose.set_p(new px.PxVec3(at / 4, 3 + 2 * at, 0));
    const box = physics.createRigidDynamic(pose);
    add(box, new px.PxBoxGeometry(0.5, 0.5, 0.5));
    return box;
  });
  for (let frame = 0; frame < 120; ++frame) {
    scene.simulate(1 / 60);
    scene.fetchResults(true);
  }
  const places = boxes.map((box) => {
    const place = box.getGlobalPose().get_p(); // the next call writes over it
    return [place.get_x(), place.get_y(), place.get_z()];
  });
  for (const each of [scene, physics, foundation]) each.release();
  return places;
}

/** A contract of FunC. */
function funcWork(/** @type {import('./stranger_programs.mjs').Given} */ { require }) {
  const { object } = require('@ton-community/func-js-bin');
  const source = '() recv_internal(int a, slice b) impure { throw_if(35, a > 7); }';
  return object.module({ wasmBinary: Buffer.from(object.wasmBase64, 'base64') }).then((/** @type {any} */ it) => {
    const copied = (/** @type {string} */ content) => {
      const length = it.lengthBytesUTF8(content) + 1;
      const at = it._malloc(length);
      it.stringToUTF8(content, at, length);
      return at;
    };
    const callback = it.addFunction(
      (
        /** @type {number} */ kind,
        /** @type {number} */ path,
        /** @type {number} */ contents,
        /** @type {number} */ error,
      ) => {
        const isSource = it.UTF8ToString(kind) === 'source';
        try {
          it.setValue(contents, copied(isSource ? source : it.UTF8ToString(path)), '*');
        } catch (wrong) {
          it.setValue(error, copied(String(wrong)), '*');
        }
      },
      'viiii',
    );
    const given = copied(JSON.stringify({ sources: ['main.fc'], optLevel: 2 }));
    const said = it._func_compile(given, callback);
    return JSON.parse(it.UTF8ToString(said));
  });
}

/** @type {readonly import('./stranger_programs.mjs').Stranger[]} */
export const kTwentyLarge = [
  {
    name: 'PhysX',
    toolchain: 'Emscripten, WebIDL',
    packages: 'physx-js-webidl@2.7.3',
    file: 'physx-js-webidl/physx-js-webidl.wasm',
    work: physxWork,
  },
  {
    name: 'Tesseract',
    toolchain: 'Emscripten, embind',
    packages: 'tesseract-wasm@0.11.0',
    file: 'tesseract-wasm/dist/tesseract-core.wasm',
    async work({ from, folder }) {
      const { createOCREngine } = await from('tesseract-wasm');
      const wasmBinary = readFileSync(join(folder, 'node_modules/tesseract-wasm/dist/tesseract-core.wasm'));
      const engine = await createOCREngine({ wasmBinary });
      const [width, height] = [300, 100];
      const isInk = (/** @type {number} */ at) => (at % width) % 12 < 8 && Math.floor(at / width) % 25 < 12;
      const data = Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) =>
        at % 4 === 3 || !isInk(at >> 2) ? 255 : 0,
      );
      engine.loadImage({ width, height, data });
      const said = [engine.getBoundingBoxes('line'), engine.getBoundingBoxes('word')];
      engine.destroy();
      return said;
    },
  },
  {
    name: 'Indigo',
    toolchain: 'Emscripten, embind',
    packages: 'indigo-ketcher@1.46.0',
    file: 'indigo-ketcher/indigo-ketcher-norender-1.46.0.wasm',
    async work({ from, folder }) {
      const wasmBinary = readFileSync(join(folder, 'node_modules/indigo-ketcher/indigo-ketcher-norender-1.46.0.wasm'));
      const indigo = await (await from('indigo-ketcher/binaryWasmNoRender')).default({ wasmBinary });
      const [options, atoms] = [new indigo.MapStringString(), new indigo.VectorInt()];
      const said = ['CCO', 'c1ccccc1O', 'CC(=O)Oc1ccccc1C(=O)O'].map((smiles) => {
        return [indigo.dearomatize(smiles, 'smiles', options), indigo.calculate(smiles, options, atoms)];
      });
      for (const each of [options, atoms]) each.delete();
      return said;
    },
  },
  {
    name: 'solc',
    toolchain: 'Emscripten, packed in a script',
    packages: 'solc@0.8.37',
    file: 'solc/soljson.js',
    refused: /has no module inside as a literal.*recordExports\(\)/,
    work({ require }) {
      const sources = {
        a: { content: 'contract A { function f(uint b) public pure returns (uint) { return b + 1; } }' },
      };
      const settings = { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } };
      return require('solc').compile(JSON.stringify({ language: 'Solidity', sources, settings }));
    },
  },
  {
    name: 'FunC',
    toolchain: 'Emscripten, in a script',
    packages: '@ton-community/func-js-bin@0.4.6',
    file: '@ton-community/func-js-bin/dist/funcfiftlib.wasm.js',
    varies: true, // as its own random numbers have it
    work: funcWork,
  },
  {
    name: 'PHP',
    toolchain: 'Emscripten, Asyncify',
    packages: '@php-wasm/node-8-3@3.1.56 @php-wasm/universal@3.1.56',
    file: '@php-wasm/node-8-3/asyncify/8_3_33/php_8_3.wasm',
    async work({ from }) {
      const { loadPHPRuntime, PHP } = await from('@php-wasm/universal');
      const { getPHPLoaderModule } = await from('@php-wasm/node-8-3');
      const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
      const code = `<?php $a = []; for ($i = 0; $i < 2000; ++$i) $a["k$i"] = str_repeat('x', $i % 50); echo md5(json_encode($a));`;
      return (await php.run({ code })).text;
    },
  },
  {
    name: 'Verovio',
    toolchain: 'Emscripten, in a script',
    packages: 'verovio@6.3.0',
    file: 'verovio/dist/verovio-module.mjs',
    async work({ from }) {
      const { default: begin } = await from('verovio/wasm');
      const { VerovioToolkit } = await from('verovio/esm');
      const toolkit = new VerovioToolkit(await begin());
      toolkit.setOptions({ xmlIdSeed: 7, inputFrom: 'abc' });
      toolkit.loadData(`X:1\nT:Fox\nM:4/4\nL:1/8\nK:G\n${'GABc dedB|'.repeat(8)}\n`);
      return [toolkit.getPageCount(), toolkit.renderToMIDI(), toolkit.renderToSVG(1).length];
    },
  },
  {
    name: 'WOFF2',
    toolchain: 'Emscripten, in a script',
    packages: 'woff2-encoder@2.0.0',
    file: 'woff2-encoder/dist/index.js',
    async work({ from }) {
      const { compress, decompress } = await from('woff2-encoder');
      const plain = await decompress(readFileSync(font));
      return [plain.length, [...(await compress(plain))]];
    },
  },
  {
    name: 'Herb',
    toolchain: 'Emscripten, in a script',
    packages: '@herb-tools/node-wasm@0.10.4',
    file: '@herb-tools/node-wasm/dist/herb-node-wasm.cjs',
    async work({ require }) {
      const { Herb } = require('@herb-tools/node-wasm');
      await Herb.load();
      const page = '<ul><% words.each do |word| %><li class="a"><%= word %></li><% end %></ul>\n'.repeat(20);
      return [Herb.parse(page).value.inspect(), Herb.extractRuby(page), Herb.version];
    },
  },
  {
    name: 'Z3',
    toolchain: 'Emscripten, threads',
    packages: 'z3-solver@5.2.0',
    file: 'z3-solver/build/z3-built.wasm',
    varies: true, // its threads take turns as they come
    async work({ require }) {
      const { Context } = await require('z3-solver').init();
      const { Solver, Int } = new Context('main');
      const solver = new Solver();
      const [x, y] = [Int.const('x'), Int.const('y')];
      solver.add(x.mul(x).add(y.mul(y)).eq(25), x.gt(y), y.gt(0));
      const said = await solver.check();
      return [said, String(solver.model().eval(x)), String(solver.model().eval(y))];
    },
  },
  {
    name: 'eSpeak NG',
    toolchain: 'Emscripten',
    packages: 'espeak-ng@1.0.2',
    file: 'espeak-ng/dist/espeak-ng.wasm',
    async work({ from }) {
      const { default: begin } = await from('espeak-ng');
      const given = ['--phonout', 'generated', '-q', '-b=1', '--ipa=3', '-v', 'en-us', sentence];
      return (await begin({ arguments: given })).FS.readFile('generated', { encoding: 'utf8' });
    },
  },
  {
    name: 'GDAL',
    toolchain: 'Emscripten',
    packages: 'gdal3.js@2.8.1',
    file: 'gdal3.js/dist/package/gdal3WebAssembly.wasm',
    varies: true, // by some ten of 57,800 calls, in some runs
    async work({ require, folder }) {
      const path = relative(process.cwd(), join(folder, 'node_modules/gdal3.js/dist/package'));
      const gdal = await require('gdal3.js/node')({ path, dest: tmpdir() });
      const point = (/** @type {number} */ at) => ({ type: 'Point', coordinates: [at, at / 2] });
      const features = Array.from({ length: 50 }, (_, at) => ({
        type: 'Feature',
        geometry: point(at),
        properties: { at },
      }));
      const file = join(tmpdir(), 'heapglass-stranger.geojson');
      writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
      const { datasets } = await gdal.open(file);
      return [datasets.length, await gdal.ogrinfo(datasets[0])];
    },
  },
  {
    name: 'meshoptimizer',
    toolchain: 'wasi-sdk, packed in a script',
    packages: 'meshoptimizer@1.3.0',
    file: 'meshoptimizer/meshopt_simplifier.js',
    refused: /has no module inside as a literal.*recordExports\(\)/,
    work: () => undefined,
  },
];
