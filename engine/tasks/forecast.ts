import { z } from 'zod'
import { digest } from '../data/digest.ts'
import { mapped, mapSplits } from '../data/form.ts'
import { seriesData } from '../data/series/index.ts'
import { type Scale, scaled, scaleOf } from '../data/series/scale.ts'
import { windowsOf } from '../data/series/windows.ts'
import type { DataSpec, FieldDataset, SeriesDataset } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { meanAbsolute, meanSquared, skill } from '../evaluate/index.ts'
import { numberOutcomes } from '../evaluate/outcomes/numberOutcomes.ts'
import { meanSquaredError } from '../nn/losses.ts'
import { modelWith, placesHead } from '../nn/outputs.ts'
import { copyOf, parseOptions } from '../options.ts'
import type { MetricMeaning } from '../records/meaning.ts'
import { fieldExamples } from './examples.ts'
import { supervised } from './supervised.ts'
import type { TaskKind, TaskSpec } from './types.ts'

/** Raised whenever the same options give other batches. */
const VERSION = 1

const length = z.int().min(1).max(4096)
const schema = z.strictObject({
  data: z.unknown(), // checked by the table
  window: length.default(96),
  horizon: length.default(24),
})

export interface ForecastOptions {
  data: string | DataSpec
  /** Steps that the model reads; 96 by default. */
  window?: number
  /** Steps after them that it forecasts; 24 by default. */
  horizon?: number
}

/**
 * Forecasting: of every `window` steps of a series the `horizon` steps that come after, all channels at once. Each channel is
 * less the mean of the training series, divided by their deviation. Mean squared error, which is also `test/mse`;
 * `test/mae`, and `test/skill` over the last value.
 */
export function forecast(options: ForecastOptions): TaskSpec {
  return { kind: 'task', task: 'forecast', options: copyOf({ ...options }) }
}

const MSE: MetricMeaning = { better: 'lower', bounds: [0, null], words: 'mean squared error' }

/** From `[batch, window, dim]` a matrix over steps makes those of the horizon, then one over channels the values. */
const model: TaskKind['model'] = ({ input = [], horizon = 1 }) => {
  const channels = input.at(-1) ?? 1
  return modelWith({ input, outputs: [horizon, channels], head: placesHead(horizon, channels) }, "task 'forecast'")
}

export const forecastKind: TaskKind = {
  model,
  resolve: (given) => {
    const options = parseOptions(schema, given, 'task')
    return { ...options, data: seriesData.resolve(options.data as DataSpec | string) }
  },
  open: async (given, files) => {
    const { data, window, horizon } = given as { data: DataSpec; window: number; horizon: number }
    const series = await seriesData.open(data, files)
    const { channels, steps } = series
    if (steps < window + horizon) {
      const what = `${window}, and ${horizon} to forecast, but the series of '${series.name}' have ${steps} steps`
      throw new MixlabError('option', 'task.window', what)
    }
    const scale = await scaleOf(series)
    const input = [window, channels]
    const hash = digest(JSON.stringify(['forecast', VERSION, series.hash, window, horizon]))
    const task = supervised(fieldExamples({ ...windowed(series, window, horizon, scale), hash }), {
      from: 'before',
      to: 'after',
      metric: 'test/mse',
      input: { shape: [1, ...input] },
      model: model({ input, horizon }),
      loss: (prediction, { target }) => meanSquaredError(prediction, target as typeof prediction),
      evaluators: () => [meanSquared(), meanAbsolute(), skill({ window, horizon, channels })],
      outcomes: () => numberOutcomes(horizon * channels),
    })
    return { ...task, lossMeaning: MSE, preparation: { kind: 'series', window, horizon, channels, ...scale } }
  },
}

/** All windows of a data set, scaled, and what comes after them. */
function windowed(series: SeriesDataset, window: number, horizon: number, scale: Scale): FieldDataset {
  const parts = mapSplits(series, (split) =>
    mapped(windowsOf(split, series, { window, horizon }), ({ before, after }) => ({
      before: scaled(before, scale),
      after: scaled(after, scale),
    })),
  )
  const { name, hash, channels, warnings, unreadable } = series
  return {
    ...{ name, hash, ...parts, ...(warnings && { warnings }), ...(unreadable !== undefined && { unreadable }) },
    fields: {
      before: { dtype: 'float32', shape: [window, channels] },
      after: { dtype: 'float32', shape: [horizon, channels] },
    },
  }
}
