import { parseArgs } from 'node:util'
import { decode, encode } from '@msgpack/msgpack'
import { openStore, type Store } from '../../app/store/index.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import type { RunsQuery } from '../../engine/runs/types.ts'
import { EVERY, METRICS } from './generated.ts'

// Times the store's calls on a workspace that store.ts has filled, with packing and unpacking the answer as on its way to
// the page: the first call after opening, and the median and the longest of some more.
//   node tests/bench/queries.ts DIR

const ROUNDS = 7

const [folder] = parseArgs({ allowPositionals: true }).positionals
if (!folder) throw new Error('the folder of the workspace is missing')
const store = openStore(openWorkspace(folder))

const long = Array.from({ length: 100 }, (_, i) => i + 1)
const groups = long.flatMap((id) => (id % 10 === 1 ? [{ name: `${id}`, runs: long.slice(id - 1, id + 9) }] : []))
const last = store.readSeries([1], METRICS[0] ?? '', 2)[0]?.steps.at(-1) ?? EVERY
const middle = (part: number): [number, number] => [
  Math.floor((last * (1 - part)) / 2),
  Math.ceil((last * (1 + part)) / 2),
]

const query = (changes: Partial<RunsQuery>): RunsQuery => ({
  ...{ filter: '', sort: [{ column: 'id', descending: true }], offset: 0, limit: 100 },
  columns: [
    'study',
    'variant',
    'seed',
    'status',
    'train.batch',
    'lr',
    'test/accuracy',
    'best:test/accuracy',
    'train/loss',
  ],
  ...changes,
})
const byAccuracy = [{ column: 'best:test/accuracy', descending: true }]
const byRate = [{ column: 'lr', descending: false }]

const calls: [name: string, call: (store: Store) => unknown][] = [
  ['series: 20 runs, whole', (s) => s.readSeries(long.slice(0, 20), 'train/loss')],
  ['series: 20 runs, a tenth', (s) => s.readSeries(long.slice(0, 20), 'train/loss', 1000, middle(0.1))],
  ['series: 20 runs, a hundredth', (s) => s.readSeries(long.slice(0, 20), 'train/loss', 1000, middle(0.01))],
  [
    'series: 100 short runs, whole',
    (s) =>
      s.readSeries(
        long.map((id) => id + 1000),
        'train/loss',
      ),
  ],
  ['bands: 100 runs x 10 metrics, whole', (s) => s.readBands([{ name: '', runs: long }], METRICS)],
  ['bands: 10 groups x 10 metrics, whole', (s) => s.readBands(groups, METRICS)],
  ['bands: 100 runs x 10 metrics, a tenth', (s) => s.readBands([{ name: '', runs: long }], METRICS, 500, middle(0.1))],
  ['runs: first rows', (s) => s.queryRuns(query({}))],
  ['runs: sorted by best accuracy', (s) => s.queryRuns(query({ sort: byAccuracy }))],
  ['runs: sorted by an option', (s) => s.queryRuns(query({ sort: byRate }))],
  ['runs: rows 20,000 and on, sorted', (s) => s.queryRuns(query({ sort: byAccuracy, offset: 20_000 }))],
  ['runs: task:mlm lr<1e-3 tag:keep', (s) => s.queryRuns(query({ filter: 'task:mlm lr<1e-3 tag:keep' }))],
  ['runs: by a metric, sorted', (s) => s.queryRuns(query({ filter: 'test/accuracy>0.5', sort: byAccuracy }))],
  ['runs: a word', (s) => s.queryRuns(query({ filter: 'gmlp' }))],
  ['runs: an archived:yes without rows', (s) => s.queryRuns(query({ filter: 'archived:yes' }))],
  ['groups: first rows', (s) => s.groupRuns(query({}))],
  ['groups: sorted by best accuracy', (s) => s.groupRuns(query({ sort: byAccuracy }))],
  ['groups: of a task', (s) => s.groupRuns(query({ filter: 'task:mlm' }))],
]

for (const [name, call] of calls) {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now()
    const packed = encode(call(store))
    decode(packed)
    times.push(performance.now() - begun)
    bytes = packed.length
  }
  const [first = 0, ...more] = times
  more.sort((a, b) => a - b)
  const shown = [first, more[ROUNDS >> 1] ?? 0, more.at(-1) ?? 0].map((ms) => ms.toFixed(1).padStart(8)).join('')
  console.log(`${name.padEnd(40)}${shown} ms ${(bytes / 1000).toFixed(0).padStart(6)} kB`)
}
store.close()
