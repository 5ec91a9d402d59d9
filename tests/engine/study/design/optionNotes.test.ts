import { describe, expect, it } from 'vitest'
import { augmentation, compare, image, mixer, schedule, sgd, shapes } from '../../../../engine/index.ts'
import type { ModelOptions } from '../../../../engine/nn/size.ts'
import type { Variant } from '../../../../engine/study/compare.ts'
import { optionNotes } from '../../../../engine/study/design/optionNotes.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import type { RecipeOptions } from '../../../../engine/train/recipe.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

const block = mixer()
const studyOf = (train: RecipeOptions, model: ModelOptions = {}, variants: Record<string, Variant> = { block }) =>
  compare('s', {
    task: image({ data: shapes({ train: 64, validation: 0.25, test: 20 }) }),
    model: { patch: 16, dim: 8, depth: 1, ...model },
    train: { steps: 200, batch: 8, ...train },
    variants,
    seeds: 1,
  })

const notesOf = async (...given: Parameters<typeof studyOf>) =>
  optionNotes((await openStudy(studyOf(...given), {}, memoryFiles({}))).variants)

const flat = schedule('flat', () => 0)
const noisy = augmentation('noisy', ({ values }, random) => values.map((value) => value + random.normal('noise')))

describe('an option that cannot do what it says', () => {
  it.each<[text: string, train: RecipeOptions, model?: ModelOptions]>([
    [
      'ema 0.9999: 98% of the average are still initial weights after 200 steps; ' +
        'ema: { decay: 0.9999, warmup: true } forgets them',
      { ema: 0.9999 },
    ],
    [
      'warmup 500: a run has 200 steps, so the learning rate ends at 40% of its peak and its schedule never begins',
      { warmup: 500 },
    ],
    [
      'warmup 200: a run has 200 steps, so the learning rate is at its peak in the last step and its schedule never begins',
      { warmup: 200 },
    ],
    ['warmupStart 0.1: there is no warm-up, as warmup is 0', { warmup: 0, warmupStart: 0.1 }],
    ["schedule 'flat': the learning rate is 0 in every step, so nothing is learned", { schedule: flat }],
    ["floor 0.1: the schedule 'constant' never falls", { schedule: 'constant', floor: 0.1 }],
    ["floor 1: the schedule 'linear' stays at its peak", { schedule: 'linear', floor: 1 }],
    [
      'evalEvery 300: a run has 200 steps, so it is evaluated once, at its end, and keeps its last weights',
      { evalEvery: 300 },
    ],
    ['logEvery 300: a run has 200 steps, so it logs once, at its end', { logEvery: 300 }],
    [
      'checkpointEvery 200 steps: a run has 200, so it has no checkpoint to resume from',
      { checkpointEvery: { steps: 200 } },
    ],
    ['snapshots 201: a run has 200 steps, so it keeps 200', { snapshots: 201 }],
    ['batch 65: there are 64 training examples, so each step takes some twice', { batch: 65 }],
    ['evalExamples 22: there are 21 validation examples', { evalExamples: 22 }],
    ['testExamples 21: there are 20 test examples', { testExamples: 21 }],
    [
      'noDecay head: sgd has no weight decay that they could be exempt from',
      { noDecay: ['head'], optimizer: sgd({ weightDecay: 0 }) },
    ],
    ['mixup 0.2: a batch of one example is mixed with itself', { mixup: 0.2, batch: 1 }],
    ['cutmix 1: mixupProb is 0, so no batch is mixed', { cutmix: 1, mixupProb: 0 }],
    ['mixupProb 0.3: neither mixup nor cutmix is on', { mixupProb: 0.3 }],
    ['mixup: mixupSwitchProb is 1, so it is never used', { mixup: 0.2, cutmix: 1, mixupSwitchProb: 1 }],
    ['mixupSwitchProb 0.2: mixup and cutmix are not both on', { mixup: 0.2, mixupSwitchProb: 0.2 }],
    ['augment.repeats 8: a batch of 8 shows one example', { augment: { repeats: 8, flip: 0.5 } }],
    ['augment.repeats 2: no augmentation is on, so the copies of an example are the same', { augment: { repeats: 2 } }],
    [
      'augment.colorJitter 0.4: it is left out where autoAugment is on, as in timm',
      { augment: { colorJitter: 0.4, autoAugment: true } },
    ],
    ['dropPath 0.1: it rises from 0 at the first block, and there is one', {}, { dropPath: 0.1 }],
    ['dropPath 0.1: the model has no blocks', {}, { dropPath: 0.1, depth: 0 }],
  ])('%s', async (text, train, model) => {
    expect(await notesOf(train, model)).toEqual([text])
  })

  it('is told by name where other variants can', async () => {
    const own = { block, train: { ema: 0.9999 } }
    const variants = {
      none: block,
      average: own,
      again: own,
      warm: { block, train: { ema: { decay: 0.9999, warmup: true } } },
    }
    expect(await notesOf({}, {}, variants)).toEqual([expect.stringMatching(/^average, again: ema 0.9999: 98%/)])
  })

  it('is told before the plan, of a study that is planned alone too, and not in the quick mode', async () => {
    const said = async (options: object) => {
      const backend = { name: 'cpu', device: 'test' } as const
      const environment = { runs: memoryRuns(), files: memoryFiles({}), backend, ...options }
      const events = []
      for await (const event of executeStudy(studyOf({ steps: 2, evalEvery: 3 }), environment)) events.push(event)
      const plan = events.findIndex(({ type }) => type === 'plan')
      return events.slice(0, plan).flatMap((event) => (event.type === 'warning' ? [event.message] : []))
    }
    const text = 'evalEvery 3: a run has 2 steps, so it is evaluated once, at its end, and keeps its last weights'
    expect(await said({})).toEqual([text])
    expect(await said({ planOnly: true })).toEqual([text])
    expect(await said({ quick: true })).toEqual([])
  })
})

it.each<[string, RecipeOptions, ModelOptions?]>([
  ['the defaults', {}],
  ['an average over fewer steps', { ema: 0.98 }],
  ['an average with a warm-up', { ema: { decay: 0.9999, warmup: true } }],
  ['checkpoints by time', { checkpointEvery: { steps: 300, seconds: 5 } }],
  ['repeats with an augmentation', { augment: { repeats: 2, own: [noisy] } }],
  ['all training examples at once', { batch: 64 }],
  ['a constant rate of dropping', {}, { dropPath: 0.1, depth: 2 }],
])('says nothing of %s', async (_, train, model) => {
  expect(await notesOf(train, model)).toEqual([])
})
