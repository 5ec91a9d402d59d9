import { datasetTable } from '../table.ts'
import type { FieldDataset } from '../types.ts'
import { fieldForm } from './form.ts'
import * as sets from './sets.ts'

export * from './sets.ts'

/** The data sets of named parts by name, and those of cells with whatever parts they have. */
export const fieldData = datasetTable<FieldDataset>(
  Object.values(sets).map(({ kind }) => kind),
  fieldForm,
)
