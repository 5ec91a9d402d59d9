import type { StudyDesign } from '../../../engine/records/design.ts'
import type { Database } from '../database.ts'
import { planReadouts } from '../readouts.ts'
import { configurationOf } from './configuration.ts'

/**
 * Keeps how a study is designed, and when it was last planned so. A variant of it that has another name now has that in
 * the lists, too, where the run is of `notebook`, if that is given; earlier designs keep the old one.
 */
export function recordDesign(database: Database, design: StudyDesign, notebook?: string): void {
  const json = JSON.stringify(design)
  database.write(() => {
    const { study } = design
    const keys = new Set(design.runs.map(({ key }) => key))
    if (design.readouts) planReadouts(database, keys, design.readouts)
    const known = database.get<{ id: number }>('select id from design where study = ? and json = ?', study, json)
    if (known) database.run('update design set planned_at = ? where id = ?', Date.now(), known.id)
    else {
      const sql = 'insert into design (study, json, planned_at) values (?, ?, ?)'
      const id = database.run(sql, study, json, Date.now())
      for (const key of keys) database.run('insert into design_run (key, design) values (?, ?)', key, id)
    }
    renameRuns(database, design, notebook)
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
