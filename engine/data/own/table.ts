import type { Form } from '../form.ts'
import { datasetTable } from '../table.ts'
import type { FieldDataset } from '../types.ts'

/** Examples as a cell has them. */
export const ownForm: Form<FieldDataset> = { examples: (data) => data, data: (examples) => examples }

/** Data sets of cells with whatever parts they have, and transforms of them. */
export const ownData = datasetTable<FieldDataset>([], ownForm)
