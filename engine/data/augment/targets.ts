import { type Augmentation, define } from './definition.ts'
import type { ImageRecipe } from './options.ts'

/**
 * Labels as distributions, `[count, classes]`: smoothed to 1 - eps + eps / classes for the label and eps / classes for
 * the others, then weight * own + (1 - weight) * that of the partner in the reversed batch. Rows add up to 1.
 */
export function softTargets(labels: ArrayLike<number>, classes: number, smoothing: number, weight = 1): Float32Array {
  const count = labels.length
  const targets = new Float32Array(count * classes).fill(smoothing / classes)
  for (let i = 0; i < count; i++) {
    const [own, partner] = [labels[i] as number, labels[count - 1 - i] as number]
    for (const [label, share] of [
      [own, weight],
      [partner, 1 - weight],
    ] as const) {
      const at = i * classes + label
      targets[at] = (targets[at] as number) + share * (1 - smoothing)
    }
  }
  return targets
}

/** `labelSmoothing`, where no images are mixed, which smooths their labels, too. */
export function smoothed({ labelSmoothing = 0, mixup, cutmix }: ImageRecipe): Augmentation | null {
  if (!labelSmoothing || mixup || cutmix) return null
  return define('labelSmoothing', {
    part: 'label',
    batch: ({ values, classes }) => ({ label: softTargets(values, classes, labelSmoothing) }),
  })
}
