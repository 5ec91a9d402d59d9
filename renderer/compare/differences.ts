import type { ComparedGroup } from './groups.ts'

type Facts = Record<string, string | number | undefined>

/** One fact of several things beside each other. */
export interface FactRow {
  name: string
  /** One per thing; null where it has no such fact. */
  values: (string | null)[]
  /** Whether not all are the same. */
  differs: boolean
}

/** The facts of several things, one row a fact, in the order in which each first comes. */
export function factRows(things: readonly Facts[]): FactRow[] {
  const names = [...new Set(things.flatMap((facts) => Object.keys(facts)))]
  return names.map((name) => {
    const values = things.map((facts) => (facts[name] === undefined ? null : String(facts[name])))
    return { name, values, differs: values.some((value) => value !== values[0]) }
  })
}

/** What the runs of a group were trained with; where not all with the same, all of it. */
export function environmentOf({ runs }: Pick<ComparedGroup, 'runs'>): Record<string, string> {
  const rows = factRows(runs.map(({ backend, device, environment }) => ({ backend, device, ...environment })))
  return Object.fromEntries(
    rows.map(({ name, values }) => [name, [...new Set(values.map((value) => value ?? 'not known'))].join(', ')]),
  )
}

/** Where the runs of a group come from. */
export function groupOrigin({ runs }: Pick<ComparedGroup, 'runs'>): Record<string, string> {
  const rows = factRows(
    runs.map(({ origin }) => ({ notebook: origin?.notebook ?? 'not known', cell: origin?.cell ?? 'not known' })),
  )
  return Object.fromEntries(rows.map(({ name, values }) => [name, [...new Set(values)].join(', ')]))
}
