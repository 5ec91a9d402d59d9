import { z } from 'zod'
import { list, name, text } from '../call.ts'
import { byName } from '../names.ts'
import { isBetter, type MetricMeaning } from './meaning.ts'
import { type AskedQuestion, questionSchema } from './question.ts'
import { type PlannedReadout, plannedReadout } from './readout.ts'
import { type TunedDesign, tunedSchema } from './tuned.ts'

/** Values of factors by name, as they are shown: plain ones as they are, others by the name they were given. */
export type FactorValues = Record<string, string | number | boolean>

/** A network of a study by what it does, whatever it and its parameters are called, and what it is compared on. */
export interface Arm {
  /** Digest of the recorded graph of an evaluation, without the names and initial values of parameters. */
  network: string
  /** Digest of task and data, without the seed of the data and the sizes of its parts. */
  on: string
}

/** Where a comparison of a study stands among all that its store has seen of these networks. */
export interface Standing {
  variant: string
  /** Its family: comparisons on the same task and data, each of which shares a network with another; null where it is not entered yet. */
  family: number | null
  /** Comparisons in the family by now, and how many of them this study has entered at once. */
  comparisons: number
  entered: number
  /** Its place in the family, from 1 on. */
  place: number
  /** The level of all that the study has entered at once. */
  level: number
  /** When the family was closed, in ms since 1970; null while it is open. */
  closedAt: number | null
  /** The family of these networks that was closed before this one began; null where there was none. */
  before: { comparisons: number; closedAt: number } | null
}

/** A family of comparisons as it is listed. */
export interface ComparisonFamily {
  id: number
  /** Names of the studies that entered them. */
  studies: string[]
  /** Names of the variants that were compared, the first ones first, and how many comparisons there are. */
  variants: string[]
  comparisons: number
  /** When the first comparison was entered, and when it was closed, in ms since 1970; null while it is open. */
  openedAt: number
  closedAt: number | null
}

/** What a variant was made to be, beside its name. */
export interface VariantDesign {
  variant: string
  /** What it differs in from the others, but for its block: `batch: 128`. */
  settings: FactorValues
  /** Whether these are its values of the factors by which the study is crossed. */
  crossed?: true | undefined
  /** Parts of the spec that it sets itself, e.g. `train.batch`: in these a difference from the others is intended. */
  intended: string[]
  /** What it is in the ledger of comparisons; left out in quick mode, and in designs of earlier versions. */
  arm?: Arm | undefined
}

/** A study as it is designed: all that its verdicts are about, whatever is trained or shown of it. */
export interface StudyDesign {
  study: string
  /** The metric that is compared. */
  metric: string
  /** In their order: the first is the baseline. */
  variants: VariantDesign[]
  /** All its runs; several variants may share a run. */
  runs: DesignedRun[]
  /** What is read off its runs when they are done; left out where nothing is. */
  readouts?: PlannedReadout[] | undefined
  /** What it asks, in the order in which the questions are tested; without, how each variant compares to the first. */
  questions?: AskedQuestion[] | undefined
  /** How the claims of its questions are kept true together: in their order, unless Holm's correction was asked for. */
  correction?: 'holm' | undefined
  /** The studies that were planned with it, by name, itself among them; left out where it was planned alone. */
  together?: string[] | undefined
  /** The largest difference that does not count, in the unit of the metric; without, nothing is shown to be equal. */
  margin?: number | undefined
  /** The value of the metric from which on a run has learned; left out where the rule of the statistics decides. */
  learned?: number | undefined
  /** What the data set gives without learning, in the metric; left out where it is not known. */
  floors?: Floors | undefined
  /** Looked at after every seed, up to a last one, by evidence that is valid at any time; left out for seeds fixed before. */
  anytime?: { upTo: number } | undefined
  /** Its plan, and what departs from it; left out where it has none, as in quick mode. The store keeps designs without. */
  planned?: StudyPlan | undefined
  /** Where its comparisons stand among all that the store has seen; left out where there is none. The store keeps designs without. */
  ledger?: Standing[] | undefined
  /** What was chosen for its variants before, and from what; left out where nothing was. */
  tuned?: TunedDesign | undefined
}

/** Values of a metric that a data set gives without a network. */
export interface Floors {
  /** By chance: e.g. the share of the largest class. */
  chance: number
}

/** A run of a design. */
export interface DesignedRun {
  variant: string
  seed: number
  key: string
  /** The key of the run that is trained alike and measures what its task does alone; left out where that is this one. */
  trained?: string | undefined
}

/** The plan of a study, in short: how it was designed when it first began to train. */
export interface StudyPlan {
  /** When, in ms since 1970; null for one of before the store kept when. */
  at: number | null
  metric: string
  /** In their order, the first the baseline, under the names that the study has for them now. */
  variants: string[]
  seeds: number[]
  questions?: AskedQuestion[] | undefined
  /** How the study as it is now departs from it, in words, beside metric and baseline, which whoever looks can choose. */
  departs: string[]
}

