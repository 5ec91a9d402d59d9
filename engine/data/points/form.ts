import { MixlabError } from '../../errors.ts'
import { classesOf, converted, type Form, fieldsOf, floats, whole } from '../form.ts'
import type { PointDataset } from '../types.ts'

/** Point clouds with a class each: `points` `[points, 3]`, and `label`. */
export const pointForm: Form<PointDataset> = {
  examples: (data) => ({
    ...converted(data, ({ points, labels }) => ({ points, label: labels })),
    fields: {
      points: { dtype: 'float32', shape: [data.points, 3] },
      label: { dtype: 'int32', shape: [], classes: data.classes },
    },
  }),
  data: (examples) => {
    const [points = 0, axes] = fieldsOf(examples, { points: { rank: 2 }, label: { rank: 0 } }).points
    if (axes !== 3) {
      const what = `points is [${points}, ${axes}], expected [points, 3]`
      throw new MixlabError('option', `data set '${examples.name}'`, what)
    }
    const batches = converted(examples, (batch) => ({ points: floats(batch, 'points'), labels: whole(batch, 'label') }))
    return { ...batches, points, classes: classesOf(examples) }
  },
}
