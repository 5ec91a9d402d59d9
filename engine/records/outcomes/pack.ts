import { keyOf, permutation } from '../../random.ts'
import { between, magnitude, probability, share, whole } from './codes.ts'
import { type Columns, packColumns, unpackColumns } from './columns.ts'
import { LISTS, type Outcomes, outcomesAt, type RunOutcomes } from './outcomes.ts'

/** Most bytes that the outcomes of a run take, and most examples of them, over all its tests. */
export const MAX_BYTES = 30_000
const MAX_EXAMPLES = 10_000
/** What is tried next where that takes too much. */
const LESS = 0.9

type List = (typeof LISTS)[number]

/** Plain JSON of outcomes: all but the lists, and the bounds of numbers. */
type Head = Omit<Outcomes, List | 'index'> & {
  split: string
  lists: List[]
  bounds?: [low: number, high: number] | undefined
}

/**
 * The outcomes of a run as one object of at most 30 KB, the same for the same outcomes; null for none. Where they would
 * take more, an even choice of the examples is kept, the same for all runs of a test.
 */
export function packOutcomes(outcomes: RunOutcomes): Uint8Array | null {
  const splits = Object.entries(outcomes)
  if (splits.length === 0) return null
  for (let most = Math.floor(MAX_EXAMPLES / splits.length); ; most = Math.floor(most * LESS)) {
    const packed = packColumns(splits.map(([split, each]) => columnsOf(split, thinned(each, most))))
    if (packed.length <= MAX_BYTES) return packed
    if (most === 0) return null // what is said of no example, such as thousands of class names, takes more by itself
  }
}

/** The outcomes in bytes of `packOutcomes`. Throws MixlabError `store` for others; `name` says whose they are. */
export function unpackOutcomes(packed: Uint8Array, name: string): RunOutcomes {
  const tables = unpackColumns(packed, name)
  return Object.fromEntries(tables.map((table) => [(table.head as Head).split, outcomesOf(table)]))
}

/** At most `most` of the examples; fewer are among more, since the order is drawn once for a test of so many. */
function thinned(outcomes: Outcomes, most: number): Outcomes {
  const count = outcomes.index.length
  if (count <= most) return outcomes
  const rows = permutation(keyOf(0, 'outcomes that are kept'), count).slice(0, most).sort()
  return outcomesAt(outcomes, Array.from(rows))
}

function columnsOf(split: string, { index, ...outcomes }: Outcomes): Columns {
  const lists = LISTS.filter((name) => outcomes[name] && !followsFrom(name, outcomes))
  const head: Head = { split, ...without(outcomes), lists, bounds: boundsOf(outcomes) }
  const gaps = index.map((at, i) => at - (index[i - 1] ?? -1) - 1)
  const columns = lists.map((name) =>
    Uint16Array.from(outcomes[name] as number[], (value, row) => {
      const { encode } = codeOf(name, head)
      if (name === 'predicted') return value === outcomes.label?.[row] ? 0 : encode(value) // mostly
      return name === 'probability' && isRight(outcomes, row) ? 0 : encode(value) // is that of the truth
    }),
  )
  return { head, columns: [Uint16Array.from(gaps), ...columns] }
}

function outcomesOf({ head, columns: [gaps = new Uint16Array(), ...columns] }: Columns): Outcomes {
  const { split: _, lists, bounds: __, ...known } = head as Head
  let at = -1
  const index = Array.from(gaps, (gap) => {
    at += gap + 1
    return at
  })
  const found = lists.map((name, i) => {
    const { decode } = codeOf(name, head as Head)
    return [name, Array.from(columns[i] ?? [], decode)]
  })
  const outcomes: Outcomes = { loss: [], ...known, index, ...Object.fromEntries(found) }
  return outcomes.kind === 'classes' ? withWhatFollows(outcomes) : outcomes
}

/** Whether a list of classes is not kept, since others say it. */
const followsFrom = (name: List, { kind }: Pick<Outcomes, 'kind'>) =>
  kind === 'classes' && (name === 'loss' || name === 'right')

/** Loss and right ones of classes, and what is 0 for right ones. */
function withWhatFollows(outcomes: Outcomes): Outcomes {
  const { label = [], truth = [] } = outcomes
  const predicted = outcomes.predicted?.map((value, row) => (value === -1 ? (label[row] as number) : value))
  const right = label.map((value, row) => Number(predicted?.[row] === value))
  const of = outcomes.probability?.map((value, row) => (right[row] ? (truth[row] as number) : value))
  return { ...outcomes, predicted, right, loss: truth.map((value) => -Math.log(value)), probability: of }
}

const isRight = ({ kind, predicted, label }: Pick<Outcomes, 'kind' | 'predicted' | 'label'>, row: number) =>
  kind === 'classes' && predicted?.[row] === label?.[row]

function codeOf(name: List, { bounds: [low, high] = [0, 1] }: Pick<Head, 'bounds'>) {
  if (name === 'loss') return magnitude
  if (name === 'probability' || name === 'truth') return probability
  if (name === 'right' || name === 'f1') return share
  return name === 'prediction' || name === 'target' ? between(low, high) : whole
}

/** The least and the most of what was predicted and what should have been. */
function boundsOf({ prediction, target = [] }: Pick<Outcomes, 'prediction' | 'target'>): Head['bounds'] {
  if (!prediction) return undefined
  const finite = [...prediction, ...target].filter(Number.isFinite)
  return finite.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number(finite[0] ?? 0), Number(finite[0] ?? 0)],
  )
}

const without = (outcomes: Omit<Outcomes, 'index'>) =>
  Object.fromEntries(Object.entries(outcomes).filter(([name]) => !LISTS.some((list) => list === name))) as Omit<
    Outcomes,
    List | 'index'
  >
