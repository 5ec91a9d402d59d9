import golden from '../../../golden/statistics.json' with { type: 'json' }
import type { ValueOf } from './crossed.ts'

/** Reference values of numbers by seed, and the runs that they are of: two blocks at three depths, eight seeds. */
export const { slope, powerLaw, crossing, maximin, best, levels, values } = golden.questions

export const LEVELS = { block: ['gmlp', 'mixer'], depth: levels }

/** The value of a block at a depth. */
export const blockValue: ValueOf = ({ block, depth }, seed) =>
  values[block as keyof typeof values][seed]?.[levels.indexOf(Number(depth))] ?? Number.NaN
