import { parseArgs } from 'node:util'
import { useBackend as startBackend } from '../../app/backends.ts'
import { randomModels } from './models.ts'

// Trains models of random sizes one after the other in one process, and says how large the heap has been:
//   npm run bench:heap -- --models 500 --tokens 1024

const { values } = parseArgs({
  options: { models: { type: 'string', default: '500' }, tokens: { type: 'string', default: '1024' } },
})
await startBackend('simd', 1)

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
let [need, size, resident, models, smaller] = [0, 0, 0, 0, 0]
let before = 0
for await (const held of randomModels(Number(values.models), Number(values.tokens))) {
  models++
  if (held.need > need) console.log(`${models}: ${held.model} needs ${mib(held.need)}`)
  if (held.size < before) smaller++
  before = held.size
  need = Math.max(need, held.need)
  size = Math.max(size, held.size)
  resident = Math.max(resident, process.memoryUsage.rss())
}
console.log(
  `${models} models; the largest needed ${mib(need)}, the heap had ${mib(size)} at most: ${(size / need).toFixed(2)} times`,
)
console.log(
  `memory given back ${smaller} times; the process had ${mib(resident)} at most, ${mib(process.memoryUsage.rss())} in the end`,
)
