import { expect, it } from 'vitest'
import { describeBuilds } from './builds.ts'
import { Draws } from './stock.ts'

interface Kernels {
  gelu(x: number, out: number, size: number): void
  geluGrad(dy: number, x: number, out: number, size: number): void
  geluSlope(x: number, out: number, slope: number, size: number): void
}

/** Bytes of each array. */
const ROOM = 1 << 20
const [X, DY, OUT, GRADIENT, BOTH, SLOPE] = [ROOM, 2 * ROOM, 3 * ROOM, 4 * ROOM, 5 * ROOM, 6 * ROOM] as const

describeBuilds<Kernels>('GELU', 512, ({ name: build, memory, wasm }) => {
  const at = (address: number, size: number) => new Float32Array(memory.buffer, address, size)

  /** GELU and its slope of some numbers. */
  function run(x: ArrayLike<number>): { values: Float32Array; slopes: Float32Array } {
    at(X, x.length).set(x)
    wasm.geluSlope(X, BOTH, SLOPE, x.length)
    return { values: at(BOTH, x.length).slice(), slopes: at(SLOPE, x.length).slice() }
  }

  it('and its slope have the same bits alone and together, for any size and any number, and write nothing else', () => {
    const draws = new Draws(build)
    for (let size = 0; size < 70; size++) {
      at(X, size).set(draws.values([size], true))
      at(DY, size).set(draws.values([size]))
      for (const result of [OUT, GRADIENT, BOTH, SLOPE]) at(result, size + 8).fill(123)
      wasm.gelu(X, OUT, size)
      wasm.geluGrad(DY, X, GRADIENT, size)
      wasm.geluSlope(X, BOTH, SLOPE, size)
      expect(at(BOTH, size + 8), `${size}`).toEqual(at(OUT, size + 8))
      const products = at(SLOPE, size).map((slope, i) => slope * (at(DY, size)[i] as number))
      expect(at(GRADIENT, size), `${size}`).toEqual(products)
      expect([...at(SLOPE, size + 8).slice(size), ...at(GRADIENT, size + 8).slice(size)]).toEqual(Array(16).fill(123))
    }
  })

  it('and its slope are within 3e-7, or that share of x', () => {
    const x = Float32Array.from({ length: 200_001 }, (_, i) => (i - 100_000) / 10_000)
    const { values, slopes } = run(x)
    let [worst, steepest] = [0, 0]
    for (const [i, number] of x.entries()) {
      const { share, density } = standardNormal(number)
      const scale = Math.max(1, Math.abs(number))
      worst = Math.max(worst, Math.abs((values[i] as number) - number * share) / scale)
      steepest = Math.max(steepest, Math.abs((slopes[i] as number) - (share + number * density)) / scale)
    }
    expect(worst).toBeLessThan(3e-7)
    expect(steepest).toBeLessThan(3e-7)
  })

  it('is x far above, nearly 0 far below, and NaN of NaN', () => {
    const { values, slopes } = run([0, 1e4, 1e30, Number.POSITIVE_INFINITY, Number.NaN, -1e4])
    expect([...values.slice(0, 5)]).toEqual([0, 1e4, Math.fround(1e30), Number.POSITIVE_INFINITY, Number.NaN])
    expect(Math.abs(values[5] as number)).toBeLessThan(1e-7 * 1e4)
    expect(slopes[0]).toBe(0.5)
  })
})

/** The share of a standard normal below x, by the series of Marsaglia (2004), and its density. */
function standardNormal(x: number): { share: number; density: number } {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  let [term, sum] = [x, x]
  for (let i = 3; Math.abs(term) > 1e-17 * Math.abs(sum); i += 2) {
    term *= (x * x) / i
    sum += term
  }
  return { share: 0.5 + density * sum, density }
}
