// Of twenty_programs.mjs the smaller ones of C and C++.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const sentence = 'the quick brown fox jumps over the lazy dog, and the heap does not mind at all. ';
const text = sentence.repeat(200);
const packedText = Buffer.from(
  'QlpoOTFBWSZTWQ+NYisAHIORgEAFP///8DABeAAoABoAACgAGgAAClU1Go0YTJkxpqbuIsCL5EXIRdRFqIuoi4CLURZCLcIvIRYEW4ReRFwEXQRfwi5BF8CLIRYEWQi7CLeEWAi7Ai9CLyItgiyEXEUjAi9CLQRYEXgRfYiwIu4iyEWYi1EXARbRFtEXQIuIiwIugi0EWYi3iLaIuYi0EWQi8CLMRcxFmKRqItRFsFI/xFmIvYu5IpwoSAfGsRWA',
  'base64',
); // bzip2 of text
/** A block of a RAR archive: its own checksum first. */
function rarBlock(/** @type {number} */ type, /** @type {number} */ flags, /** @type {Buffer} */ rest) {
  const head = Buffer.alloc(7 + rest.length);
  head.writeUInt8(type, 2);
  head.writeUInt16LE(flags, 3);
  head.writeUInt16LE(head.length, 5);
  rest.copy(head, 7);
  head.writeUInt16LE(crc32(head.subarray(2)) & 0xffff, 0);
  return head;
}

/** An archive of one file, stored. */
function rarOf(/** @type {string} */ name, /** @type {string} */ content) {
  const file = Buffer.alloc(25 + name.length);
  file.writeUInt32LE(content.length, 0);
  file.writeUInt32LE(content.length, 4);
  file.writeUInt8(3, 8); // Unix
  file.writeUInt32LE(crc32(content), 9);
  file.writeUInt8(20, 17); // a version of 2.0
  file.writeUInt8(0x30, 18); // stored
  file.writeUInt16LE(name.length, 19);
  file.writeUInt32LE(0o100644, 21);
  file.write(name, 25);
  const blocks = [rarBlock(0x73, 0, Buffer.alloc(6)), rarBlock(0x74, 0x8000, file), Buffer.from(content)];
  return Buffer.concat([Buffer.from('526172211a0700', 'hex'), ...blocks]);
}

/** Draco's rabbit, which comes with it, read and written again. */
async function dracoWork(/** @type {import('./stranger_programs.mjs').Given} */ { require, folder }) {
  const draco = require('draco3d');
  const [reading, writing] = [await draco.createDecoderModule({}), await draco.createEncoderModule({})];
  const shipped = readFileSync(join(folder, 'node_modules/draco3d/bunny.drc'));
  const [buffer, decoder, mesh] = [new reading.DecoderBuffer(), new reading.Decoder(), new reading.Mesh()];
  buffer.Init(new Int8Array(shipped), shipped.length);
  decoder.DecodeBufferToMesh(buffer, mesh);
  const values = new reading.DracoFloat32Array();
  const attribute = decoder.GetAttribute(mesh, decoder.GetAttributeId(mesh, reading.POSITION));
  decoder.GetAttributeFloatForAllPoints(mesh, attribute, values);
  const points = Float32Array.from({ length: 3000 }, (_, at) => values.GetValue(at));
  for (const each of [values, mesh, decoder, buffer]) reading.destroy(each);
  const [encoder, builder, made] = [new writing.Encoder(), new writing.MeshBuilder(), new writing.Mesh()];
  builder.AddFacesToMesh(
    made,
    900,
    Uint32Array.from({ length: 2700 }, (_, at) => (at * 7) % 1000),
  );
  builder.AddFloatAttributeToMesh(made, writing.POSITION, 1000, 3, points);
  const bytes = new writing.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(made, bytes);
  const written = Array.from({ length }, (_, at) => bytes.GetValue(at));
  for (const each of [bytes, made, builder, encoder]) writing.destroy(each);
  return [[...points], written];
}

