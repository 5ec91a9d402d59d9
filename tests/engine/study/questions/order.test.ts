import { describe, expect, it } from 'vitest'
import { ask } from '../../../../engine/study/questions/index.ts'
import { inOrder } from '../../../../engine/study/questions/order.ts'
import { sample } from '../../../long.ts'
import { LIMIT, type Noise, normal, type Simulation, shareClaimed, skewed } from './simulated.ts'

const LEVELS = { block: ['gmlp', 'mixer'], lr: [0.001, 0.003, 0.01] }
const DEPTHS = { block: ['gmlp', 'mixer'], depth: [2, 4, 8] }
const none = () => 0.5
/** The noise at the one end is the opposite of that at the other. */
const opposite: Noise = (key, counter) => {
  const place = counter % 1000
  return place < 3 ? 0 : normal(key, counter - place) * ([1, 0, -1][place % 3] ?? 0)
}

const CASES: [what: string, Simulation][] = [
  ['effects and interactions', { questions: plain(), levels: LEVELS, mean: none }],
  ['effects and interactions, skewed', { questions: plain(), levels: LEVELS, mean: none, noise: skewed }],
  ['each at its best', { questions: best(), levels: LEVELS, mean: none }],
  [
    'each at its best, where rates differ',
    { questions: best(), levels: LEVELS, mean: ({ lr }) => (lr === 0.01 ? 1 : 0) },
  ],
  ['each at its best, with skewed noise', { questions: best(), levels: LEVELS, mean: none, noise: skewed }],
  [
    'the plan of a crossing of model and recipe, where all is alike',
    { questions: whole(), levels: LEVELS, mean: none },
  ],
  [
    'the same plan, where a block is better at one rate alone',
    {
      questions: whole(),
      levels: LEVELS,
      mean: ({ block, lr }) => (block === 'mixer' && lr === 0.01 ? 3 : 0),
      isTrue: (question, part) => question === 0 || question === 3 || part === [0, 1, 2, 0, 1][question],
    },
  ],
  [
    'the same plan, where a block is better at all rates but one',
    {
      questions: whole(),
      levels: LEVELS,
      mean: ({ block, lr }) => (block === 'mixer' && lr !== 0.001 ? 3 : 0),
      isTrue: (question, part) => question !== 2 || part > 0,
    },
  ],
  ['slopes', { questions: [ask.slope('depth')], levels: DEPTHS, mean: none, noise: skewed }],
  ['trends', { questions: [ask.trend('depth')], levels: DEPTHS, mean: none, noise: skewed }],
  ['exponents', { questions: [ask.powerLaw('depth')], levels: DEPTHS, mean: none, shape: Math.exp }],
  [
    'differences of exponents',
    {
      questions: [ask.powerLaw('depth', { by: 'block' })],
      levels: DEPTHS,
      mean: ({ depth }) => -0.3 * Math.log(Number(depth)),
      shape: Math.exp,
    },
  ],
  [
    'crossings, where lines are alike',
    { questions: [ask.crossing('depth', { of: 'block' })], levels: DEPTHS, mean: none },
  ],
  [
    'crossings, where lines meet at one end',
    {
      questions: [ask.crossing('depth', { of: 'block' })],
      levels: DEPTHS,
      mean: ({ block, depth }) => (block === 'mixer' ? Number(depth) - 2 : 0),
    },
  ],
  [
    'crossings, where the noise of the ends is opposite',
    { questions: [ask.crossing('depth', { of: 'block' })], levels: DEPTHS, mean: none, noise: opposite },
  ],
  [
    'all data sets',
    { questions: [ask.everyData('block', { over: 'depth' })], levels: DEPTHS, mean: ({ depth }) => Number(depth) },
  ],
]

function plain() {
  return [ask.effect('block'), ask.effect('lr'), ask.interaction('block', 'lr'), ask.simple('block', { at: 'lr' })]
}

function best() {
  return [ask.best('block', { over: 'lr' })]
}

function whole() {
  const { effect, interaction, simple } = ask
  return [...best(), interaction('block', 'lr'), simple('block', { at: 'lr' }), effect('block'), effect('lr')]
}

describe('questions in their order', () => {
  it('of several studies that were planned together have their share of the 5%', () => {
    const one = [[{ p: 0.03, smallest: 0.01 }], [{ p: 0.01, smallest: 0.01 }]]
    expect(inOrder(one).map(({ exploratory }) => exploratory)).toEqual([null, null])
    for (const correction of ['order', 'holm'] as const) {
      expect(inOrder(one, correction, 3)[0]?.tests[0]).toMatchObject({ p: 0.03, shown: false })
    }
    expect(inOrder(one, 'order', 2)[1]?.exploratory).toBe('question 1 of the plan is open')
  })

  it.each(sample(CASES))('claim nothing false in 95%% of studies: %s', (_, simulation) => {
    expect(shareClaimed(simulation)).toBeLessThanOrEqual(LIMIT)
  })
})
