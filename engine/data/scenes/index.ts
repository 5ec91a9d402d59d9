import { datasetTable } from '../table.ts'
import type { SceneDataset } from '../types.ts'
import { sceneForm } from './form.ts'
import * as sets from './sets.ts'

export * from './sets.ts'

/** The data sets of scenes by name. */
export const sceneData = datasetTable<SceneDataset>(
  Object.values(sets).map(({ kind }) => kind),
  sceneForm,
)
