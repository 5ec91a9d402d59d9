import { MixlabError, suggest } from '../../engine/errors.ts'
import type { Database } from './database.ts'

interface Candidate {
  id: number
  key: string
  study: string
  variant: string
  seed: number
}

const columns = 'id, key, study, variant, seed'
const bestFirst = "order by status = 'done' desc, id desc"

/**
 * The id of the run that a reference means: an id (`12`), a part of a key from its start (4 digits or more), or
 * `study/variant/seed`. Of several attempts it is the latest that is done, else the latest.
 * Throws MixlabError `store`, naming what is close.
 */
export function resolveReference(database: Database, reference: string): number {
  const wanted = reference.trim()
  if (wanted.includes('/')) return byName(database, wanted)
  if (/^\d{1,15}$/.test(wanted) && database.get('select 1 from run where id = ?', Number(wanted))) return Number(wanted)
  if (/^[\da-f]{4,64}$/i.test(wanted)) return byKey(database, wanted.toLowerCase())
  if (/^\d+$/.test(wanted)) throw new MixlabError('store', `run ${wanted}`, `no such run${latest(database)}`)
  const allowed = "allowed is an id such as '12', 4 or more digits of a key, or study/variant/seed"
  throw new MixlabError('store', `run '${reference}'`, `not a reference to a run; ${allowed}${latest(database)}`)
}

function byKey(database: Database, prefix: string): number {
  // 'g' follows every hexadecimal digit.
  const found = database.all<Candidate>(
    `select ${columns} from run where key >= ? and key < ? ${bestFirst}`,
    prefix,
    `${prefix}g`,
  )
  const [first] = found
  if (!first) throw new MixlabError('store', `run ${prefix}`, `no such run${latest(database)}`)
  const others = found.filter((run, i) => found.findIndex((other) => other.key === run.key) === i)
  if (others.length === 1) return first.id
  throw new MixlabError('store', `run ${prefix}`, `is ambiguous: ${list(others)}`)
}

function byName(database: Database, name: string): number {
  const parts = name.split('/')
  const seed = parts.at(-1) ?? ''
  const found = splits(parts.slice(0, -1)).flatMap(([study, variant]) => {
    return database.all<Candidate>(
      `select ${columns} from run where study = ? and variant = ? and seed = ? ${bestFirst} limit 1`,
      study,
      variant,
      /^-?\d+$/.test(seed) ? Number(seed) : null,
    )
  })
  const [first] = found
  if (!first) throw new MixlabError('store', `run ${name}`, whyUnknown(database, parts))
  if (found.length > 1) throw new MixlabError('store', `run ${name}`, `is ambiguous: ${list(found)}`)
  return first.id
}

/** The ways to read `a/b/c` as study and variant, because either may have a slash in its name. */
function splits(parts: string[]): [study: string, variant: string][] {
  return parts.slice(1).map((_, i) => [parts.slice(0, i + 1).join('/'), parts.slice(i + 1).join('/')])
}

function whyUnknown(database: Database, [study = '', variant = '', ...rest]: string[]): string {
  const names = (sql: string, ...values: string[]) =>
    database.all<{ name: string }>(sql, ...values).map((row) => row.name)
  const studies = names('select distinct study as name from run order by study')
  if (studies.length === 0) return 'the workspace has no runs yet'
  if (!studies.includes(study)) return `no study '${study}'${suggest(study, studies)}`
  const variants = names('select distinct variant as name from run where study = ? order by variant', study)
  if (!variants.includes(variant)) return `no variant '${variant}' in study '${study}'${suggest(variant, variants)}`
  const seeds = names(
    'select distinct cast(seed as text) as name from run where study = ? and variant = ? order by seed',
    study,
    variant,
  )
  const seed = rest.join('/')
  const problem = seed === '' ? 'the seed is missing' : `no seed '${seed}' of ${study}/${variant}`
  return `${problem} (known: ${seeds.join(', ')})`
}

function latest(database: Database): string {
  const runs = database.all<Candidate>(`select ${columns} from run order by id desc limit 5`)
  return runs.length ? ` (latest: ${list(runs)})` : ', the workspace has no runs yet'
}

function list(runs: Candidate[]): string {
  const named = runs
    .slice(0, 5)
    .map((run) => `${run.id} ${run.study}/${run.variant}/${run.seed} ${run.key.slice(0, 8)}`)
  return `${named.join(', ')}${runs.length > 5 ? ', ...' : ''}`
}
