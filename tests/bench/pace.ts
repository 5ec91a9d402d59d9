import { copyFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findTorch } from '../../app/bench/peers.ts'
import { fillStore } from './filled.ts'
import { NOTEBOOK } from './firstPage.ts'
import { folderRows } from './pace-folder.ts'
import {
  freshFolder,
  inFolder,
  measureRow,
  mixlab,
  NotMeasured,
  type PaceRow,
  ROOT,
  ran,
  remove,
  rowLine,
  seconds,
  waited,
} from './pace-row.ts'
import { stagesRow } from './pace-stages.ts'
import { keyPresses } from './pace-typing.ts'

/** Runs of the first notebook, and steps of each, of which the twin trains as many. */
const [RUNS, STEPS] = [12, 250]

/** A way to start PyTorch: its threads, those of its BLAS, and how the models are written. */
interface Setting {
  python: string
  threads: string
  blas: string
  style: string[]
}

/** Seconds in which processes of PyTorch train so many runs together. */
async function torchSeconds(
  processes: number,
  { python, threads, blas, style }: Setting,
  runs = RUNS,
): Promise<number> {
  const words = [join(import.meta.dirname, 'pace.py'), threads, String(runs / processes), String(STEPS), ...style]
  const all = Array.from({ length: processes }, () => seconds(python, words, { OPENBLAS_NUM_THREADS: blas }))
  return Math.max(...(await Promise.all(all)))
}

/** The first notebook in so many processes of PyTorch, in the setting that trains two runs fastest; which is found once. */
function torchTwin(processes: number): NonNullable<PaceRow['twin']> {
  let fastest: Setting | undefined
  async function find(): Promise<Setting> {
    const torch = await findTorch()
    if (!torch) throw new NotMeasured('no PyTorch')
    const counts = processes > 1 ? ['1'] : ['1', '2']
    const settings = counts.flatMap((threads) =>
      counts.flatMap((blas) => [[], ['tuned']].map((style) => ({ python: torch.python, threads, blas, style }))),
    )
    let least = Number.POSITIVE_INFINITY
    let found = settings[0] as Setting
    for (const setting of settings) {
      const took = await torchSeconds(1, setting, 2)
      if (took < least) [least, found] = [took, setting]
    }
    const { threads, blas, style } = found
    twin.name = `PyTorch ${torch.version}, ${processes} x ${threads} threads, BLAS ${blas}${style.length > 0 ? ', tuned' : ''}`
    return found
  }
  const twin = {
    name: 'PyTorch',
    measure: async () => {
      fastest ??= await find()
      return torchSeconds(processes, fastest)
    },
  }
  return twin
}

/** The first notebook by `mixlab run`, from the start of the process to the verdict. */
function firstRow(name: string, words: string[], processes: number, goal: number): PaceRow {
  return {
    ...{ name, unit: 's', goal },
    title: ['first notebook by mixlab run', ...words].join(' '),
    ours: () =>
      inFolder((folder) => {
        const path = join(folder, NOTEBOOK)
        copyFileSync(join(ROOT, 'experiments', NOTEBOOK), path)
        return mixlab('run', path, '--workspace', folder, ...words)
      }),
    twin: torchTwin(processes),
  }
}

/** A study of small models on small pictures. */
const studyOf = (seeds: number, train: string, model: string, size = 16) => `// %% study
import { compare, gmlp, image, mixer, shapes } from 'mixlab'
export const pace = compare('pace', {
  task: image({ data: shapes({ size: ${size}, train: 2048, test: 64 }) }),
  model: ${model},
  variants: { gmlp: gmlp(), mixer: mixer() },
  train: { ${train}, evalExamples: 64, testExamples: 64 },
  seeds: ${seeds},
})
`

const shortRuns: PaceRow = {
  ...{ name: 'short-runs', unit: 's', goal: 30 },
  title: 'a study of 400 runs of 10 steps',
  ours: () =>
    inFolder((folder) => ran(folder, studyOf(200, 'steps: 10, batch: 16', '{ patch: 4, dim: 16, ffn: 32, depth: 1 }'))),
}

const augmented: PaceRow = {
  ...{ name: 'augmented', unit: 'share', goal: 0.03 },
  title: 'waiting for batches of RandAugment, steps of some 22 ms with two threads',
  ours: () =>
    inFolder(async (folder) => {
      const train = 'steps: 1000, batch: 32, augment: { crop: 4, flip: 0.5, randAugment: { n: 2, m: 9 } }'
      await ran(folder, studyOf(1, train, '{ patch: 4, dim: 64, ffn: 256, depth: 4 }', 32), '--only', 'gmlp')
      return waited(folder)
    }),
}

function manyRuns(): PaceRow {
  let folder = ''
  return {
    ...{ name: 'runs-list', unit: 's', goal: 0.5 },
    title: 'mixlab runs with 20,000 runs in the store',
    prepare: () => {
      folder = freshFolder()
      fillStore(folder, 20_000)
    },
    ours: () => mixlab('runs', '--workspace', folder),
    end: () => remove(folder),
  }
}

/** The rows, by name, in the order in which they are measured. */
const ROWS: PaceRow[] = [
  shortRuns,
  firstRow('first-run', [], 1, 6.5),
  firstRow('first-jobs', ['--jobs', '2'], 2, 4.5),
  ...folderRows,
  augmented,
  { ...stagesRow(), name: 'one-example' },
  ...(['train', 'forward'] as const).flatMap((what) =>
    [1, 2].map((threads) => ({ ...stagesRow(what, threads), named: true })),
  ),
  keyPresses,
  manyRuns(),
]

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !ROWS.some((row) => row.name === name))
if (unknown !== undefined) {
  console.error(`bench:pace: no row '${unknown}'; there are ${ROWS.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
for (const row of ROWS.filter(({ name, named }) => (positionals.length === 0 ? !named : positionals.includes(name)))) {
  const load = loadavg()[0]?.toFixed(1)
  const measured = await measureRow(row, Number(values.rounds))
  console.log(values.json ? JSON.stringify({ ...measured, unit: row.unit, goal: row.goal }) : rowLine(row, measured))
  if (!values.json) console.log(`    load at the beginning ${load}`)
}
