// `npm run fuzz -- [READER...] [COUNT] [--seed SEED[:FIRST]]`: gives readers of what comes from elsewhere so many damaged
// inputs, 300,000 together by default. None of them may throw another error than a MixlabError, take over a second of
// processor time, or much memory. Each failure is told with the words that repeat it. The unit tests do a short form.

import { drawsOf } from './mutate.ts'
import { type Outcome, READERS, type ReaderName } from './readers.ts'

/** Most processor time, in s, and memory, in bytes, that one input may take. */
const MOST_SECONDS = 1
const MOST_BYTES = 2 ** 29

export interface Fuzzed extends Record<Outcome, number> {
  slowest: { number: number; seconds: number }
  /** By how much the memory of the process grew at most, in bytes. */
  memory: number
  failures: { number: number; why: unknown }[]
}

/** Gives a reader `count` inputs from number `first` on; `failed` hears at once what goes wrong. */
export async function fuzz(
  name: ReaderName,
  count: number,
  seed: number,
  first: number,
  failed: (number: number, why: unknown) => void = () => {},
): Promise<Fuzzed> {
  const reader = await READERS[name].open()
  const found: Fuzzed = { read: 0, refused: 0, slowest: { number: first, seconds: 0 }, memory: 0, failures: [] }
  const peak = () => process.resourceUsage().maxRSS * 1024
  const before = peak()
  try {
    for (let number = first; number < first + count; number++) {
      const fail = (why: unknown) => {
        found.failures.push({ number, why })
        failed(number, why)
      }
      const [start, memory] = [process.cpuUsage(), peak()]
      try {
        found[await reader.read(drawsOf(seed, name, number))]++
      } catch (error) {
        fail(error)
      }
      const { user, system } = process.cpuUsage(start)
      const seconds = (user + system) / 1e6
      if (seconds > found.slowest.seconds) found.slowest = { number, seconds }
      if (seconds > (READERS[name].seconds ?? MOST_SECONDS)) fail(`took ${seconds.toFixed(1)} s of processor time`)
      if (peak() - memory > MOST_BYTES) fail(`took ${((peak() - memory) / 2 ** 20).toFixed(0)} MiB`)
    }
    found.memory = peak() - before
    return found
  } finally {
    reader.close?.()
  }
}

/** How many inputs each reader is given, `total` together. */
function shares(names: ReaderName[], total: number): [ReaderName, number][] {
  const all = names.reduce((sum, name) => sum + READERS[name].share, 0)
  return names.map((name) => [name, Math.ceil((total * READERS[name].share) / all)])
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const at = words.indexOf('--seed')
  const [seed = 0, first = 0] = at < 0 ? [] : (words.splice(at, 2)[1] ?? '').split(':').map(Number)
  const counts = words.filter((word) => /^\d+$/.test(word)).map(Number)
  const names = words.filter((word) => !/^\d+$/.test(word))
  const known = Object.keys(READERS) as ReaderName[]
  const unknown = names.find((name) => !known.includes(name as ReaderName))
  if (unknown !== undefined || counts.length > 1 || !Number.isInteger(seed) || !Number.isInteger(first)) {
    console.error(`npm run fuzz -- [READER...] [COUNT] [--seed SEED[:FIRST]]; readers: ${known.join(', ')}`)
    process.exit(1)
  }
  const chosen = names.length > 0 ? (names as ReaderName[]) : known
  for (const [name, count] of shares(chosen, counts[0] ?? (names.length > 0 ? 100_000 * names.length : 300_000))) {
    const found = await fuzz(name, count, seed, first, (number, why) => {
      process.exitCode = 1
      console.error(`${name}: npm run fuzz -- ${name} 1 --seed ${seed}:${number}\n`, why)
    })
    const { read, refused, failures, slowest, memory } = found
    console.log(
      `${name}, seed ${seed}: ${count} inputs, ${read} read, ${refused} refused, ${failures.length} failed; the slowest, ${slowest.number}, took ${(1000 * slowest.seconds).toFixed(0)} ms; ${(memory / 2 ** 20).toFixed(0)} MiB more`,
    )
  }
}
