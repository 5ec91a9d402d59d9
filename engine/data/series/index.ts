import { datasetTable } from '../table.ts'
import type { SeriesDataset } from '../types.ts'
import { seriesForm } from './form.ts'
import * as sets from './sets.ts'

export * from './sets.ts'

/** The data sets of series by name. */
export const seriesData = datasetTable<SeriesDataset>(
  Object.values(sets).map(({ kind }) => kind),
  seriesForm,
)
