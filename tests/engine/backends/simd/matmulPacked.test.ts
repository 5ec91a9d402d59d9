import { expect, it } from 'vitest'
import { tries } from '../../../long.ts'
import { describeBuilds } from './builds.ts'
import { Draws } from './stock.ts'

interface Products {
  matmulScratch(m: number, k: number, n: number): number
  batchMatmul(...operands: number[]): void
  packedBytes(k: number, n: number): number
  packedScratch(): number
  packMatrix(b: number, packed: number, k: number, n: number, transposed: number): void
  matmulPacked(a: number, packed: number, out: number, m: number, k: number, n: number, scratch: number): void
}

const SENTINEL = 0xdeadbeef
const [START, GUARD] = [1 << 16, 64]

describeBuilds<Products>('products with a packed matrix', 512, ({ name: build, words, floats, wasm }) => {
  /** Addresses of blocks of these bytes, with guards between and behind. */
  function layout<Name extends string>(sizes: Record<Name, number>): Record<Name | 'end', number> {
    let at = START
    const places = Object.entries<number>(sizes).map(([name, bytes]) => {
      const address = at + GUARD
      at = Math.ceil((address + bytes + GUARD) / 16) * 16
      words.fill(SENTINEL, (address - GUARD) / 4, at / 4)
      return [name, address]
    })
    return Object.fromEntries([...places, ['end', at]])
  }

  it('have the bits of the product, for any sizes and more than one block of depths, and write nothing else', () => {
    const draws = new Draws(build)
    for (let trial = 0; trial < tries(120); trial++) {
      const [m, n] = [1 + draws.below(40), 1 + draws.below(70)]
      const k = trial % 4 === 0 ? 500 + draws.below(600) : 1 + draws.below(90)
      const transposed = trial & 1
      const sizes = {
        a: 4 * m * k,
        b: 4 * k * n,
        wanted: 4 * m * n,
        scratch: wasm.matmulScratch(m, k, n),
        packed: wasm.packedBytes(k, n),
        out: 4 * m * n,
        own: wasm.packedScratch(),
      }
      const at = layout(sizes)
      floats.set(draws.values([m, k]), at.a / 4)
      floats.set(draws.values([k, n]), at.b / 4)
      wasm.batchMatmul(at.a, at.b, at.wanted, 1, 0, 0, m, k, n, 0, transposed, 0, at.scratch)

      const before = words.slice(START / 4, at.end / 4)
      wasm.packMatrix(at.b, at.packed, k, n, transposed)
      wasm.matmulPacked(at.a, at.packed, at.out, m, k, n, at.own)
      const title = `[${m}, ${k}, ${n}] ${transposed}`
      const bits = (address: number) => words.slice(address / 4, address / 4 + m * n)
      expect(bits(at.out), title).toEqual(bits(at.wanted))
      const changed = before.findIndex((word, i) => {
        const address = START + 4 * i
        const inside = (name: 'packed' | 'out' | 'own') => address >= at[name] && address < at[name] + sizes[name]
        return word !== words[address / 4] && !inside('packed') && !inside('out') && !inside('own')
      })
      expect(changed, title).toBe(-1)
    }
  })
})