/** A design as the store has it. */
export interface StoredDesign {
  design: StudyDesign
  /** When it was first planned, in ms since 1970; null for one of before the store kept when. */
  at: number | null
  /** When a run of it was first begun; null before that, and for the quick mode always. */
  begunAt: number | null
}

/**
 * Whether a study asks nothing: its runs choose values for another study, by validation, and what they say of the test is
 * shown nowhere.
 */
export function asksNothing({ questions }: Pick<StudyDesign, 'questions'>): boolean {
  return questions?.length === 0
}

/** More than a study has that anybody reads: all of them are named, and each question is answered in words. */
const MAX_VARIANTS = 10_000
const MAX_QUESTIONS = 1000

const armSchema: z.ZodType<Arm> = z.strictObject({ network: z.string(), on: z.string() })

const standingSchema: z.ZodType<Standing> = z.strictObject({
  variant: z.string(),
  family: z.int().nullable(),
  comparisons: z.int(),
  entered: z.int(),
  place: z.int(),
  level: z.number(),
  closedAt: z.int().nullable(),
  before: z.strictObject({ comparisons: z.int(), closedAt: z.int() }).nullable(),
})

const questions = z.array(questionSchema).max(MAX_QUESTIONS)
const value = z.union([text, z.number(), z.boolean()])
export const designSchema: z.ZodType<StudyDesign> = z.strictObject({
  study: name,
  metric: name,
  variants: z
    .array(
      z.strictObject({
        variant: name,
        settings: byName(value, name),
        crossed: z.literal(true).optional(),
        intended: list(text),
        arm: armSchema.optional(),
      }),
    )
    .max(MAX_VARIANTS),
  runs: list(z.strictObject({ variant: name, seed: z.int(), key: text, trained: text.optional() })),
  readouts: list(plannedReadout).optional(),
  questions: questions.optional(),
  correction: z.literal('holm').optional(),
  together: list(name).optional(),
  margin: z.number().positive().optional(),
  learned: z.number().optional(),
  floors: z.strictObject({ chance: z.number() }).optional(),
  anytime: z.strictObject({ upTo: z.int().min(1) }).optional(),
  planned: z
    .strictObject({
      at: z.int().nullable(),
      metric: name,
      variants: list(name),
      seeds: list(z.int()),
      questions: questions.optional(),
      departs: list(text),
    })
    .optional(),
  ledger: list(standingSchema).optional(),
  tuned: tunedSchema.optional(),
})

/** What simple models reach on the data of a task: what a network has to pass before its architecture can matter. */
export interface TaskFloors {
  /** Raised whenever the same data give other floors. */
  version: number
  /** Examples of the training and test parts; null where the task does not say. */
  train: number | null
  test: number | null
  /** Training examples that the simple models were fitted to, and test examples that they were measured on. */
  fitted: number
  measured: number
  /** From the simplest model on: values by the names of metrics, e.g. `test/accuracy`. */
  models: { name: string; values: Record<string, number> }[]
}

/** A variant of a study beside the floors of its task. */
export interface VariantFloors {
  variant: string
  /** Times that a run saw each training example; null where the number of these is not known. */
  epochs: number | null
  /** By how much the validation metric that goes with the compared one improved in the last fifth, by run. */
  rises: number[]
  /** Values of the compared metric; none where simple models have none. */
  floors: { name: string; value: number }[]
  /** As in `TaskFloors`. */
  fitted: number
  train: number | null
  measured: number
  test: number | null
}

const count = z.int().min(0)
const fittedTo = { train: count.nullable(), test: count.nullable(), fitted: count, measured: count }
const modelName = z.string().min(1).max(60)

export const floorsSchema: z.ZodType<TaskFloors> = z.strictObject({
  version: count,
  ...fittedTo,
  models: z.array(z.strictObject({ name: modelName, values: z.record(z.string(), z.number()) })).max(10),
})

export const variantFloorsSchema: z.ZodType<VariantFloors> = z.strictObject({
  variant: z.string(),
  epochs: z.number().nullable(),
  rises: z.array(z.number()),
  floors: z.array(z.strictObject({ name: modelName, value: z.number() })).max(10),
  ...fittedTo,
})

/** The floor that is hardest to pass; null where there is none. */
export function highestFloor(
  floors: VariantFloors['floors'],
  meaning: MetricMeaning,
): VariantFloors['floors'][number] | null {
  if (!meaning.better) return null
  return floors.reduce<VariantFloors['floors'][number] | null>(
    (best, each) => (best === null || isBetter(each.value, best.value, meaning) ? each : best),
    null,
  )
}
