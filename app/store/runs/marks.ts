import { MixlabError, suggest } from '../../../engine/errors.ts'
import type { Database } from '../database.ts'
import { unknownRun } from '../run.ts'

const LONGEST_TAG = 50
const LONGEST_NOTE = 10_000 // characters

/** Adds tags to runs and takes others away. Throws MixlabError `option` for what is no tag, `store` for an unknown run. */
export function tagRuns(database: Database, ids: number[], add: string[], remove: string[]): void {
  for (const tag of add) {
    if (tag.length <= LONGEST_TAG && /^[^\s,"*-][^\s,"*]*$/.test(tag)) continue
    const allowed = `up to ${LONGEST_TAG} characters without spaces, commas, quotes and stars, and no '-' in front`
    throw new MixlabError('option', 'tag', `'${tag}' is no tag: allowed are ${allowed}`)
  }
  forEach(database, ids, (id) => {
    for (const tag of remove) database.run('delete from tag where run = ? and name = ?', id, tag)
    for (const tag of add) database.run('insert or ignore into tag (run, name) values (?, ?)', id, tag)
  })
}

/** Marks the attempts at runs of such keys; see engine/study/former/legacyKeys.ts. */
export function doubtRuns(database: Database, keys: string[]): void {
  database.run(
    "insert or ignore into tag (run, name) select id, 'doubtful' from run where key in (select value from json_each(?))",
    JSON.stringify(keys),
  )
}

/** Gives a run a note in place of the one before. Throws MixlabError `store` for an unknown run, `option` for a long note. */
export function noteRun(database: Database, id: number, note: string): void {
  if (note.length > LONGEST_NOTE) {
    throw new MixlabError('option', 'note', `has ${note.length} characters, expected at most ${LONGEST_NOTE}`)
  }
  forEach(database, [id], () => database.run('update run_entry set note = ? where run = ?', note, id))
}

/** Puts runs away, so that studies do not take them any more, or back. Throws MixlabError `store` for an unknown run. */
export function archiveRuns(database: Database, ids: number[], archived: boolean): void {
  forEach(database, ids, (id) => database.run('update run_entry set archived = ? where run = ?', archived ? 1 : 0, id))
}

/** Pins the variant that others of its study are compared with, or unpins it. Throws MixlabError `option`. */
export function pinBaseline(database: Database, study: string, variant: string | null): void {
  if (variant === null) {
    database.run('delete from baseline where study = ?', study)
    return
  }
  const sql = 'select distinct variant as name from configuration where study = ? order by variant'
  const variants = database.all<{ name: string }>(sql, study).map(({ name }) => name)
  if (variants.length === 0) throw new MixlabError('option', 'study', `no runs of a study '${study}'`)
  if (!variants.includes(variant)) {
    throw new MixlabError('option', study, `no runs of a variant '${variant}'${suggest(variant, variants)}`)
  }
  database.run('insert or replace into baseline (study, variant) values (?, ?)', study, variant)
}

/** The pinned variants, by study. */
export function baselines(database: Database): Record<string, string> {
  const rows = database.all<{ study: string; variant: string }>('select study, variant from baseline')
  return Object.fromEntries(rows.map(({ study, variant }) => [study, variant]))
}

function forEach(database: Database, ids: number[], change: (id: number) => void): void {
  database.write(() => {
    for (const id of ids) {
      if (!database.get('select 1 from run_entry where run = ?', id)) throw unknownRun(id)
      change(id)
    }
  })
}
