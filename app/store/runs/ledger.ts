import { MixlabError } from '../../../engine/errors.ts'
import type { ComparisonFamily, Standing, StudyDesign } from '../../../engine/records/design.ts'
import { type Compared, comparisonsIn, levelAt, levelOf } from '../../../engine/study/ledger/comparisons.ts'
import type { Database } from '../database.ts'

/** A comparison as it is entered. */
interface Entered {
  id: number
  look: string
  family: number
  place: number
  level: number
  design: number
  closedAt: number | null
}

/** A network that was trained alone, and belongs to no family yet. */
interface Alone {
  id: number
  candidate: string
  seeds: string
}

/** Comparisons of one study on one task that are not entered yet, and the open families that they belong to. */
interface Draft {
  families: number[]
  /** Comparisons in these families. */
  members: number
  /** Networks of before that were trained alone, one of which may have been chosen: they take places, too. */
  alone: Alone[]
  comparisons: Compared[]
  /** The places of the comparisons. */
  places: number[]
}

const ENTERED = `select comparison.id, look, family, place, level, design, closed_at as closedAt from json_each(?) as wanted
  cross join comparison on comparison.look = wanted.value join comparison_family on comparison_family.id = family`

/** The families that have some networks on some data. */
const FAMILIES = `select id, closed_at as closedAt from comparison_family where id in (
  select family from json_each(?) as arm cross join comparison on data = ? and baseline = arm.value
  union select family from json_each(?) as arm cross join comparison on data = ? and candidate = arm.value)`

const SIZE = 'select count(*) as members from json_each(?) as wanted cross join comparison on family = wanted.value'

