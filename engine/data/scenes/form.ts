import { MixlabError } from '../../errors.ts'
import { classesOf, converted, type Form, fieldsOf, floats, whole } from '../form.ts'
import type { SceneDataset } from '../types.ts'

/** Images with a class for each pixel: `image` `[height, width, channels]` of 0..1, and `target` `[height, width]`. */
export const sceneForm: Form<SceneDataset> = {
  examples: (data) => ({
    ...converted(data, ({ pixels, maps }) => ({ image: pixels, target: maps })),
    fields: {
      image: { dtype: 'float32', shape: data.shape },
      target: { dtype: 'int32', shape: data.shape.slice(0, 2), classes: data.classes },
    },
  }),
  data: (examples) => {
    const { image, target } = fieldsOf(examples, { image: { rank: 3 }, target: { rank: 2 } })
    if (image.slice(0, 2).join() !== target.join()) {
      const what = `target is [${target.join(', ')}], expected [${image.slice(0, 2).join(', ')}], a class for each pixel`
      throw new MixlabError('option', `data set '${examples.name}'`, what)
    }
    return {
      ...converted(examples, (batch) => ({ pixels: floats(batch, 'image'), maps: whole(batch, 'target') })),
      shape: image as unknown as SceneDataset['shape'],
      classes: classesOf(examples, 'target'),
    }
  },
}
