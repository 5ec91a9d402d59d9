import { describe, expect, it } from 'vitest'
import { gmlp as gmlpBlock } from '../../../engine/models/index.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { adamw, lamb, sgd } from '../../../engine/train/optimizers/index.ts'
import { deit, gmlp, mixer, mlm, resmlp } from '../../../engine/train/presets/index.ts'
import type { PresetOptions } from '../../../engine/train/presets/preset.ts'
import { type RecipeOptions, resolveRecipe } from '../../../engine/train/recipe.ts'

const recipes = { deit, gmlp, mixer, resmlp, mlm }

type Name = keyof typeof recipes
/** An option, its published value, another value to set it to, and where the published one is from. */
type Row = [option: string, published: unknown, other: unknown, source: string]

const PAPER = {
  deit: 'Touvron et al. 2021 (DeiT), table 9',
  gmlp: 'Liu et al. 2021 (gMLP), appendix A, table 7',
  mixer: 'Tolstikhin et al. 2021 (Mixer), section 3',
  resmlp: 'Touvron et al. 2021 (ResMLP), section 3',
  mlm: 'Liu et al. 2021 (gMLP), appendix A, table 8',
}
const CODE = {
  deit: 'facebookresearch/deit, main.py',
  small: 'facebookresearch/deit, datasets.py: the crop for images of at most 32 pixels',
  mixer: 'google-research/big_vision, configs/mlp_mixer_i1k.py',
  resmlp: 'facebookresearch/deit, issue 106',
  timm: 'timm, its default',
}
const OURS = 'not published'

