import type { ImageBatch } from '../types.ts'
import { autoAugment } from './autoAugment.ts'
import { colorJitter } from './colorJitter.ts'
import { randomCrop } from './crop.ts'
import { drawsOf } from './draws.ts'
import { randomErase } from './erase.ts'
import { randomFlip } from './flip.ts'
import { mix } from './mix.ts'
import type { AugmentOptions, ImageRecipe } from './options.ts'
import type { Picture } from './picture.ts'
import { randAugment } from './randAugment.ts'
import { softTargets } from './targets.ts'

/** A training batch before augmentation. Plain data, so that another thread can do the work. */
export interface AugmentJob {
  batch: ImageBatch
  /** height, width, channels. */
  shape: [number, number, number]
  classes: number
  recipe: ImageRecipe
  /** All draws depend on seed, step and the place in the batch alone. */
  seed: number
  step: number
}

export interface Augmented extends ImageBatch {
  /** `[count, classes]`, rows that add up to 1; null where the labels are all there is to say. */
  targets: Float32Array | null
}

/** Whether a recipe changes training images. */
export function changesPixels({ augment, mixup, cutmix }: ImageRecipe): boolean {
  const { crop, flip, autoAugment, randAugment, colorJitter, erase } = augment ?? {}
  return Boolean(mixup || cutmix || crop || flip || autoAugment || randAugment || colorJitter || erase)
}

/** Whether a recipe changes training images or what is to be said of them. */
export function augments(recipe: ImageRecipe): boolean {
  return changesPixels(recipe) || Boolean(recipe.labelSmoothing)
}

/** Augments the images one by one, in the order of timm, then mixes the batch and makes its targets. */
export function augment({ batch, shape, classes, recipe, seed, step }: AugmentJob): Augmented {
  const { labels } = batch
  const [height, width, channels] = shape
  const sizes = { height, width, channels }
  const { augment: options, labelSmoothing = 0, mixup = 0, cutmix = 0 } = recipe
  const single = options ? augmentEach(batch.pixels, sizes, options, `${step}`, seed) : batch.pixels
  const { pixels, weight } = mix(single, sizes, recipe, drawsOf(seed, `augment/${step}/mix`))
  const soft = labelSmoothing + mixup + cutmix > 0
  return { pixels, labels, targets: soft ? softTargets(labels, classes, labelSmoothing, weight) : null }
}

function augmentEach(
  batch: Float32Array,
  sizes: Omit<Picture, 'pixels'>,
  options: AugmentOptions,
  step: string,
  seed: number,
): Float32Array {
  const length = sizes.height * sizes.width * sizes.channels
  const augmented = new Float32Array(batch.length)
  for (let i = 0; i * length < batch.length; i++) {
    const pixels = batch.subarray(i * length, (i + 1) * length)
    augmented.set(augmentOne({ ...sizes, pixels }, options, seed, `augment/${step}/${i}`), i * length)
  }
  return augmented
}

/** Each change draws from a stream of its own, so that recipes share the draws of what they have in common. */
function augmentOne(image: Picture, options: AugmentOptions, seed: number, path: string): Float32Array {
  const { crop, flip, autoAugment: auto, randAugment: rand, colorJitter: jitter, erase } = options
  const draws = (name: string) => drawsOf(seed, `${path}/${name}`)
  let x = image
  if (crop > 0) x = randomCrop(x, crop, draws('crop'))
  if (flip > 0) x = randomFlip(x, flip, draws('flip'))
  if (auto) x = autoAugment(x, draws('policy'))
  else if (rand) x = randAugment(x, rand, draws('policy'))
  else if (jitter > 0) x = colorJitter(x, jitter, draws('jitter'))
  if (erase > 0) x = randomErase(x, erase, draws('erase'))
  return x.pixels
}
