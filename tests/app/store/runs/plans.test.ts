import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connectDatabase } from '../../../../app/store/database.ts'
import { migrate } from '../../../../app/store/migrate.ts'
import { migrations } from '../../../../app/store/migrations/index.ts'
import { openDatabase } from '../../../../app/store/open.ts'
import { earlierDesigns, recordDesign } from '../../../../app/store/runs/designs.ts'
import type { StudyDesign } from '../../../../engine/records/design.ts'
import type { RunOrigin } from '../../../../engine/records/origin.ts'
import { withPlan } from '../../../../engine/study/planned/planOf.ts'
import { designOf } from '../../../designs.ts'
import { begun, freshFolder, sampleRun, storeAt } from '../samples.ts'

const origin: RunOrigin = { notebook: 'a.ts', cell: 'study', name: null, source: '', quick: false }

const designed = (seeds: number[], study = 's') =>
  designOf(
    study,
    seeds.flatMap((seed) => ['a', 'b'].map((variant) => ({ variant, seed, key: `${variant} ${seed}` }))),
  )

const keysOf = ({ runs }: StudyDesign) => runs.map(({ key }) => key)

it('tells which designs were trained, the first one first, and not those of the quick mode', () => {
  const store = storeAt(freshFolder())
  const [quick, written, trained] = [designed([1, 2]), designed([1, 2, 3, 4]), designed([1, 2, 3])]
  const begin = (key: string, inQuick: boolean) =>
    begun(store.beginRun(sampleRun({ key, variant: key, origin: { ...origin, quick: inQuick } })))
  store.recordDesign(quick)
  store.record(begin('a 1', true), [{ type: 'done', step: 10 }])
  store.recordDesign(written)
  expect(store.earlierDesigns(keysOf(written))).toMatchObject([{ begunAt: null }, { begunAt: null }])
  store.recordDesign(trained)
  begin('b 1', false)
  const found = store.earlierDesigns(['b 2'])
  expect(found.map(({ design }) => design)).toEqual([trained, quick, written])
  expect(found.map(({ begunAt, at }) => [begunAt !== null, at !== null])).toEqual([
    [true, true],
    [false, true],
    [false, true],
  ])
  store.close()
})

it('remembers what was seen where runs were archived, and notebook and study have other names', () => {
  const store = storeAt(freshFolder())
  const whole = designed([1, 2, 3])
  store.recordDesign(whole, 'a.ts')
  const ids = keysOf(whole).map((key) => begun(store.beginRun(sampleRun({ key, variant: key, origin }))))
  for (const id of ids) store.record(id, [{ type: 'done', step: 10 }])
  store.archiveRuns(ids, true)
  store.moveRuns('a.ts', 'b.ts')
  const part = designed([2, 3], 'another')
  const { planned } = withPlan(part, store.earlierDesigns(keysOf(part)), false, 0)
  expect(planned?.departs).toEqual(['planned with seeds 1 to 3, shown with 2, 3'])
  store.close()
})

it('finds what is trained alike and measured otherwise', () => {
  const store = storeAt(freshFolder())
  const plain = designed([1, 2])
  const by = {
    ...plain,
    metric: 'loss',
    runs: plain.runs.map((run) => ({ ...run, key: `${run.key} l`, trained: run.key })),
  }
  store.recordDesign(by)
  begun(store.beginRun(sampleRun({ key: 'a 1 l', origin })))
  const beside = withPlan(plain, store.earlierDesigns(keysOf(plain)), false, 0)
  expect(beside.planned).toMatchObject({ metric: 'loss', variants: ['a', 'b'], departs: [] })
  store.close()
})

it('of a store of before, when designs began is known, and not when they were planned', () => {
  const path = join(freshFolder(), 'mixlab.db')
  const old = openDatabase(path, 15)
  const [one, two] = [designed([1, 2]), designed([5, 6])]
  for (const [id, design] of [one, two].entries()) {
    old.run('insert into design (id, study, json, planned_at) values (?, ?, ?, 9)', id, 's', JSON.stringify(design))
    for (const key of keysOf(design)) old.run('insert into design_run (key, design) values (?, ?)', key, id)
  }
  old.run(
    `insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid, spec, code)
     values ('a 2', 's', 'a', 2, 'interrupted', 'cpu', '', 7, 7, '', 0, '{}', '')`,
  )
  old.close()
  const database = connectDatabase(path)
  migrate(database, migrations)
  expect(earlierDesigns(database, [...keysOf(two), ...keysOf(one)])).toEqual([
    { design: one, at: null, begunAt: 7 },
    { design: two, at: null, begunAt: null },
  ])
  recordDesign(database, one)
  expect(earlierDesigns(database, keysOf(one))).toHaveLength(1)
  database.close()
})

it('finds finished runs with the same data, task and recipe, by their models', () => {
  const store = storeAt(freshFolder())
  const spec = (seed: number, dim: number, steps = 10) => ({
    data: 'd',
    task: {},
    model: { dim },
    train: { steps },
    seed,
  })
  const trained = [spec(1, 8), spec(2, 8), spec(1, 16), spec(1, 8, 20)].map((own, place) => {
    const id = begun(
      store.beginRun(sampleRun({ key: `k${place}`, variant: `v${own.model.dim}`, seed: own.seed, spec: own })),
    )
    store.record(id, [{ type: 'done', step: 10 }])
    return id
  })
  begun(store.beginRun(sampleRun({ key: 'unfinished', seed: 3, spec: spec(3, 8) })))
  store.archiveRuns(trained.slice(1, 2), true)
  const found = store.alikeRuns(spec(9, 32))
  expect(found.map(({ id }) => id)).toEqual(trained.slice(0, 3))
  expect(found.map(({ model }) => model === found[0]?.model)).toEqual([true, true, false])
  // what was trained to choose a value is judged on validation alone
  store.recordDesign({ ...designOf('s, tuning', [{ variant: 'v8', seed: 1, key: 'k0' }]), questions: [] })
  expect(store.alikeRuns(spec(9, 32)).map(({ id }) => id)).toEqual(trained.slice(1, 3))
  store.close()
})
