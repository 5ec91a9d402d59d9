// The few globals that every JavaScript runtime has. The engine is compiled without DOM and Node types, so that
// anything else is a type error; environment objects come in as arguments.
declare class TextEncoder {
  encode(text: string): Uint8Array
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes: Uint8Array): string
}
declare const performance: { now(): number }
declare function setTimeout(callback: () => void, milliseconds: number): unknown
declare function clearTimeout(timer: unknown): void
declare function atob(base64: string): string
declare function btoa(binary: string): string
declare class URL {
  constructor(address: string)
  readonly protocol: string
}
interface AbortSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare const AbortSignal: { any(signals: AbortSignal[]): AbortSignal }
declare class AbortController {
  readonly signal: AbortSignal
  abort(): void
}
