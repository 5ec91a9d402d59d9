import { autoAugmented } from './autoAugment.ts'
import { jittered } from './colorJitter.ts'
import { cropped } from './crop.ts'
import type { Augmentation } from './definition.ts'
import { erased } from './erase.ts'
import { flipped } from './flip.ts'
import { mixed } from './mix.ts'
import type { AugmentOptions, ImageRecipe } from './options.ts'
import { randAugmented } from './randAugment.ts'
import { smoothed } from './targets.ts'

/** What an option of a recipe makes of it: an augmentation, or nothing where it is off. */
type BuiltIn = (recipe: ImageRecipe) => Augmentation | null

// The built-in augmentations, by the options that turn them on, in the order of timm in which they are done. A new one is
// one file and one line here.
const table: [options: (keyof AugmentOptions | keyof ImageRecipe)[], made: BuiltIn][] = [
  [['crop'], cropped],
  [['flip'], flipped],
  [['autoAugment'], autoAugmented],
  [['randAugment'], randAugmented],
  [['colorJitter'], jittered],
  [['erase'], erased],
  [['mixup', 'cutmix'], mixed],
  [['labelSmoothing'], smoothed],
]

export const builtInNames: string[] = table.flatMap(([options]) => options)

/** The built-in augmentations that a recipe turns on. */
export function builtInOf(recipe: ImageRecipe): Augmentation[] {
  return table.map(([, made]) => made(recipe)).filter((each) => each !== null)
}

/** An augmentation of a recipe with the path of its draws. */
export interface PlacedAugmentation {
  augmentation: Augmentation
  /** Behind that of the step and the example. */
  path: string
  /** Whether a cell defines it, so that what it gives has to be checked. */
  own: boolean
}

/** All augmentations of a recipe in their order: those of single examples, then those of batches; built-in ones first. */
export function augmentationsOf(recipe: ImageRecipe): PlacedAugmentation[] {
  const builtIn = builtInOf(recipe).map((augmentation) => ({ augmentation, path: '', own: false }))
  const cells = ownOf(recipe).map((augmentation, i) => ({ augmentation, path: `/own/${i}`, own: true }))
  const all = [...builtIn, ...cells]
  const single = all.filter(({ augmentation }) => augmentation.change)
  return [...single, ...all.filter((each) => !single.includes(each))]
}

/** The augmentations of a recipe that cells define. */
export function ownOf({ augment }: ImageRecipe): readonly Augmentation[] {
  return augment?.own ?? []
}
