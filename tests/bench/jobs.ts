import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

// Times a study by `mixlab run` with so many jobs, in turns, each in a new workspace: medians, and their ratio to one job.
//   npm run bench:jobs -- [--rounds 3] [--jobs 1,2] [-- first-comparison.ts --quick --only gated --seeds 2]

const root = resolve(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, jobs: { type: 'string', default: '1,2' } },
  allowPositionals: true,
})
const [notebook = 'first-comparison.ts', ...more] = positionals
const given = more.length > 0 ? more : ['--quick', '--only', 'gated', '--seeds', '2']

/** Seconds by the clock of a study with so many jobs. */
function seconds(jobs: string): number {
  const workspace = mkdtempSync(join(tmpdir(), 'mixlab-jobs-'))
  const words = ['run', join(root, 'experiments', notebook), ...given, '--backend', 'simd', '--jobs', jobs]
  const begun = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [
    join(root, 'app/mixlab.js'),
    ...words,
    '--workspace',
    workspace,
  ])
  const took = (performance.now() - begun) / 1000
  rmSync(workspace, { recursive: true, force: true })
  if (status !== 0) throw new Error(String(stderr))
  return took
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

const counts = values.jobs.split(',')
const times = new Map<string, number[]>(counts.map((jobs) => [jobs, []]))
for (let round = 0; round < Number(values.rounds); round++) {
  for (const jobs of round % 2 === 0 ? counts : counts.toReversed()) {
    const load = loadavg()[0]?.toFixed(1)
    const took = seconds(jobs)
    times.get(jobs)?.push(took)
    console.log(`--jobs ${jobs}: ${took.toFixed(1)} s, load ${load}`)
  }
}
const one = median(times.get(counts[0] ?? '') ?? [])
for (const [jobs, all] of times) {
  console.log(
    `--jobs ${jobs}: median ${median(all).toFixed(1)} s, ${(median(all) / one).toFixed(2)} times that of ${counts[0]}`,
  )
}
