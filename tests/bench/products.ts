// `npm run bench:products -- [--against FOLDER] [--rounds N] [words of a name]`: GFLOP/s of products of matrices on one
// thread, by the processor time of that thread, as other work on the machine counts little so. `--against` takes another
// checkout, whose kernels do the same products in turns; the ratio is that of ours to theirs, below 1 where ours are faster.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { SimdBackend } from '../../engine/backends/simd/backend.ts'
import { loadSimd } from '../../engine/backends/simd/load.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'

/** Samples, sizes, and which factor is stored transposed, or whether the right one is packed before. */
type Product = [name: string, batch: number, m: number, k: number, n: number, form?: 'a' | 'b' | 'packed']

/** What the configurations of `bench --peers` multiply. */
const PRODUCTS: Product[] = [
  ['mixer-d512, tokens up', 8, 256, 64, 512],
  ['mixer-d512, tokens down', 8, 64, 256, 512],
  ['mixer-d512, gradient by tokens', 8, 64, 256, 512, 'a'],
  ['mixer-d512, gradient by weights', 8, 256, 512, 64, 'b'],
  ['dim 512, up, an example', 1, 64, 512, 2048, 'packed'],
  ['dim 512, down, an example', 1, 64, 2048, 512, 'packed'],
  ['text 8192, logits of two examples', 1, 256, 128, 8192, 'packed'],
  ['text 8192, gradient of two examples', 1, 256, 8192, 128, 'packed'],
  ['gmlp-128x6, up, four examples', 1, 256, 128, 512, 'packed'],
  ['gmlp-1024, up, an example', 1, 1024, 128, 512, 'packed'],
  ['odd, 77 rows', 1, 77, 300, 301, 'packed'],
  ['dim 512, up', 1, 512, 512, 2048],
  ['dim 512, down', 1, 512, 2048, 512],
  ['dim 512, gradient by input', 1, 512, 2048, 512, 'b'],
  ['dim 512, gradient by weights', 1, 512, 512, 2048, 'a'],
  ['dim 512, gradient by weights down', 1, 2048, 512, 512, 'a'],
  ['gmlp-1024, gate', 8, 1024, 1024, 256],
  ['gmlp-1024, gradient by gate', 8, 1024, 1024, 256, 'a'],
  ['gmlp-1024, gradient by weights', 8, 1024, 256, 1024, 'b'],
  ['text 8192, logits', 1, 4096, 128, 8192, 'b'],
  ['text 8192, gradient by input', 1, 4096, 8192, 128],
  ['text 8192, gradient by embedding', 1, 8192, 4096, 128, 'a'],
  ['gmlp-64x4 batch 8, up', 1, 512, 64, 256],
  ['gmlp-64x4 batch 8, gradient by weights', 1, 64, 512, 256, 'a'],
  ['gmlp-64x4 batch 8, gate', 8, 64, 64, 128],
  ['attention, 65 tokens', 256, 65, 32, 65, 'b'],
  ['patches of pictures', 1, 4096, 48, 128],
  ['ten classes', 1, 64, 128, 10],
  ['gmlp-128x6, up', 1, 4096, 128, 512],
  ['gmlp-128x6, gradient by weights', 1, 128, 4096, 512, 'a'],
]

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
})
const rounds = Number(values.rounds ?? 11)
/** Operations of a timed call: some 100 ms, as systems count processor time in steps of up to 10. */
const WORK = 4e9
/** Calls and operations before that: WebAssembly is compiled further while a function is called, not while it runs. */
const WARM_UP = 2

const theirs = values.against && (await import(resolve(values.against, 'engine/backends/simd/load.ts')))
const backends: SimdBackend[] = [await loadSimd(), ...(theirs ? [await theirs.loadSimd()] : [])]

const peak = backends.map(({ wasm }) => {
  const rates = Array.from({ length: 12 }, () => (10_000_000 * 96) / timed(() => wasm.fmaPeak(10_000_000)) / 1e6)
  return Math.max(...rates.slice(2))
})[0] as number
console.log(`one thread: ${peak.toFixed(1)} GFLOP/s at most`)

for (const product of PRODUCTS.filter(([name]) => positionals.every((word) => name.includes(word)))) {
  const [name, batch, m, k, n] = product
  const operations = 2 * batch * m * k * n
  const times = Math.max(1, Math.round(WORK / operations))
  const runs = backends.map((backend) => prepared(backend, product))
  const durations: number[][] = runs.map(() => [])
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [i, run] of runs.entries()) {
      const ms = timed(() => {
        for (let time = 0; time < times; time++) run()
      })
      if (round >= 0) durations[i]?.push(ms)
    }
  }
  const rates = durations.map((each) => medianAndLeast(each).map((ms) => (operations * times) / ms / 1e6))
  const text = rates.map(([median = 0, most = 0]) => {
    return `${median.toFixed(1).padStart(5)} [${most.toFixed(1)}, ${Math.round((100 * most) / peak)}%]`
  })
  const ratios = durations[1] && medianAndLeast((durations[0] ?? []).map((ms, i) => ms / (durations[1]?.[i] ?? 0)))
  console.log([name.padEnd(40), ...text, ratios ? `ratio ${ratios[0].toFixed(3)}` : ''].join('  '))
}
process.exit(0)

/** A call of the product on blocks of memory of its own, which stay. */
function prepared(backend: SimdBackend, [, batch, m, k, n, form]: Product): () => void {
  const { wasm } = backend
  const [a, b, out] = [m * k, k * n, m * n].map((size) => {
    const { address } = backend.output([batch * size])
    const view = new Float32Array(backend.buffer, address, batch * size)
    for (let i = 0; i < view.length; i++) view[i] = ((i * 7919) % 1021) / 1021 - 0.5
    return address
  }) as [number, number, number]
  if (form === 'packed') {
    const packed = backend.output([wasm.packedBytes(k, n) / 4]).address
    const scratch = backend.output([wasm.packedScratch() / 4]).address
    wasm.packMatrix(b, packed, k, n, 0)
    return () => wasm.matmulPacked(a, packed, out, m, k, n, scratch)
  }
  const scratch = backend.output([wasm.matmulScratch(m, k, n) / 4]).address
  const [transA, transB] = [Number(form === 'a'), Number(form === 'b')]
  return () => wasm.batchMatmul(a, b, out, batch, m * k, k * n, m, k, n, transA, transB, 0, scratch)
}

/** Milliseconds of processor time of this thread. */
function timed(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
