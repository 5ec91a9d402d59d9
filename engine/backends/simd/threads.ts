import type { Exports } from './binary.ts'

/** What a thread needs to take part: the compiled kernels, the memory, and the address of the pool in it. */
export interface ThreadStart {
  bytes: Uint8Array
  memory: WebAssembly.Memory
  pool: number
}

/** Starts a thread that runs `serveThread` with this; how, depends on the environment. Resolves once it runs. */
export type SpawnThread = (start: ThreadStart) => Promise<void>

/** The work of one thread: tasks of the pool, until the backend is disposed. Holds the thread. */
export async function serveThread({ bytes, memory, pool }: ThreadStart): Promise<void> {
  const { instance } = await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>, { env: { memory } })
  const { serve } = instance.exports as unknown as Exports
  serve(pool)
}
