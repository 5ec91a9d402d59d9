import type { StoredDesign, StudyDesign } from '../../../engine/records/design.ts'
import type { Database } from '../database.ts'
import { planReadouts } from '../readouts.ts'
import { configurationOf } from './configuration.ts'
import { enterComparisons } from './ledger.ts'

/**
 * Keeps how a study is designed, and when it was last planned so. A variant of it that has another name now has that in
 * the lists, too, where the run is of `notebook`, if that is given; earlier designs keep the old one.
 * `at` is when that was, and `writtenAt` since when the design stands in the text that is run, in ms since 1970.
 */
export function recordDesign(
  database: Database,
  design: StudyDesign,
  notebook?: string,
  writtenAt?: number,
  at = Date.now(),
): void {
  database.write(() => {
    keepDesign(database, design, at, writtenAt)
    renameRuns(database, design, notebook)
  })
}

/** The same without a change of names: of a design that was recorded elsewhere, at that time. */
export function keepDesign(database: Database, design: StudyDesign, at: number, writtenAt = at): void {
  const json = JSON.stringify(design)
  database.write(() => {
    const { study } = design
    const keys = new Set(design.runs.map(({ key }) => key))
    if (design.readouts) planReadouts(database, keys, design.readouts, at)
    const known = database.get<{ id: number }>('select id from design where study = ? and json = ?', study, json)
    if (known) {
      database.run('update design set planned_at = ? where id = ?', at, known.id)
      return
    }
    const sql = 'insert into design (study, json, planned_at, first_at) values (?, ?, ?, ?)'
    const id = database.run(sql, study, json, at, Math.min(at, writtenAt))
    const all = new Set(design.runs.flatMap(({ key, trained = key }) => [key, trained]))
    for (const key of all) database.run('insert into design_run (key, design) values (?, ?)', key, id)
    enterComparisons(database, design, id, at)
  })
}

/** The designs that have any of some runs, the one that was planned last first. */
export function designsOf(database: Database, keys: string[]): StudyDesign[] {
  const found = database.all<{ json: string }>(
    `select json from design where id in (
       select design from json_each(?) as wanted cross join design_run on design_run.key = wanted.value)
     order by planned_at desc, id desc`,
    JSON.stringify(keys),
  )
  return found.map(({ json }) => JSON.parse(json) as StudyDesign)
}

/** See `RunStore`. */
export function earlierDesigns(database: Database, keys: string[]): StoredDesign[] {
  const found = database.all<{ json: string; at: number | null; begunAt: number | null }>(
    `select json, first_at as at, begun_at as begunAt from design where id in (
       select design from json_each(?) as wanted cross join design_run on design_run.key = wanted.value)
     order by begun_at is null, begun_at, id`,
    JSON.stringify(keys),
  )
  return found.map(({ json, at, begunAt }) => ({ design: JSON.parse(json) as StudyDesign, at, begunAt }))
}

/** Keeps that a run of the design planned last that has it has begun, which may make it a plan. */
export function beginDesign(database: Database, key: string, at: number): void {
  const having = 'select design.id, planned_at from design_run join design on design.id = design where key = ?'
  database.run(
    `update design set begun_at = ? where begun_at is null
       and id in (select id from (${having}) order by planned_at desc, id desc limit 1)`,
    at,
    key,
  )
}

/** Gives the runs of a study the names that it has for them now. */
function renameRuns(database: Database, { study, runs }: StudyDesign, notebook: string | null = null): void {
  const names = new Map<string, string[]>()
  for (const { key, variant } of runs) names.set(key, [...(names.get(key) ?? []), variant])
  for (const [key, variants] of names) {
    const sql = `select id, variant, spec from run where key = ? and study = ? and (? is null
      or not exists (select 1 from run_origin where run_origin.run = run.id and notebook is not ?))`
    for (const run of database.all<{ id: number; variant: string; spec: string }>(
      sql,
      key,
      study,
      notebook,
      notebook,
    )) {
      const [variant] = variants
      if (variant === undefined || variants.includes(run.variant)) continue
      database.run('update run set variant = ? where id = ?', variant, run.id)
      const configuration = configurationOf(database, { study, variant, spec: JSON.parse(run.spec) })
      database.run('update run_entry set configuration = ? where run = ?', configuration, run.id)
    }
  }
}