/** Every value that a preset sets. Epochs are of the 1,281,167 images of ImageNet. */
const published: Record<Name, Row[]> = {
  deit: [
    ['steps', 375_300, 1000, `${PAPER.deit}: 300 epochs of 1251 steps`],
    ['batch', 1024, 32, PAPER.deit],
    ['optimizer', 'adamw', 'sgd', PAPER.deit],
    ['learningRate', 1e-3, 2e-3, `${PAPER.deit}: 0.0005 x batch / 512`],
    ['weightDecay', 0.05, 0.1, PAPER.deit],
    ['beta1', 0.9, 0.8, CODE.deit],
    ['beta2', 0.999, 0.98, CODE.deit],
    ['eps', 1e-8, 1e-6, CODE.deit],
    ['schedule', 'cosine', 'linear', PAPER.deit],
    ['warmup', 6255, 7, `${PAPER.deit}: 5 epochs`],
    ['warmupStart', 1e-3, 0.5, `${CODE.deit}: from 1e-6`],
    ['floor', 0.01, 0.5, `${CODE.deit}: to 1e-5`],
    ['clip', undefined, 1, `${PAPER.deit}: none`],
    ['ema', 0.99996, 0.9, CODE.deit],
    ['labelSmoothing', 0.1, 0.2, PAPER.deit],
    ['mixup', 0.8, 0.1, PAPER.deit],
    ['cutmix', 1, 0.1, PAPER.deit],
    ['mixupProb', 1, 0.2, CODE.deit],
    ['mixupSwitchProb', 0.5, 0.2, CODE.deit],
    ['augment.crop', 4, 0, CODE.small],
    ['augment.flip', 0.5, 0, CODE.timm],
    ['augment.randAugment', { n: 2, m: 9, mstd: 0.5, mmax: 10, inc: true }, null, `${PAPER.deit}: 9/0.5`],
    ['augment.colorJitter', 0.3, 0, CODE.deit],
    ['augment.erase', 0.25, 0, PAPER.deit],
    ['augment.repeats', 3, 1, `${CODE.deit}: repeated augmentation`],
  ],
  gmlp: [
    ['steps', 93_835, 1000, `${PAPER.gmlp}: 300 epochs`],
    ['batch', 4096, 32, PAPER.gmlp],
    ['optimizer', 'adamw', 'sgd', PAPER.gmlp],
    ['learningRate', 1e-3, 2e-3, PAPER.gmlp],
    ['weightDecay', 0.05, 0.1, PAPER.gmlp],
    ['beta1', 0.9, 0.8, PAPER.gmlp],
    ['beta2', 0.999, 0.98, PAPER.gmlp],
    ['eps', 1e-6, 1e-8, PAPER.gmlp],
    ['schedule', 'cosine', 'linear', PAPER.gmlp],
    ['warmup', 10_000, 7, PAPER.gmlp],
    ['floor', 0, 0.5, OURS],
    ['clip', 1, undefined, PAPER.gmlp],
    ['ema', undefined, 0.9, `${PAPER.gmlp}: none`],
    ['labelSmoothing', 0.1, 0.2, PAPER.gmlp],
    ['mixup', 0.8, 0.1, PAPER.gmlp],
    ['cutmix', 1, 0.1, PAPER.gmlp],
    ['mixupProb', 1, 0.2, CODE.timm],
    ['mixupSwitchProb', 0.5, 0.2, PAPER.gmlp],
    ['augment.crop', 4, 0, CODE.small],
    ['augment.flip', 0.5, 0, CODE.timm],
    ['augment.autoAugment', true, false, PAPER.gmlp],
    ['augment.colorJitter', 0, 0.1, OURS],
    ['augment.erase', 0, 0.25, PAPER.gmlp],
    ['augment.repeats', 1, 3, `${PAPER.gmlp}: off`],
  ],
  mixer: [
    ['steps', 93_835, 1000, `${CODE.mixer}: 300 epochs`],
    ['batch', 4096, 32, PAPER.mixer],
    ['optimizer', 'adamw', 'sgd', `${PAPER.mixer}: Adam; ${CODE.mixer}: decoupled decay`],
    ['learningRate', 1e-3, 2e-3, CODE.mixer],
    ['weightDecay', 0.1, 0.05, `${CODE.mixer}: 1e-4 not multiplied by the learning rate of 1e-3`],
    ['beta1', 0.9, 0.8, PAPER.mixer],
    ['beta2', 0.999, 0.98, PAPER.mixer],
    ['eps', 1e-8, 1e-6, 'optax, its default'],
    ['schedule', 'linear', 'cosine', PAPER.mixer],
    ['warmup', 10_000, 7, PAPER.mixer],
    ['floor', 0.01, 0.5, `${CODE.mixer}: to 1e-5`],
    ['clip', 1, undefined, PAPER.mixer],
    ['ema', undefined, 0.9, `${CODE.mixer}: none`],
    ['labelSmoothing', undefined, 0.1, `${CODE.mixer}: none`],
    ['mixup', 0.5, 0.1, CODE.mixer],
    ['cutmix', undefined, 0.1, `${CODE.mixer}: none`],
    ['mixupProb', 1, 0.2, CODE.mixer],
    ['augment.crop', 4, 0, CODE.small],
    ['augment.flip', 0.5, 0, CODE.mixer],
    ['augment.randAugment', { n: 2, m: 15, mstd: 0, mmax: 15, inc: false }, null, CODE.mixer],
    ['augment.colorJitter', 0, 0.1, `${CODE.mixer}: none`],
    ['augment.erase', 0, 0.25, `${CODE.mixer}: none`],
    ['augment.repeats', 1, 3, `${CODE.mixer}: none`],
  ],
  resmlp: [
    ['steps', 250_000, 1000, `${PAPER.resmlp}: 400 epochs of 625 steps`],
    ['batch', 2048, 32, CODE.resmlp],
    ['optimizer', 'lamb', 'sgd', PAPER.resmlp],
    ['learningRate', 5e-3, 1e-3, PAPER.resmlp],
    ['weightDecay', 0.2, 0.1, PAPER.resmlp],
    ['beta1', 0.9, 0.8, CODE.timm],
    ['beta2', 0.999, 0.98, CODE.timm],
    ['eps', 1e-6, 1e-8, CODE.timm],
    ['maxGradNorm', 1, 2, CODE.timm],
    ['schedule', 'cosine', 'linear', CODE.resmlp],
    ['warmup', 3125, 7, `${CODE.resmlp}: 5 epochs`],
    ['warmupStart', 2e-4, 0.5, `${CODE.deit}: from 1e-6`],
    ['floor', 2e-3, 0.5, `${CODE.deit}: to 1e-5`],
    ['clip', undefined, 1, 'timm: in LAMB itself'],
    ['ema', undefined, 0.9, OURS],
    ['labelSmoothing', 0.1, 0.2, CODE.resmlp],
    ['mixup', 0.8, 0.1, CODE.resmlp],
    ['cutmix', 1, 0.1, CODE.resmlp],
    ['mixupProb', 1, 0.2, CODE.deit],
    ['mixupSwitchProb', 0.5, 0.2, CODE.deit],
    ['augment.crop', 4, 0, CODE.small],
    ['augment.flip', 0.5, 0, CODE.timm],
    ['augment.randAugment', { n: 2, m: 9, mstd: 0.5, mmax: 10, inc: true }, null, CODE.resmlp],
    ['augment.colorJitter', 0, 0.1, OURS],
    ['augment.erase', 0.25, 0, CODE.resmlp],
    ['augment.repeats', 3, 1, `${CODE.resmlp}: repeated augmentation`],
  ],
  mlm: [
    ['steps', 125_000, 1000, PAPER.mlm],
    ['batch', 2048, 32, PAPER.mlm],
    ['optimizer', 'adamw', 'sgd', PAPER.mlm],
    ['learningRate', 7e-4, 1e-4, PAPER.mlm],
    ['weightDecay', 0.01, 0.1, PAPER.mlm],
    ['beta1', 0.9, 0.8, PAPER.mlm],
    ['beta2', 0.999, 0.98, PAPER.mlm],
    ['eps', 1e-6, 1e-8, PAPER.mlm],
    ['schedule', 'linear', 'cosine', PAPER.mlm],
    ['warmup', 10_000, 7, PAPER.mlm],
    ['floor', 0, 0.5, `${PAPER.mlm}: linear decay`],
    ['clip', undefined, 1, `${PAPER.mlm}: 0`],
    ['ema', undefined, 0.9, OURS],
  ],
}