/** Enters the comparisons of a design in the ledger, each look once. `at` is when, in ms since 1970. */
export function enterComparisons(database: Database, design: StudyDesign, id: number, at: number): void {
  const all = comparisonsIn(design)
  const insert = (each: Compared, family: number | null, place: number | null) =>
    database.run(
      `insert or ignore into comparison
         (look, data, baseline, candidate, family, place, level, design, variant, seeds, entered_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[each.look, each.on, each.baseline, each.candidate, family, place, place && levelAt(place), id, each.variant],
      ...[JSON.stringify(each.seeds), at],
    )
  for (const each of all) if (each.baseline === null) insert(each, null, null)
  for (const draft of draftsOf(database, all)) {
    const { families, alone, comparisons, members, places } = draft
    const [family = database.run('insert into comparison_family (opened_at) values (?)', at), ...merged] = families
    for (const other of merged) {
      database.run('update comparison set family = ? where family = ?', family, other)
      database.run('delete from comparison_family where id = ?', other)
    }
    for (const [i, { id }] of alone.entries()) {
      const place = members + i + 1
      const sql = 'update comparison set baseline = ?, family = ?, place = ?, level = ? where id = ?'
      database.run(sql, comparisons[0]?.baseline ?? null, family, place, levelAt(place), id)
    }
    for (const [i, each] of comparisons.entries()) insert(each, family, places[i] as number)
  }
}

/** See `RunStore`. */
export function standingOf(database: Database, design: StudyDesign): Standing[] {
  const all = comparisonsIn(design).filter(({ baseline }) => baseline !== null)
  if (all.length === 0) return []
  const entered = new Map(enteredOf(database, all).map((each) => [each.look, each]))
  const drafts = draftsOf(database, all)
  return all.map(({ variant, look, ...each }): Standing => {
    const known = entered.get(look)
    const before = closedBefore(database, each, known?.family)
    if (known) {
      const sql = 'select count(*) as entered, sum(level) as level from comparison where family = ? and design = ?'
      const { entered = 1, level = known.level } =
        database.get<{ entered: number; level: number }>(sql, known.family, known.design) ?? {}
      const { family, place, closedAt } = known
      return { variant, family, comparisons: sizeOf(database, [family]), entered, place, level, closedAt, before }
    }
    const draft = drafts.find(({ comparisons }) => comparisons.some((own) => own.look === look)) as Draft
    const { members, alone, comparisons, places } = draft
    const place = places[comparisons.findIndex((own) => own.look === look)] as number
    return {
      ...{ variant, family: null, comparisons: members + alone.length + comparisons.length },
      ...{ entered: comparisons.length, place, level: levelOf(places), closedAt: null, before },
    }
  })
}

/** All families of comparisons, the last one first. */
export function listFamilies(database: Database): ComparisonFamily[] {
  const found = database.all<Omit<ComparisonFamily, 'variants' | 'studies'> & Record<'variants' | 'studies', string>>(
    `select comparison_family.id, opened_at as openedAt, closed_at as closedAt, count(*) as comparisons,
       json_group_array(variant order by place) as variants, json_group_array(distinct design.study) as studies
     from comparison_family join comparison on family = comparison_family.id join design on design.id = design
     group by comparison_family.id order by comparison_family.id desc`,
  )
  return found.map(({ variants, studies, ...each }) => ({
    ...each,
    variants: namesIn(variants),
    studies: namesIn(studies),
  }))
}

const namesIn = (json: string) => [...new Set(JSON.parse(json) as string[])]

/** See `Host`. */
export function closeFamily(database: Database, id: number, at = Date.now()): void {
  database.write(() => {
    const found = database.get<{ closedAt: number | null }>(
      'select closed_at as closedAt from comparison_family where id = ?',
      id,
    )
    if (!found) throw new MixlabError('store', `family ${id}`, 'no such family of comparisons')
    if (found.closedAt === null) database.run('update comparison_family set closed_at = ? where id = ?', at, id)
  })
}

const enteredOf = (database: Database, all: readonly Compared[]) =>
  database.all<Entered>(ENTERED, JSON.stringify(all.map(({ look }) => look)))

function draftsOf(database: Database, all: readonly Compared[]): Draft[] {
  const known = new Set(enteredOf(database, all).map(({ look }) => look))
  const compared = all.filter(({ baseline }) => baseline !== null)
  return [...Map.groupBy(compared, ({ on }) => on)].flatMap(([on, same]) => {
    const comparisons = same.filter(({ look }) => !known.has(look))
    if (comparisons.length === 0) return []
    const networks = [...new Set(same.flatMap(({ baseline, candidate }) => [baseline as string, candidate]))]
    const families = familiesOf(database, networks, on).flatMap(({ id, closedAt }) => (closedAt === null ? [id] : []))
    const seeds = seedsBefore(database, families)
    for (const network of networks) seeds.set(network, new Set([...(seeds.get(network) ?? []), ...seedsIn(same)]))
    const sql = 'select id, candidate, seeds from comparison where data = ? and baseline is null order by id'
    // of a network that is compared seeds may have been chosen, but where all of them are compared
    const alone = database
      .all<Alone>(sql, on)
      .filter((each) => !(JSON.parse(each.seeds) as number[]).every((seed) => seeds.get(each.candidate)?.has(seed)))
    const members = sizeOf(database, families)
    const places = comparisons.map((_, i) => members + alone.length + i + 1)
    return [{ families, members, alone, comparisons, places }]
  })
}

const seedsIn = (all: readonly Compared[]) => all.flatMap(({ seeds }) => seeds)

/** By network the seeds with which it was compared in some families. */
function seedsBefore(database: Database, families: readonly number[]): Map<string, Set<number>> {
  const found = database.all<Record<'baseline' | 'candidate' | 'seeds', string>>(
    `select baseline, candidate, seeds from json_each(?) as wanted cross join comparison on family = wanted.value`,
    JSON.stringify(families),
  )
  const known = new Map<string, Set<number>>()
  for (const { baseline, candidate, seeds } of found) {
    for (const network of [baseline, candidate]) {
      known.set(network, new Set([...(known.get(network) ?? []), ...(JSON.parse(seeds) as number[])]))
    }
  }
  return known
}

function familiesOf(database: Database, networks: readonly string[], on: string) {
  const arms = [JSON.stringify(networks), on]
  return database.all<{ id: number; closedAt: number | null }>(FAMILIES, ...arms, ...arms)
}

const sizeOf = (database: Database, families: readonly number[]) =>
  database.get<{ members: number }>(SIZE, JSON.stringify(families))?.members ?? 0

/** The family of the networks of a comparison that was closed last before its own. */
function closedBefore(
  database: Database,
  { baseline, candidate, on }: Pick<Compared, 'baseline' | 'candidate' | 'on'>,
  own: number | undefined,
): Standing['before'] {
  const closed = familiesOf(database, [baseline as string, candidate], on)
    .flatMap(({ id, closedAt }) => (closedAt === null || id === own ? [] : [{ id, closedAt }]))
    .filter(({ id }) => own === undefined || id < own)
    .sort((a, b) => a.closedAt - b.closedAt)
  const last = closed.at(-1)
  return last ? { comparisons: sizeOf(database, [last.id]), closedAt: last.closedAt } : null
}
