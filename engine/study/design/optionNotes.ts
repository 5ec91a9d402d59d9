import { TEST, TRAIN, VALIDATION } from '../../records/splits.ts'
import { learningRateAt } from '../../train/schedule.ts'
import type { OpenVariant } from '../opened.ts'

/** What decides whether options can do what they say. */
export type Told = Pick<OpenVariant, 'name' | 'recipe' | 'size' | 'opened'>

/** A note where an option cannot do what it says; else nothing. */
type Note = (told: Told) => string | false | undefined

/** The share of initial weights in an average above which that is told. */
const INITIAL = 0.1

const percent = (share: number) => `${Math.round(100 * share)}%`
const sizeOf = ({ opened }: Told, split: string) => opened.knownOf?.(split).size ?? Number.POSITIVE_INFINITY
const repeatsOf = ({ recipe: { augment } }: Told) => augment?.repeats ?? 1

// Options of a recipe and a model that are allowed, and do nothing, or something else, with what stands beside them. A new
// option that can come to that gets a line here.
const notes: Record<string, Note> = {
  ema: ({ recipe: { ema, steps } }) => {
    if (typeof ema !== 'number' || ema ** steps < INITIAL) return false
    const still = `${percent(ema ** steps)} of the average are still initial weights after ${steps} steps`
    return `ema ${ema}: ${still}; ema: { decay: ${ema}, warmup: true } forgets them`
  },
  warmup: ({ recipe: { warmup, steps } }) => {
    if (warmup < steps) return false
    const reached =
      warmup > steps ? `ends at ${percent(steps / warmup)} of its peak` : 'is at its peak in the last step'
    return `warmup ${warmup}: a run has ${steps} steps, so the learning rate ${reached} and its schedule never begins`
  },
  warmupStart: ({ recipe: { warmup, warmupStart } }) =>
    warmupStart !== undefined && warmup === 0 && `warmupStart ${warmupStart}: there is no warm-up, as warmup is 0`,
  schedule: ({ recipe }) => {
    const { schedule, steps } = recipe
    if (typeof schedule === 'string') return false
    const isZero = Array.from({ length: steps }, (_, step) => learningRateAt(step, recipe)).every((rate) => rate === 0)
    return isZero && `schedule '${schedule.name}': the learning rate is 0 in every step, so nothing is learned`
  },
  floor: ({ recipe: { floor, schedule } }) => {
    if (schedule === 'constant') return floor !== 0.01 && `floor ${floor}: the schedule 'constant' never falls`
    return floor === 1 && typeof schedule === 'string' && `floor 1: the schedule '${schedule}' stays at its peak`
  },
  evalEvery: ({ recipe: { evalEvery, steps } }) =>
    evalEvery > steps &&
    `evalEvery ${evalEvery}: a run has ${steps} steps, so it is evaluated once, at its end, and keeps its last weights`,
  logEvery: ({ recipe: { logEvery, steps } }) =>
    logEvery > Math.max(steps, 10) && `logEvery ${logEvery}: a run has ${steps} steps, so it logs once, at its end`,
  checkpointEvery: ({ recipe: { checkpointEvery, steps } }) =>
    checkpointEvery.steps !== undefined &&
    checkpointEvery.steps >= steps &&
    checkpointEvery.seconds === undefined &&
    `checkpointEvery ${checkpointEvery.steps} steps: a run has ${steps}, so it has no checkpoint to resume from`,
  snapshots: ({ recipe: { snapshots, steps } }) =>
    snapshots > steps && `snapshots ${snapshots}: a run has ${steps} steps, so it keeps ${steps}`,
  batch: (told) => {
    const { batch } = told.recipe
    const [size, different] = [sizeOf(told, TRAIN), Math.ceil(batch / repeatsOf(told))]
    return different > size && `batch ${batch}: there are ${size} training examples, so each step takes some twice`
  },
  evalExamples: (told) => more('evalExamples', told.recipe.evalExamples, sizeOf(told, VALIDATION), 'validation'),
  testExamples: (told) => more('testExamples', told.recipe.testExamples, sizeOf(told, TEST), 'test'),
  noDecay: ({ recipe: { noDecay, optimizer } }) =>
    noDecay.length > 0 &&
    optimizer.options.weightDecay === 0 &&
    `noDecay ${noDecay.join(', ')}: ${optimizer.optimizer} has no weight decay that they could be exempt from`,
  mixup: ({ recipe: { mixup, cutmix, batch, mixupProb } }) => {
    const [name, alpha] = mixup ? ['mixup', mixup] : ['cutmix', cutmix]
    if (!alpha) return mixupProb !== 1 && `mixupProb ${mixupProb}: neither mixup nor cutmix is on`
    if (mixupProb === 0) return `${name} ${alpha}: mixupProb is 0, so no batch is mixed`
    return batch === 1 && `${name} ${alpha}: a batch of one example is mixed with itself`
  },
  mixupSwitchProb: ({ recipe: { mixup, cutmix, mixupSwitchProb } }) => {
    if (mixup && cutmix) {
      const never = { 0: 'cutmix', 1: 'mixup' }[mixupSwitchProb]
      return never !== undefined && `${never}: mixupSwitchProb is ${mixupSwitchProb}, so it is never used`
    }
    return mixupSwitchProb !== 0.5 && `mixupSwitchProb ${mixupSwitchProb}: mixup and cutmix are not both on`
  },
  repeats: (told) => {
    const { batch, augment } = told.recipe
    const repeats = repeatsOf(told)
    if (repeats === 1 || !augment) return false
    if (repeats >= batch && batch > 1) return `augment.repeats ${repeats}: a batch of ${batch} shows one example`
    const { crop, flip, autoAugment, randAugment, colorJitter, erase, own = [] } = augment
    const isPlain = !crop && !flip && !autoAugment && !randAugment && !colorJitter && !erase && own.length === 0
    return isPlain && `augment.repeats ${repeats}: no augmentation is on, so the copies of an example are the same`
  },
  colorJitter: ({ recipe: { augment } }) => {
    if (!augment?.colorJitter || (!augment.autoAugment && !augment.randAugment)) return false
    const other = augment.randAugment ? 'randAugment' : 'autoAugment'
    return `augment.colorJitter ${augment.colorJitter}: it is left out where ${other} is on, as in timm`
  },
  dropPath: ({ size: { dropPath, dropPathDecay, depth } }) => {
    if (dropPath === 0 || depth > 1) return false
    if (depth === 0) return `dropPath ${dropPath}: the model has no blocks`
    return dropPathDecay === 'linear' && `dropPath ${dropPath}: it rises from 0 at the first block, and there is one`
  },
}

function more(option: string, wanted: number | undefined, size: number, split: string): string | false {
  return wanted !== undefined && wanted > size && `${option} ${wanted}: there are ${size} ${split} examples`
}

/** Why options of the variants of a study cannot do what they say; what is so for some alone begins with their names. */
export function optionNotes(variants: readonly Told[]): string[] {
  const told = variants.flatMap((variant) =>
    Object.values(notes).flatMap((note) => {
      const text = note(variant)
      return text ? [{ name: variant.name, text }] : []
    }),
  )
  return [...Map.groupBy(told, ({ text }) => text)].map(([text, all]) =>
    all.length === variants.length ? text : `${all.map(({ name }) => name).join(', ')}: ${text}`,
  )
}
