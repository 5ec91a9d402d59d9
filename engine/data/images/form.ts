import { classesOf, converted, type Form, fieldsOf, floats, whole } from '../form.ts'
import type { ImageDataset } from '../types.ts'

/** Images with a class each: `image` `[height, width, channels]` of 0..1, and `label`. */
export const imageForm: Form<ImageDataset> = {
  examples: (data) => ({
    ...converted(data, ({ pixels, labels }) => ({ image: pixels, label: labels })),
    fields: {
      image: { dtype: 'float32', shape: data.shape },
      label: { dtype: 'int32', shape: [], classes: data.classes },
    },
  }),
  data: (examples) => ({
    ...converted(examples, (batch) => ({ pixels: floats(batch, 'image'), labels: whole(batch, 'label') })),
    shape: fieldsOf(examples, { image: { rank: 3 }, label: { rank: 0 } }).image as unknown as ImageDataset['shape'],
    classes: classesOf(examples),
  }),
}
