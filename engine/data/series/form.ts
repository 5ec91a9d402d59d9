import { converted, type Form, fieldsOf, floats } from '../form.ts'
import type { SeriesDataset } from '../types.ts'

/** Series to be forecast: `series` `[steps, channels]`. */
export const seriesForm: Form<SeriesDataset> = {
  examples: (data) => ({
    ...converted(data, ({ series }) => ({ series })),
    fields: { series: { dtype: 'float32', shape: [data.steps, data.channels] } },
  }),
  data: (examples) => {
    const [steps = 0, channels = 0] = fieldsOf(examples, { series: { rank: 2 } }).series
    return { ...converted(examples, (batch) => ({ series: floats(batch, 'series') })), steps, channels }
  },
}