/** @type {readonly import('./stranger_programs.mjs').Stranger[]} */
export const kTwentyInC = [
  {
    name: 'Olm',
    toolchain: 'Emscripten',
    packages: '@matrix-org/olm@3.2.15',
    file: '@matrix-org/olm/olm.wasm',
    async work({ require }) {
      const olm = require('@matrix-org/olm');
      await olm.init();
      const [alice, bob] = [new olm.Account(), new olm.Account()];
      alice.create();
      bob.create();
      bob.generate_one_time_keys(1);
      const [sender, receiver, utility] = [new olm.Session(), new olm.Session(), new olm.Utility()];
      const [once] = Object.values(JSON.parse(bob.one_time_keys()).curve25519);
      sender.create_outbound(alice, JSON.parse(bob.identity_keys()).curve25519, once);
      const letter = sender.encrypt(text);
      receiver.create_inbound(bob, letter.body);
      const said = [receiver.decrypt(letter.type, letter.body), utility.sha256(text)];
      for (const each of [alice, bob, sender, receiver, utility]) each.free();
      return said;
    },
  },
  {
    name: 'UnRAR',
    toolchain: 'Emscripten, embind',
    packages: 'node-unrar-js@2.0.2',
    file: 'node-unrar-js/dist/js/unrar.wasm',
    async work({ require }) {
      const data = Uint8Array.from(rarOf('words.txt', text)).buffer;
      const extractor = await require('node-unrar-js').createExtractorFromData({ data });
      const files = [...extractor.extract().files];
      return files.map(({ fileHeader, extraction }) => [fileHeader, String(Buffer.from(extraction))]);
    },
  },
  {
    name: 'bzip2 (Foxglove)',
    toolchain: 'Emscripten, embind',
    packages: '@foxglove/wasm-bz2@0.3.0',
    file: '@foxglove/wasm-bz2/wasm/module.wasm',
    async work({ require }) {
      const library = await require('@foxglove/wasm-bz2').init();
      return String(Buffer.from(library.decompress(packedText, text.length)));
    },
  },
  {
    name: 'Zopfli',
    toolchain: 'Emscripten, in a file of JSON',
    packages: '@gfx/zopfli@1.0.15',
    file: '@gfx/zopfli/dist/libzopfli-wasm.json',
    work: async ({ require }) => [...(await require('@gfx/zopfli').gzipAsync(text, { numiterations: 3 }))],
  },
  {
    name: 'OpenJPH',
    toolchain: 'Emscripten, embind',
    packages: '@cornerstonejs/codec-openjph@2.4.11',
    file: '@cornerstonejs/codec-openjph/dist/openjphjs.wasm',
    async work({ require }) {
      const library = await require('@cornerstonejs/codec-openjph')();
      const encoder = new library.HTJ2KEncoder();
      const shape = { width: 64, height: 64, bitsPerSample: 8, componentCount: 1, isSigned: false };
      encoder
        .getDecodedBuffer({ ...shape, isUsingColorTransform: false })
        .set(Uint8Array.from({ length: 64 * 64 }, (_, at) => at * at));
      encoder.encode();
      const packed = [...encoder.getEncodedBuffer()];
      encoder.delete();
      const decoder = new library.HTJ2KDecoder();
      decoder.getEncodedBuffer(packed.length).set(packed);
      decoder.decode();
      const read = [...decoder.getDecodedBuffer()];
      decoder.delete();
      return [packed, read];
    },
  },
  {
    name: 'Draco (decoder)',
    toolchain: 'Emscripten, WebIDL',
    packages: 'draco3d@1.5.9',
    file: 'draco3d/draco_decoder.wasm',
    work: dracoWork,
  },
  {
    name: 'Draco (encoder)',
    toolchain: 'Emscripten, WebIDL',
    packages: 'draco3d@1.5.9',
    file: 'draco3d/draco_encoder.wasm',
    work: dracoWork,
  },
  {
    name: 'KZG',
    toolchain: 'Emscripten',
    packages: 'kzg-wasm@1.0.0',
    file: 'kzg-wasm/dist/wasm/kzg.wasm',
    refused: /--malloc 118 --free 119 --calloc 120/, // the package calls neither from JavaScript; with these options it is recorded
    async work({ require }) {
      const kzg = await require('kzg-wasm').loadKZG();
      const blob = `0x${Array.from({ length: 4096 }, (_, at) => at.toString(16).padStart(64, '0')).join('')}`;
      const commitment = kzg.blobToKZGCommitment(blob);
      const proof = kzg.computeBlobKZGProof(blob, commitment);
      const said = [commitment, proof, kzg.verifyBlobKZGProof(blob, commitment, proof)];
      kzg.freeTrustedSetup();
      return said;
    },
  },
  {
    name: 'Oniguruma (Onigasm)',
    toolchain: 'Emscripten',
    packages: 'onigasm@2.2.5',
    file: 'onigasm/lib/onigasm.wasm',
    async work({ require, folder }) {
      const { loadWASM, OnigRegExp, OnigScanner } = require('onigasm');
      await loadWASM(Uint8Array.from(readFileSync(join(folder, 'node_modules/onigasm/lib/onigasm.wasm'))).buffer);
      const scanner = new OnigScanner(['(\\w+) over', 'l(a)zy', 'h[ae]+p']);
      const found = Array.from({ length: 50 }, (_, at) => scanner.findNextMatchSync(text, at * 40));
      return [found, new OnigRegExp('(\\w+) over (\\w+)').searchSync(text)];
    },
  },
  {
    name: 'Skia PathOps (PathKit)',
    toolchain: 'Emscripten, embind',
    packages: 'pathkit-wasm@1.0.0',
    file: 'pathkit-wasm/bin/pathkit.wasm',
    async work({ require, folder }) {
      const locateFile = (/** @type {string} */ file) => join(folder, 'node_modules/pathkit-wasm/bin', file);
      Object.assign(globalThis, { fetch: undefined }); // its script takes Node's for a browser's
      const kit = await require('pathkit-wasm/bin/pathkit.js')({ locateFile });
      return Array.from({ length: 40 }, (_, at) => {
        const [one, other] = [kit.NewPath(), kit.NewPath()];
        one
          .moveTo(0, 0)
          .lineTo(10 + at, 0)
          .lineTo(10, 20)
          .closePath();
        other.arc(8, 8, 5 + at / 4, 0, 6);
        const both = kit.MakeFromOp(one, other, kit.PathOp.UNION);
        const said = both.toSVGString();
        for (const each of [one, other, both]) each.delete();
        return said;
      });
    },
  },
  {
    name: 'COIN-OR CLP',
    toolchain: 'Emscripten, embind',
    packages: 'clp-wasm@0.0.15',
    file: 'clp-wasm/clp-wasm.wasm',
    async work({ require }) {
      Object.assign(globalThis, { fetch: undefined }); // as PathKit
      const solver = await require('clp-wasm/clp-wasm');
      const rows = Array.from({ length: 30 }, (_, at) => `c${at}: + ${at + 1} x + ${31 - at} y <= ${100 + at}`);
      return solver.solve(`Maximize\nobj: + 0.6 x + 0.5 y\nSubject To\n${rows.join('\n')}\nEnd`);
    },
  },
  {
    name: 'libgit2 (wasm-git)',
    toolchain: 'Emscripten, Asyncify',
    packages: 'wasm-git@0.0.17',
    file: 'wasm-git/lg2_async.wasm',
    async work({ from }) {
      const git = await (await from('./node_modules/wasm-git/lg2_async.js')).default();
      git.FS.writeFile('/home/web_user/.gitconfig', '[user]\nname = Name\nemail = name@example.com');
      git.FS.mkdir('/repository');
      git.FS.chdir('/repository');
      await git.callMain(['init', '.']);
      for (const at of Array.from({ length: 10 }, (_, each) => each)) git.FS.writeFile(`file${at}`, text + at);
      await git.callMain(['add', ...Array.from({ length: 10 }, (_, at) => `file${at}`)]);
      await git.callMain(['commit', '-m', 'words']);
      git.FS.writeFile('file3', sentence);
      return [await git.callWithOutput(['status']), git.FS.readdir('/repository')];
    },
  },
];
