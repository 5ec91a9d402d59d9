import type { ImageBatch } from '../types.ts'
import { applyAugmentations } from './apply.ts'
import { augmentationsOf } from './index.ts'
import type { ImageRecipe } from './options.ts'

/** A training batch before augmentation. Plain data where no cell changes it, so that another thread can do the work. */
export interface AugmentJob {
  batch: ImageBatch
  /** height, width, channels. */
  shape: [number, number, number]
  classes: number
  recipe: ImageRecipe
  /** All draws depend on seed, step and the place in the batch alone. */
  seed: number
  step: number
  /** Whether what cells define is made twice and has to be the same. */
  twice?: boolean | undefined
}

export interface Augmented extends ImageBatch {
  /** `[count, classes]`, rows that add up to 1; null where the labels are all there is to say. */
  targets: Float32Array | null
}

/** Whether a recipe changes training images. */
export function changesPixels(recipe: ImageRecipe): boolean {
  return augmentationsOf(recipe).some(({ augmentation }) => augmentation.part !== 'label')
}

/** Whether a recipe changes training images or what is to be said of them. */
export function augments(recipe: ImageRecipe): boolean {
  return augmentationsOf(recipe).length > 0
}

/** Makes all changes of a recipe: of the images one by one, in the order of timm, then of the batch and its labels. */
export function augment({ batch, shape, classes, recipe, seed, step, twice }: AugmentJob): Augmented {
  const { pixels, labels } = batch
  const names = Array.from({ length: classes }, (_, i) => String(i))
  const fields = {
    image: { dtype: 'float32', shape },
    label: { dtype: 'int32', shape: [], classes: names },
  } as const
  const given = { fields, values: { image: pixels, label: labels } }
  const { image, label } = applyAugmentations(given, augmentationsOf(recipe), { seed, step, twice }).values
  const soft = label instanceof Float32Array
  return { pixels: image as Float32Array, labels: soft ? labels : (label as Int32Array), targets: soft ? label : null }
}
