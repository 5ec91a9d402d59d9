import { z } from 'zod'
import { digest } from '../data/digest.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { r2 } from '../evaluate/index.ts'
import { meanSquaredError } from '../nn/losses.ts'
import { copyOf, parseOptions } from '../options.ts'
import { keyed } from '../records/keyed.ts'
import { onData } from './onData.ts'
import { resolveData } from './sources.ts'
import type { TaskKind, TaskSpec } from './types.ts'

const schema = z.strictObject({
  data: z.unknown(), // checked by the sources
  target: z.string().optional(),
})

export interface RegressionOptions {
  /** A data set of named parts, such as `discs()`. */
  data: string | DataSpec
  /** The part that is asked for, of numbers; the last one by default. */
  target?: string
}

/** Regression: as many numbers as the target has; mean squared error, and the coefficient of determination (`test/r2`). */
export function regression(options: RegressionOptions): TaskSpec {
  return { kind: 'task', task: 'regression', options: copyOf({ ...options }) }
}

const asked = (target: unknown) => ({ target: target as string | undefined, loss: meanSquaredError, metrics: [r2] })

const withoutData = ({ data: _, ...options }: Record<string, unknown>) => options

export const regressionKind: TaskKind = {
  resolve: (given) => {
    const { data, ...options } = parseOptions(schema, given, 'task')
    return { data: resolveData(data as DataSpec), ...options }
  },
  open: async ({ data, ...options }, files) => {
    const opened = await onData(asked(options.target), 'regression').open({ data }, files)
    const own = keyed(options, [], (given) => withoutData(regressionKind.resolve({ data, ...given })))
    if (opened.classes) throw new MixlabError('option', "task 'regression'", 'the target has classes, expected numbers')
    const evaluators = () => [{ name: r2.name, meaning: r2.meaning, ...r2.collect() }]
    return {
      ...opened,
      evaluators,
      metrics: [],
      hash: digest(JSON.stringify([opened.hash, own])),
    }
  },
  model: onData(asked(undefined), 'regression').model,
}
