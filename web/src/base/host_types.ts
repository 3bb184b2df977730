// The host's types that declarations of this package name, where the host's library is among the compiler's (DOM, worker);
// where it is not (`"lib": ["es2022"]` alone), shapes that say as much as the package needs.
//
//   host.D1  A declaration that npm ships names WebAssembly, URL and Response only through this file.

type Host = typeof globalThis;

interface MemoryShape {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface ResponseShape {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** WebAssembly.Memory */
export type HostMemory = Host extends { WebAssembly: { Memory: { prototype: infer T } } } ? T : MemoryShape;
/** WebAssembly.Module */
export type HostModule = Host extends { WebAssembly: { Module: { prototype: infer T } } } ? T : object;
/** URL */
export type HostUrl = Host extends { URL: { prototype: infer T } } ? T : { readonly href: string };
/** Response */
export type HostResponse = Host extends { Response: { prototype: infer T } } ? T : ResponseShape;
