// Checks of numbers on the graphics card that this process finds; a line for each, and the exit code says whether all hold.
import { messageOf } from '../../engine/errors.ts'
import { checks } from './checks.ts'

const words = process.argv.slice(2)
const names = words.length > 0 ? words : Object.keys(checks)
let failed = 0
for (const name of names) {
  const begun = performance.now()
  const lines = await (checks[name] ?? unknown(name))().catch((error: unknown) => [`FAILED: ${messageOf(error)}`])
  for (const line of lines) console.log(`${name}: ${line}`)
  if (lines.some((line) => line.startsWith('FAILED'))) failed++
  else console.log(`${name}: ok, ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
console.log(`${names.length - failed} checks hold, ${failed} do not`)
process.exit(failed > 0 ? 1 : 0)

function unknown(name: string): () => Promise<string[]> {
  return async () => [`FAILED: no check of this name; there are ${Object.keys(checks).join(', ')} (not ${name})`]
}
