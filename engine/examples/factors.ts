import type { Planted } from '../data/types.ts'
import type { Outcomes } from '../records/outcomes/outcomes.ts'

/** What is known of examples by which they may be told apart: a value for each. */
export interface Factor {
  name: string
  values: readonly (number | string)[]
}

/** What is known of the examples of a test, in the order that they were asked for. */
export interface Known {
  /** What the generator planted; null where it does not tell. */
  planted: Planted[] | null
  /** What examples that depend on each other have in common; null where all are independent. */
  groups: number[] | null
}

/** The most classes that are a factor. */
const MAX_CLASSES = 100

/** The factors of examples: what was planted in them, and their class, where there are some of a bounded number. */
export function factorsOf({ planted }: Known, { label, classes = [] }: Pick<Outcomes, 'label' | 'classes'>): Factor[] {
  const names = Object.keys(planted?.[0] ?? {})
  const own = names.map((name) => ({ name, values: (planted ?? []).map((each) => each[name] as number | string) }))
  if (!label || classes.length > MAX_CLASSES) return own
  return [...own, { name: 'class', values: label.map((value) => classes[value] ?? String(value)) }]
}