/** What a preset says of the model. */
const models: Record<Name, [object, string]> = {
  deit: [{ dropPath: 0.1, dropPathDecay: 'linear' }, PAPER.deit],
  gmlp: [{ dropPath: 0, dropPathDecay: 'constant' }, `${PAPER.gmlp}: survival 1.00 for Ti`],
  mixer: [{ dropPath: 0.1, dropPathDecay: 'linear' }, CODE.mixer],
  resmlp: [{ dropPath: 0.05, dropPathDecay: 'constant' }, `${CODE.resmlp}; facebookresearch/deit, resmlp_models.py`],
  mlm: [{ dropPath: 0, dropPathDecay: 'constant' }, PAPER.mlm],
}

const names = Object.keys(published) as Name[]
const publishedValue = (name: Name, option: string) =>
  published[name].find(([known]) => known === option)?.[1] as number
const asPublished = (name: Name) => ({ steps: publishedValue(name, 'steps'), batch: publishedValue(name, 'batch') })

/** The values of a recipe under the names of the table. */
function flat(options: RecipeOptions): Record<string, unknown> {
  const { optimizer, augment = {}, ...recipe } = resolveRecipe(options)
  const augmentations = Object.entries(augment).map(([name, value]) => [`augment.${name}`, value])
  return { ...recipe, ...optimizer.options, optimizer: optimizer.optimizer, ...Object.fromEntries(augmentations) }
}

/** How a user sets one option of the table. */
function override(name: Name, option: string, value: unknown): PresetOptions {
  if (option.startsWith('augment.')) return { augment: { [option.slice('augment.'.length)]: value } }
  if (option === 'optimizer') return { optimizer: sgd() }
  const make = name === 'resmlp' ? lamb : adamw
  if (['beta1', 'beta2', 'eps', 'maxGradNorm'].includes(option)) return { optimizer: make({ [option]: value }) }
  return { [option]: value }
}

