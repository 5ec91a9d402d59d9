// The paces that are promised: `npm run bench:pace -- [ROW...] [--rounds 3] [--json]`. Each row is measured in rounds, ours
// and a twin in turns, and told as medians with their ratio and whether the goal is reached. What a machine lacks is named.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findTorch } from '../../app/bench/peers.ts'
import { openHost } from '../../app/host.ts'
import { findBrowser } from '../browser.ts'
import { fillStore } from './filled.ts'
import { NOTEBOOK } from './firstPage.ts'
import { type FolderRow, firstEpochRow, jpegFolderRow, pngFolderRow } from './pace-folder.ts'
import { measureRow, NotMeasured, type PaceRow, rowLine } from './pace-row.ts'
import { stagesRow } from './pace-stages.ts'
import { typing } from './pace-typing.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Runs of the first notebook, and steps of each, of which the twin trains as many. */
const [RUNS, STEPS] = [12, 250]

/** Seconds that a command takes, by the clock. */
async function seconds(command: string, words: string[], environment: NodeJS.ProcessEnv = {}): Promise<number> {
  const begun = performance.now()
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...environment } })
  let said = ''
  child.stderr.on('data', (data) => {
    said = `${said}${data}`.slice(-2000)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${words.join(' ')}: ${said}`)
  return (performance.now() - begun) / 1000
}

const mixlab = (...words: string[]) => seconds(process.execPath, [join(ROOT, 'app/mixlab.js'), ...words])

const freshFolder = () => mkdtempSync(join(tmpdir(), 'mixlab-pace-'))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

/** Seconds of `mixlab run` on a notebook in a new workspace; `look` sees it before it is removed. */
async function ran(text: string, words: string[] = [], look: (folder: string) => unknown = () => {}): Promise<number> {
  const folder = freshFolder()
  try {
    const path = join(folder, 'notebook.ts')
    writeFileSync(path, text)
    const took = await mixlab('run', path, '--workspace', folder, '--backend', 'simd', ...words)
    await look(folder)
    return took
  } finally {
    remove(folder)
  }
}

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
    ours: async () => {
      const folder = freshFolder()
      try {
        const path = join(folder, NOTEBOOK)
        copyFileSync(join(ROOT, 'experiments', NOTEBOOK), path)
        return await mixlab('run', path, '--workspace', folder, ...words)
      } finally {
        remove(folder)
      }
    },
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
  ours: () => ran(studyOf(200, 'steps: 10, batch: 16', '{ patch: 4, dim: 16, ffn: 32, depth: 1 }')),
}

/** Of the time of all steps of the runs of a workspace, the share in which they waited for their batches. */
async function waited(folder: string): Promise<number> {
  const host = openHost({ workspace: folder })
  try {
    const ids = (await host.listRuns()).map(({ id }) => id)
    const [waits = 0, steps = 0] = await Promise.all(
      ['train/wait_ms', 'train/step_ms'].map(async (metric) => {
        const series = await host.readSeries(ids, metric)
        return series.flatMap(({ values }) => [...values]).reduce((sum, value) => sum + value, 0)
      }),
    )
    return waits / steps
  } finally {
    host.close()
  }
}

const augmented: PaceRow = {
  ...{ name: 'augmented', unit: 'share', goal: 0.03 },
  title: 'waiting for batches of RandAugment, steps of some 22 ms with two threads',
  ours: async () => {
    let share = Number.NaN
    const train = 'steps: 1000, batch: 32, augment: { crop: 4, flip: 0.5, randAugment: { n: 2, m: 9 } }'
    const text = studyOf(1, train, '{ patch: 4, dim: 64, ffn: 256, depth: 4 }', 32)
    await ran(text, ['--only', 'gmlp'], async (folder) => {
      share = await waited(folder)
    })
    return share
  },
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

/** A command on 5,000 pictures with nothing to train; the twin reads and decodes the same files. */
function folderRow(name: string, ending: string, measure: () => FolderRow): PaceRow {
  let pillow: number | null = null
  return {
    ...{ name, unit: 's', goal: 1 },
    title: `mixlab run on 5,000 ${ending} files of 64 x 64 with nothing to train`,
    ours: () => {
      const { seconds, pillow: read = null } = measure()
      pillow = read
      return seconds
    },
    twin: {
      name: 'Pillow',
      measure: () => {
        if (pillow === null) throw new NotMeasured('no Pillow')
        return pillow
      },
    },
  }
}

const firstEpoch: PaceRow = {
  ...{ name: 'first-epoch', unit: 'share', goal: 0.05 },
  title: 'waiting in the first epoch on 10,000 PNG files, over 64 MB',
  ours: async () => (await firstEpochRow()).seconds,
}

/** One example of 1,024 tokens with two threads. */
function oneExample(): PaceRow {
  const row = stagesRow()
  return {
    ...row,
    name: 'one-example',
    ours: () => row.ours(), // which it has once it is prepared
    prepare: async () => {
      if (!(await findTorch(['/usr/bin']))) throw new NotMeasured('no PyTorch in /usr/bin')
      await row.prepare()
    },
  }
}

const keyPresses: PaceRow = {
  ...{ name: 'typing', unit: 'ms', goal: 30 },
  title: 'a key press while a cell trains, painted, 95% of them',
  ours: async () => {
    if (!findBrowser()) throw new NotMeasured('no Chromium')
    return (await typing()).p95
  },
}

/** The rows, by name, in the order in which they are measured. */
const ROWS: PaceRow[] = [
  shortRuns,
  firstRow('first-run', [], 1, 6.5),
  firstRow('first-jobs', ['--jobs', '2'], 2, 4.5),
  folderRow('folder-png', 'PNG', pngFolderRow),
  folderRow('folder-jpeg', 'JPEG', jpegFolderRow),
  firstEpoch,
  augmented,
  oneExample(),
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
for (const row of ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const load = loadavg()[0]?.toFixed(1)
  const measured = await measureRow(row, Number(values.rounds))
  console.log(values.json ? JSON.stringify({ ...measured, unit: row.unit, goal: row.goal }) : rowLine(row, measured))
  if (!values.json) console.log(`    load at the beginning ${load}`)
}
