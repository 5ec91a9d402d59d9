import { z } from 'zod'
import { type Augmentation, isAugmentation } from './definition.ts'

const probability = z.number().min(0).max(1)

/** Changes of training examples: of images, but for `own`. All are off by default. */
const augment = z
  .strictObject({
    /** Random crops of the image with so many black pixels around it. */
    crop: z.int().min(0).default(0),
    /** Probability of a horizontal flip. */
    flip: probability.default(0),
    /** The ImageNet policy of AutoAugment. */
    autoAugment: z.boolean().default(false),
    /** RandAugment with the names of timm: `rand-m9-mstd0.5-inc1` is `{ m: 9, mstd: 0.5, inc: true }`. */
    randAugment: z
      .strictObject({
        n: z.int().min(1).default(2),
        m: z.number().min(0).default(9),
        mstd: z.number().min(0).default(0),
        mmax: z.number().positive().default(10),
        inc: z.boolean().default(false),
      })
      .nullable()
      .default(null),
    /** Strength of colour jitter; as in timm only where neither AutoAugment nor RandAugment is on. */
    colorJitter: probability.default(0),
    /** Probability that a rectangle is erased. */
    erase: probability.default(0),
    /** How often an image comes in a row, each time augmented anew (Hoffer et al. 2020). */
    repeats: z.int().min(1).default(1),
    /** Augmentations of cells, made by `augmentation()`, for data of any sort. */
    own: z
      .array(z.custom<Augmentation>(isAugmentation, "an augmentation, made by augmentation('name', change)"))
      .optional(),
  })
  .refine(({ autoAugment, randAugment }) => !autoAugment || !randAugment, {
    path: ['autoAugment'],
    error: 'no randAugment beside it',
  })

const alpha = z.number().min(0).optional()

/** The options of a recipe that are about images. */
export const imageRecipe = {
  augment: augment.optional(),
  /** Share of a label that is spread over all classes. */
  labelSmoothing: z.number().min(0).lt(1).optional(),
  /** alpha of mixup, 0 for none. */
  mixup: alpha,
  /** alpha of cutmix, 0 for none. */
  cutmix: alpha,
  /** Probability that a batch is mixed. */
  mixupProb: probability.default(1),
  /** Probability of cutmix where both are on. */
  mixupSwitchProb: probability.default(0.5),
}

const schema = z.object(imageRecipe)

export type AugmentOptions = z.output<typeof augment>
export type ImageRecipe = z.output<typeof schema>

/** What a recipe says of images, as plain data for a thread; the rest of it may hold functions of cells. */
export function imageOptionsOf(recipe: ImageRecipe): ImageRecipe {
  const names = Object.keys(imageRecipe) as (keyof ImageRecipe)[]
  return Object.fromEntries(names.map((name) => [name, recipe[name]])) as ImageRecipe
}

/** Whether a recipe has augmentations of cells and no other change of training examples. */
export function isOnlyOwn({ own, ...others }: AugmentOptions): boolean {
  const off = Object.entries(augment.parse({})) as [keyof typeof others, unknown][]
  return own !== undefined && off.every(([name, value]) => others[name] === value)
}
