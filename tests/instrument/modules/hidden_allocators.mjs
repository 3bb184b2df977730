// More of stranger_programs.mjs: packages whose compilers have put malloc or free into their callers, or left free without a name.

/** @type {readonly import('./stranger_programs.mjs').Stranger[]} */
export const kHiddenAllocators = [
  {
    name: 'CharLS',
    toolchain: 'Emscripten, emmalloc, embind',
    packages: '@cornerstonejs/codec-charls@1.2.7',
    file: '@cornerstonejs/codec-charls/dist/charlswasm.wasm',
    async work({ require }) {
      const library = await require('@cornerstonejs/codec-charls/wasmjs')();
      return [64, 128].map((side) => {
        const encoder = new library.JpegLSEncoder();
        const shape = { width: side, height: side, bitsPerSample: 8, componentCount: 1, isSigned: false };
        encoder.getDecodedBuffer(shape).set(Uint8Array.from({ length: side * side }, (_, i) => (i * i) >>> 5));
        encoder.setNearLossless(0);
        encoder.encode();
        const coded = [...encoder.getEncodedBuffer()];
        encoder.delete();
        return coded;
      });
    },
  },
  {
    name: 'regex',
    toolchain: 'Rust, wasm-bindgen',
    packages: 'rregex@1.13.1',
    file: 'rregex/lib/rregex.wasm',
    async work({ from }) {
      const { RRegex } = await from('rregex');
      const words = 'the quick brown fox jumps over the lazy dog '.repeat(80);
      const pairs = new RRegex('(?P<one>\\w+) (?P<other>\\w+)');
      const said = [pairs.findAll(words).length, pairs.replaceAll(words, '$other $one')];
      pairs.free();
      return said;
    },
  },
  {
    name: 'Bullet (ammo.js)',
    toolchain: 'Emscripten, WebIDL',
    packages: 'ammojs-typed@1.1.0',
    file: 'ammojs-typed/ammo/ammo.wasm.wasm',
    async work({ require, folder }) {
      const locateFile = (/** @type {string} */ name) => `${folder}/node_modules/ammojs-typed/ammo/${name}`;
      const library = await require('ammojs-typed/wasm').call({}, { locateFile });
      const collisions = new library.btDefaultCollisionConfiguration();
      const world = new library.btDiscreteDynamicsWorld(
        new library.btCollisionDispatcher(collisions),
        new library.btDbvtBroadphase(),
        new library.btSequentialImpulseConstraintSolver(),
        collisions,
      );
      const place = new library.btTransform();
      const bodies = Array.from({ length: 10 }, (_, nth) => {
        place.setIdentity();
        place.setOrigin(new library.btVector3(0, 3 * nth, 0));
        const [shape, inertia] = [new library.btSphereShape(1), new library.btVector3(0, 0, 0)];
        const motion = new library.btDefaultMotionState(place);
        const given = new library.btRigidBodyConstructionInfo(nth, motion, shape, inertia);
        const body = new library.btRigidBody(given);
        world.addRigidBody(body);
        library.destroy(given);
        library.destroy(inertia);
        return body;
      });
      for (let step = 0; step < 60; ++step) world.stepSimulation(1 / 60, 10);
      return bodies.map((body) => {
        body.getMotionState().getWorldTransform(place);
        return place.getOrigin().y();
      });
    },
  },
];
