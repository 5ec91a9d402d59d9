// `npm run damaged -- [COUNT]`: reads so many damaged files, 100,000 by default, of each format that is
// read, and tells how many were refused, the slowest and the most memory. The unit tests read a sample.

import { damaged, outcomeOf } from './damage.ts'
import { sampleFiles } from './damageSamples.ts'

const count = Number(process.argv[2] ?? 100_000)
for (const [format, file] of Object.entries(await sampleFiles())) {
  const outcomes = { refused: 0, read: 0 }
  let [slowest, most] = [0, 0]
  const before = process.memoryUsage().rss
  for (let i = 0; i < count; i++) {
    const bytes = damaged(file, i)
    const start = performance.now()
    try {
      outcomes[outcomeOf(format, bytes)]++
    } catch (error) {
      console.error(`${format} ${i}:`, error)
      process.exitCode = 1
    }
    slowest = Math.max(slowest, performance.now() - start)
    if (i % 100 === 0) most = Math.max(most, process.memoryUsage().rss - before)
  }
  const told = `${outcomes.refused} refused, ${outcomes.read} read, slowest ${slowest.toFixed(1)} ms`
  console.log(`${format}: ${file.length} bytes, ${told}, ${(most / 2 ** 20).toFixed(0)} MiB more`)
}
