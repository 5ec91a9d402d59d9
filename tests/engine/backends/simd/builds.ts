import { beforeAll, describe } from 'vitest'
import { relaxed, strict } from '../../../../engine/backends/simd/binary.ts'
import { decode } from '../../../../engine/backends/simd/load.ts'

/** One build of the kernels by itself, in a memory of its own. */
export interface Build<Kernels> {
  name: string
  memory: WebAssembly.Memory
  words: Uint32Array
  floats: Float32Array
  /** There when tests run. */
  wasm: Kernels
}

/** Tests of each build, whose memory has so many pages. */
export function describeBuilds<Kernels extends object>(
  title: string,
  initial: number,
  body: (build: Build<Kernels>) => void,
): void {
  describe.each([
    ['relaxed', relaxed],
    ['strict', strict],
  ])(`${title}, %s build`, (name, base64) => {
    const memory = new WebAssembly.Memory({ initial, maximum: 65_536, shared: true })
    const [words, floats] = [new Uint32Array(memory.buffer), new Float32Array(memory.buffer)]
    const wasm = {} as Kernels
    beforeAll(async () => {
      const { instance } = await WebAssembly.instantiate(decode(base64, true), { env: { memory } })
      Object.assign(wasm, instance.exports)
    })
    body({ name, memory, words, floats, wasm })
  })
}
