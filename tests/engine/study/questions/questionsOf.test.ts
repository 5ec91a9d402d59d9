import { describe, expect, it } from 'vitest'
import type { FactorValues } from '../../../../engine/records/design.ts'
import { ask } from '../../../../engine/study/questions/index.ts'
import { simpleWhereInteracting } from '../../../../engine/study/questions/kinds/simple.ts'
import { questionsOf } from '../../../../engine/study/questions/questionsOf.ts'
import { crossed, type Levels } from './crossed.ts'
import { plannedWith } from './planned.ts'

const spec = ({ block, lr, wd, data }: FactorValues) => ({ model: { block }, train: { lr, wd }, data })

function asked(levels: Levels, correction?: 'holm') {
  const variants = crossed(levels)
  return questionsOf('study', undefined, variants, plannedWith(variants, spec), correction)
}

const BLOCK = { block: ['gmlp', 'mixer'] }
const LR = { lr: [1, 2, 3] }
const DATA = { data: ['digits', 'shapes'] }
const { best, effect, everyData, interaction } = ask

describe('questionsOf', () => {
  it('begins with which model is better at its own best recipe', () => {
    expect(asked({ ...LR, ...BLOCK })).toEqual([
      best('block', { over: 'lr' }),
      interaction('block', 'lr'),
      simpleWhereInteracting('block', 'lr'),
      effect('lr'),
      effect('block'),
    ])
  })

  it('asks each effect and interaction where no factor is the recipe, or two are', () => {
    expect(asked({ ...LR, wd: [0, 1] })).toEqual([
      effect('lr'),
      effect('wd'),
      interaction('lr', 'wd'),
      simpleWhereInteracting('lr', 'wd'),
    ])
    expect(asked({ ...BLOCK, ...LR, wd: [0, 1] })?.[0]).toEqual(effect('block'))
  })

  it('asks of effects over all data sets, and not which of these is harder', () => {
    expect(asked({ ...BLOCK, ...DATA })).toEqual([
      everyData('block', { over: 'data' }),
      interaction('block', 'data'),
      simpleWhereInteracting('block', 'data'),
    ])
    expect(asked({ ...BLOCK, ...LR, ...DATA })?.slice(0, 5)).toEqual([
      best('block', { over: 'lr' }),
      interaction('block', 'lr'),
      simpleWhereInteracting('block', 'lr'),
      everyData('block', { over: 'data' }),
      everyData('lr', { over: 'data' }),
    ])
  })

  it('asks nothing that depends on another answer where all is corrected together', () => {
    expect(asked({ ...LR, wd: [0, 1] }, 'holm')).toEqual([effect('lr'), effect('wd'), interaction('lr', 'wd')])
  })

  it('asks what the study says, and nothing of one factor or of none', () => {
    const variants = crossed({ ...BLOCK, ...LR })
    expect(questionsOf('study', [ask.pairs()], variants)).toEqual([ask.pairs()])
    expect(asked(BLOCK)).toBeUndefined()
  })

  it.each([
    [ask.effect('seeds'), "study.questions: unknown factor 'seeds' (known: block, lr)"],
    [ask.slope('depth'), "study.questions: factor 'depth' has one level, 4, and a question needs two or more"],
    [ask.slope('block'), "study.questions: level 'gmlp' of factor 'block' is no number, and a slope needs numbers"],
    [ask.everyData('block', { over: 'block' }), "study.questions: the effect of 'block' with itself"],
  ])('refuses %j', (question, message) => {
    expect(() => questionsOf('study', [question], crossed({ ...BLOCK, ...LR, depth: [4] }))).toThrow(message)
  })

  it('refuses every kind where levels are missing', () => {
    const variants = crossed({ ...BLOCK, ...LR }).slice(1)
    const questions = [ask.slope('lr'), ask.trend('lr'), ask.powerLaw('lr'), ask.crossing('lr', { of: 'block' })]
    for (const question of [...questions, ask.best('block', { over: 'lr' }), ask.simple('block', { at: 'lr' })]) {
      expect(() => questionsOf('study', [question], variants)).toThrow('the variants block=gmlp lr=1 are missing')
    }
  })
})
