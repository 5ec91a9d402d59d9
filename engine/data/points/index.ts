import { datasetTable } from '../table.ts'
import type { PointDataset } from '../types.ts'
import { pointForm } from './form.ts'
import * as sets from './sets.ts'

export * from './sets.ts'

/** The data sets of point clouds by name. */
export const pointData = datasetTable<PointDataset>(
  Object.values(sets).map(({ kind }) => kind),
  pointForm,
)
