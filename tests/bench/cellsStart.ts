// What `mixlab run` of a notebook without a study takes, most of it the start of two processes: both from their bundles and
// both from the sources, in turn. Part of `npm run bench:cells`; on Linux alone, for it reads /proc.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createBuilder } from 'vite'
import { medianAndLeast } from '../../engine/bench/times.ts'

const WAYS = ['bundle', 'sources'] as const
type Way = (typeof WAYS)[number]
const APP = resolve(import.meta.dirname, '../../app')
/** Of /proc/self/stat, those of the processes waited for included. */
const TICKS_PER_SECOND = 100

/** Measures and prints. */
export async function compareStarts(rounds: number): Promise<void> {
  await (await createBuilder({ configFile: join(APP, 'cells/vite.config.ts'), logLevel: 'silent' })).buildApp()
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-bench-'))
  writeFileSync(join(folder, 'empty.ts'), '// %% empty\n')
  const times = { bundle: [] as Times[], sources: [] as Times[] }
  for (let round = -1; round < rounds; round++) {
    for (const way of WAYS) {
      const time = measure(way, folder)
      if (round >= 0) times[way].push(time) // before, the cache is filled
    }
  }
  rmSync(folder, { recursive: true })
  for (const what of ['processor', 'wall'] as const) {
    const [own, other] = WAYS.map((way) => times[way].map((time) => time[what])) as [number[], number[]]
    console.log(`a run of nothing, ${what}: ${compared({ bundle: own, sources: other }, 's')}`)
  }
}

interface Times {
  /** Seconds. */
  processor: number
  wall: number
}

function measure(way: Way, folder: string): Times {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'mixlab-bench-cache') }
  const at = performance.now()
  const { stdout } = spawnSync(process.execPath, [import.meta.filename, way, folder], { env, encoding: 'utf8' })
  return { processor: Number(stdout), wall: (performance.now() - at) / 1000 }
}

/** Medians of two ways in turns with the least of each, and the median ratio of the first to the second in a round. */
export function compared(ways: Record<string, number[]>, unit: string): string {
  const words = Object.entries(ways).map(([name, times]) => {
    const [median, least] = medianAndLeast(times).map((time) => time.toFixed(2))
    return `${name} ${median} (${least}) ${unit}`
  })
  const [own = [], other = []] = Object.values(ways)
  const [ratio] = medianAndLeast(own.map((time, round) => time / (other[round] ?? 1))) // of two side by side
  return `${words.join(', ')}; median ratio of a round ${ratio.toFixed(3)}`
}

/** Runs the notebook in this process, and then writes which processor time it and its child took. */
async function runOnce(way: Way, folder: string): Promise<void> {
  if (way === 'sources') {
    registerHooks({
      load: (url, context, next) =>
        url.endsWith('/cells/bundle.ts')
          ? { format: 'module', source: 'export const currentBundle = () => null', shortCircuit: true }
          : next(url, context),
    })
  }
  process.once('exit', () => {
    const fields = readFileSync('/proc/self/stat', 'utf8').replace(/.*\) /, '').split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    console.log(ticks / TICKS_PER_SECOND)
  })
  const { currentBundle } = await import('../../app/cells/bundle.ts')
  const bundle = currentBundle(resolve(APP, '..'), 'cli')
  const { main } = await import(bundle === null ? '../../app/cli/terminal/main.ts' : pathToFileURL(bundle).href)
  await main(['run', join(folder, 'empty.ts'), '--workspace', folder])
}

if (import.meta.main) await runOnce(process.argv[2] as Way, process.argv[3] ?? '')
