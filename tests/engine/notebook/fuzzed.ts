// `npm run fuzz:notebooks -- [COUNT [FIRST]]`: analyses so many notebooks that nobody would write, 100,000 by default,
// and tells the slowest, in processor time. The unit tests take a sample.

import { fuzzedNotebook, openAnalysed } from './fuzz.ts'

/** Seconds of processor time for one notebook. */
const MOST = 2

const [count, first] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 0)]
let slowest = { number: 0, seconds: 0 }
let failed = 0
for (let number = first; number < first + count; number++) {
  const text = fuzzedNotebook(number)
  const start = process.cpuUsage()
  let problem: unknown = null
  try {
    openAnalysed(text)
  } catch (error) {
    problem = error
  }
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  if (seconds > slowest.seconds) slowest = { number, seconds }
  if (seconds > MOST) problem ??= `${seconds.toFixed(1)} s`
  if (problem !== null) {
    failed++
    console.error(`${number}:`, problem)
  }
}
console.log(
  `${count} notebooks, ${failed} failed; the slowest, ${slowest.number}, took ${slowest.seconds.toFixed(2)} s`,
)
if (failed > 0) process.exitCode = 1
