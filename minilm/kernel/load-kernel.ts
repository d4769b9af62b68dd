/** Instantiates the compiled kernel with a memory of its own. The content security policy must allow `wasm-unsafe-eval`. */
import { kernelBase64 } from './kernel.generated.ts'

/** The functions of assembly/; all parameters without another name are pointers or counts. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly freeFrom: { readonly value: number }
  gather(
    ids: number,
    tokens: number,
    codes: number,
    scales: number,
    bits: number,
    positions: number,
    positionScales: number,
    size: number,
    out: number,
  ): void
  unpack(codes: number, count: number, bits: number, out: number): void
  norm(x: number, other: number, weights: number, biases: number, rows: number, size: number, epsilon: number): void
  quantise(x: number, rows: number, size: number, top: number, codes: number, scales: number): void
  linear(
    codes: number,
    codeScales: number,
    rows: number,
    size: number,
    panels: number,
    weightScales: number,
    biases: number,
    outSize: number,
    out: number,
  ): void
  attend(qkv: number, tokens: number, rows: number, size: number, head: number, scratch: number, out: number): void
  gelu(x: number, count: number): void
  pool(x: number, rows: number, size: number, out: number): void
}

/** Synchronous: the module has 7 kB. */
export function loadKernel(): Kernel {
  const bytes = Uint8Array.from(atob(kernelBase64), (character) => character.charCodeAt(0))
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Kernel
}
