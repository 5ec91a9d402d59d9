import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openHost } from '../../app/host.ts'
import { startReader } from '../../app/store/index.ts'
import { measure, questions, ROUNDS } from './asked.ts'

// How long questions to a store that store.ts has filled take, and how long a record waits beside each, as the server has
// both: calls come in and answers go out as the bytes of messages.
//   node tests/bench/beside.ts DIR

const [folder = ''] = parseArgs({ allowPositionals: true }).positionals
if (folder === '') throw new Error('the folder of the workspace is missing')

const places = { here: {}, 'in a thread': { startReader } }
const hosts = Object.entries(places).map(([name, options]) => ({
  name,
  host: openHost({ workspace: folder, ...options }),
}))
console.log(
  `${availableParallelism()} cores, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}; median of ${ROUNDS}, in turns`,
)
const shown = (ms: number) => ms.toFixed(1).padStart(8)
console.log(`${''.padEnd(62)}   takes    busy   waits, ms`)
for (const [question, ask] of questions) {
  for (const { name, host } of hosts) {
    const { ms, busy, waited } = await measure(host, ask)
    console.log(`${`${question}, ${name}`.padEnd(62)}${shown(ms)}${shown(busy)}${shown(waited)}`)
  }
}
for (const { host } of hosts) host.close()
