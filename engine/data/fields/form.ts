import type { Form } from '../form.ts'
import type { FieldDataset } from '../types.ts'

/** Examples as they are. */
export const fieldForm: Form<FieldDataset> = { examples: (data) => data, data: (examples) => examples }
