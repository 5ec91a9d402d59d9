import { describe, expect, it } from 'vitest'
import { type AugmentJob, augment, augments, changesPixels } from '../../../../engine/data/augment/augment.ts'
import type { ImageRecipe } from '../../../../engine/data/augment/options.ts'
import { deit } from '../../../../engine/train/presets/index.ts'
import { type RecipeOptions, resolveRecipe } from '../../../../engine/train/recipe.ts'
import { picture } from './pictures.ts'

const shape: [number, number, number] = [8, 8, 3]
const count = 12
const batch = () => ({
  pixels: picture([8 * count, 8, 3]).pixels,
  labels: Int32Array.from({ length: count }, (_, i) => i % 5),
})
const job = (recipe: ImageRecipe, step = 0, seed = 1): AugmentJob => ({
  batch: batch(),
  shape,
  classes: 5,
  recipe,
  seed,
  step,
})
const everything = resolveRecipe(deit())
const plain = resolveRecipe({})

describe('augment', () => {
  it('keeps pixels in 0..1 and makes targets that add up to 1, step after step', () => {
    for (let step = 0; step < 20; step++) {
      const { pixels, targets } = augment(job(everything, step))
      expect(pixels.every((value) => value >= 0 && value <= 1)).toBe(true)
      expect(targets).toHaveLength(count * 5)
      for (let i = 0; i < count; i++) {
        expect(targets?.subarray(i * 5, i * 5 + 5).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5)
      }
    }
  })
  it('depends on seed and step alone', () => {
    expect(augment(job(everything, 4))).toEqual(augment(job(everything, 4)))
    expect(augment(job(everything, 4)).pixels).not.toEqual(augment(job(everything, 5)).pixels)
    expect(augment(job(everything, 4)).pixels).not.toEqual(augment(job(everything, 4, 2)).pixels)
  })
  it('shares the draws of what two recipes have in common', () => {
    const flip = resolveRecipe({ augment: { flip: 0.5 } })
    const erase = resolveRecipe({ augment: { flip: 0.5, erase: 1 } })
    const [a, b] = [augment(job(flip)).pixels, augment(job(erase)).pixels]
    const same = a.filter((value, at) => value === b[at]).length
    expect(same).toBeGreaterThan(a.length * 0.6)
    expect(same).toBeLessThan(a.length)
  })
  it('leaves alone what nothing is asked of', () => {
    expect(augments(plain)).toBe(false)
    expect(augment(job(plain))).toEqual({ ...batch(), targets: null })
  })
  it('is told whether it changes pixels, or labels alone', () => {
    const recipes: [RecipeOptions, pixels: boolean, anything: boolean][] = [
      [{}, false, false],
      [{ augment: {} }, false, false],
      [{ augment: { repeats: 3 } }, false, false],
      [{ mixup: 0, cutmix: 0, labelSmoothing: 0 }, false, false],
      [{ labelSmoothing: 0.1 }, false, true],
      [{ mixup: 0.8 }, true, true],
      [{ cutmix: 1 }, true, true],
      [{ augment: { crop: 4 } }, true, true],
      [{ augment: { flip: 0.5 } }, true, true],
      [{ augment: { autoAugment: true } }, true, true],
      [{ augment: { randAugment: {} } }, true, true],
      [{ augment: { colorJitter: 0.4 } }, true, true],
      [{ augment: { erase: 0.25 } }, true, true],
    ]
    for (const [options, pixels, anything] of recipes) {
      const recipe = resolveRecipe(options)
      expect([changesPixels(recipe), augments(recipe)], JSON.stringify(options)).toEqual([pixels, anything])
    }
  })
  it.each([
    ['mixup', { mixup: 0.8 }],
    ['cutmix', { cutmix: 1 }],
    ['either', { mixup: 0.8, cutmix: 1, mixupProb: 0.7 }],
  ])('says by the targets of %s how much of each class an image shows', (_, options) => {
    // an image of class c has the value c / 4 everywhere, so that the mean of a mixed one is that of its targets
    const labels = batch().labels
    const pixels = Float32Array.from({ length: count * 192 }, (_, at) => (labels[Math.floor(at / 192)] ?? 0) / 4)
    for (let step = 0; step < 30; step++) {
      const done = augment({ ...job(resolveRecipe(options), step), batch: { pixels: pixels.slice(), labels } })
      for (let i = 0; i < count; i++) {
        const shown = done.pixels.subarray(i * 192, (i + 1) * 192).reduce((sum, value) => sum + value / 192, 0)
        const said = done.targets?.subarray(i * 5, (i + 1) * 5).reduce((sum, share, c) => sum + (share * c) / 4, 0)
        expect(said).toBeCloseTo(shown, 4)
      }
    }
  })
  it('smooths labels without touching pixels', () => {
    const { pixels, targets } = augment(job(resolveRecipe({ labelSmoothing: 0.1 })))
    expect(pixels).toEqual(batch().pixels)
    expect(targets?.[0]).toBeCloseTo(0.92, 6)
    expect(targets?.[1]).toBeCloseTo(0.02, 6)
  })
  it('jitters colours only where there is no policy', () => {
    const changed = (options: object) => augment(job(resolveRecipe({ augment: options }))).pixels
    expect(changed({ colorJitter: 0.4 })).not.toEqual(batch().pixels)
    expect(changed({ autoAugment: true, colorJitter: 0.4 })).toEqual(changed({ autoAugment: true }))
  })
})