describe.each(names)('recipes.%s', (name) => {
  const rows = published[name]

  it.each(rows)('has %s %j at the published size', (option, value) => {
    expect(flat(recipes[name](asPublished(name)))[option]).toEqual(value)
  })
  it('sets nothing that the table does not have', () => {
    const [own, plain] = [
      flat(recipes[name](asPublished(name))),
      flat({ ...asPublished(name), warmup: 0, augment: {} }),
    ]
    const changed = Object.keys(own).filter((option) => JSON.stringify(own[option]) !== JSON.stringify(plain[option]))
    expect(rows.map(([option]) => option)).toEqual(expect.arrayContaining(changed))
  })
  it.each(rows)('takes another %s', (option, _, other) => {
    const recipe = flat(recipes[name]({ ...asPublished(name), ...override(name, option, other) }))
    expect(recipe[option]).toEqual(other)
  })
  it('says what the model is', () => {
    const { dropPath, dropPathDecay } = resolveSize(gmlpBlock, recipes[name].model, 'model')
    expect({ dropPath, dropPathDecay }).toEqual(models[name][0])
  })
  it('refuses what an optimizer would leave without effect, and sizes that cannot be', () => {
    const make = recipes[name]
    expect(() => make({ optimizer: sgd(), learningRate: 1 })).toThrow(
      'train.learningRate: 1, expected inside of the optimizer that is given',
    )
    expect(() => make({ optimizer: sgd(), weightDecay: 0 })).toThrow('train.weightDecay: 0, expected inside')
    expect(() => make({ batch: 0 })).toThrow('train.batch: 0, expected at least 1')
    expect(() => make({ steps: 0.5 })).toThrow('train.steps: 0.5, expected a whole number')
    expect(() => flat(make({ learningRate: -1 }))).toThrow('train.optimizer.learningRate: -1, expected more than 0')
    expect(() => flat(make({ mixupp: 1 } as PresetOptions))).toThrow("unknown option 'mixupp' (did you mean 'mixup'?)")
  })
})

describe('a recipe at another size', () => {
  it.each<[Name, number, number, number | undefined]>([
    ['deit', 6.25e-5, 10, 0.97529], // 0.99996 ^ 625.5
    ['gmlp', 1.25e-4, 64, undefined], // an eighth, the root of 64 / 4096
    ['mixer', 1.25e-4, 64, undefined],
    ['resmlp', 5e-3 / 32 ** 0.5, 8, undefined],
    ['mlm', 7e-4 / 32 ** 0.5, 48, undefined],
  ])('%s has learning rate %d, warm-up %d and average %d in 600 steps of 64', (name, learningRate, warmup, ema) => {
    const [small, large] = [flat(recipes[name]()), flat(recipes[name](asPublished(name)))]
    expect(small).toMatchObject({ steps: 600, batch: 64, warmup })
    expect(small.learningRate).toBeCloseTo(learningRate, 10)
    if (ema) expect(small.ema).toBeCloseTo(ema, 5)
    const { steps, batch, learningRate: _, warmup: __, ema: ___, evalEvery, ...rest } = small
    expect(large).toMatchObject(rest)
  })
  it.each<[string, Name, number]>([
    ['linearly', 'deit', 4],
    ['by the root', 'gmlp', 2],
    ['by the root', 'mixer', 2],
    ['by the root', 'resmlp', 2],
    ['by the root', 'mlm', 2],
  ])('scales the learning rate %s with the batch: %s', (_, name, factor) => {
    const at = (batch: number) => flat(recipes[name]({ batch })).learningRate as number
    expect(at(256)).toBeCloseTo(factor * at(64), 10)
  })
  it('scales warm-up and average with the steps, and the learning rate not', () => {
    const at = (options: PresetOptions) => flat(deit(options))
    expect(at({ steps: 6000 })).toMatchObject({ learningRate: at({}).learningRate, warmup: 100 })
    expect((at({ steps: 6000 }).ema as number) ** 10).toBeCloseTo(at({ steps: 600 }).ema as number, 10)
  })
  it('keeps what the user gives, and the options of augment that the user does not give', () => {
    const recipe = flat(deit({ learningRate: 3e-3, warmup: 5, ema: undefined, augment: { erase: 0 } }))
    expect(recipe).toMatchObject({ learningRate: 3e-3, warmup: 5, 'augment.erase': 0, 'augment.flip': 0.5 })
    expect(recipe.ema).toBeUndefined()
  })
})
