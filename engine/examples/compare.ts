import { MixlabError } from '../errors.ts'
import { type Outcomes, outcomesAt } from '../records/outcomes/outcomes.ts'
import { mcnemar } from '../study/statistics/distributions.ts'

/** Two runs on the same examples. */
export interface Comparison {
  /** What both are known to have come to: number i of every list is of the same example. */
  outcomes: [first: Outcomes, second: Outcomes]
  /** What the first is better by on each example: right ones or shares, or loss where nothing is right or wrong. */
  leads: number[]
  /** Rows of the lists on which the first, and the second, is better; those of the largest lead first. */
  better: [first: number[], second: number[]]
  /** Examples on which neither is, and of those how many are right. */
  equal: number
  bothRight: number
  /** Two-sided p-value of McNemar's exact test. */
  p: number
}

/** Whether one of them is better on any example. */
export const differs = ({ better: [first, second] }: Comparison) => first.length + second.length > 0

/** Where two runs disagree on a test. Throws MixlabError `option` where they were tested on other examples; `names` are theirs. */
export function compareOutcomes(first: Outcomes, second: Outcomes, names: readonly [string, string]): Comparison {
  const fail = (what: string) => new MixlabError('option', names.join(' and '), what)
  if (first.kind !== second.kind) throw fail('are of tasks of different kinds, which no example is compared by')
  if (first.tested !== second.tested) {
    throw fail(`were tested on ${first.tested} and ${second.tested} examples, expected the same ones`)
  }
  const rowIn = new Map(second.index.map((index, row) => [index, row]))
  const common = first.index.flatMap((index, row) => (rowIn.has(index) ? [row] : []))
  const a = outcomesAt(first, common)
  const b = outcomesAt(
    second,
    a.index.map((index) => rowIn.get(index) as number),
  )
  const isSame = (name: 'label' | 'target') => a[name]?.every((value, row) => isClose(value, b[name]?.[row])) ?? true
  if (a.classes?.join('\n') !== b.classes?.join('\n') || !isSame('label') || !isSame('target')) {
    throw fail('were tested on other examples: the classes of these differ')
  }
  const leads = a.index.map((_, row) => leadOf(a, b, row))
  const better = (sign: number) =>
    leads
      .flatMap((lead, row) => (lead * sign > 0 ? [row] : []))
      .sort((x, y) => sign * ((leads[y] as number) - (leads[x] as number)) || x - y)
  const [own, other] = [better(1), better(-1)]
  return {
    outcomes: [a, b],
    leads,
    better: [own, other],
    equal: a.index.length - own.length - other.length,
    bothRight: leads.filter((lead, row) => lead === 0 && a.right?.[row] === 1).length,
    p: mcnemar(own.length, other.length),
  }
}

/** Targets are quantised within bounds that depend on what else a run has said. */
const isClose = (a: number, b: number | undefined) =>
  b !== undefined && Math.abs(a - b) <= 0.01 * Math.max(1, Math.abs(a))

function leadOf(a: Outcomes, b: Outcomes, row: number): number {
  const lead =
    a.right && b.right
      ? (a.right[row] as number) - (b.right[row] as number)
      : (b.loss[row] as number) - (a.loss[row] as number)
  return Number.isNaN(lead) ? 0 : lead
}
