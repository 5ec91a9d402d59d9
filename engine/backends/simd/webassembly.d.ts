// For rooms that are compiled without the types of a browser.
/** The part of WebAssembly that the CPU backend and the decoder of JPEG need. */
declare namespace WebAssembly {
  class Memory {
    constructor(options: { initial: number; maximum: number; shared: boolean })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...numbers: number[]) => unknown>>)
    readonly exports: Record<string, unknown>
  }
  function validate(bytes: Uint8Array): boolean
  function instantiate(
    bytes: Uint8Array,
    imports: { env: { memory: Memory } },
  ): Promise<{ instance: { exports: Record<string, unknown> } }>
}
