import * as tf from '@tensorflow/tfjs-core'
import { Unrepeatable } from '../../chance.ts'
import type { Graph } from '../../compile/graph.ts'
import { type ModelCode, recordableCode } from '../../compile/model.ts'
import { type Code, recordGraph, type Spec } from '../../compile/record.ts'
import { PARAMETER } from '../../compile/training.ts'
import { digest, digestOfValues } from '../../data/digest.ts'
import type { Forward, InputSpec, Model, TextExtras } from '../../nn/model.ts'
import { type Parameter, type Pass, runInPass } from '../../nn/scope.ts'
import type { Task } from '../../tasks/types.ts'
import { gradientCode } from '../../train/differentiate.ts'
import { EVALUATION_BATCH } from '../../train/evaluate.ts'

/** What a model is given, and the examples of a batch that it is trained with. */
export interface Given {
  input: InputSpec
  extras?: Task['extras'] | undefined
  batch: number
}

/** Who wants to know more of code than its digest. */
interface Watching {
  /** Told why code that draws by itself or does something else the second time has no digest. */
  refuse?(why: Unrepeatable): void
  /** What the code has captured by now: code that changes it is recorded more often, to see whether it does something else. */
  captured?(): Promise<string | null>
}

/** How often code is recorded that changes what it has captured. */
const AGAIN = 20

const PASS = { seed: 0, training: false, step: 0, dropPath: 0 }

/**
 * SHA-256 of what the code of a model does, whatever its text: its parameters with all their initial values, and the
 * operations, with attributes, constants and draws, of a training step with its gradients and of an evaluation, each given
 * all that the task has for the model. So functions of one text that captured different values differ. Null where the code
 * cannot be recorded, as it reads values. Code that draws by itself or does something else the second time has none either.
 */
export async function codeDigest(
  forward: Forward,
  given: Given,
  { refuse, captured }: Watching = {},
): Promise<string | null> {
  try {
    const before = await captured?.()
    const recorded = await recordedModel(forward, given.input)
    expectSameInitial(recorded.initial, (await recordedModel(forward, given.input)).initial)
    return await digestOfRecorded(recorded, given, { changes: async () => before !== (await captured?.()) })
  } catch (error) {
    if (error instanceof Unrepeatable) refuse?.(error)
    return null
  }
}

/** How a model is recorded whose digest is made. */
interface HowRecorded {
  /** Runs its code. */
  around?<Result>(run: () => Result): Result
  /** Whether the code has changed what it captured. */
  changes?(): Promise<boolean>
}

/** The same of a model that was recorded. Throws where its code cannot be recorded. */
export async function digestOfRecorded(
  { model, initial }: Awaited<ReturnType<typeof recordedModel>>,
  { input, extras, batch }: Given,
  { around = (run) => run(), changes }: HowRecorded = {},
): Promise<string> {
  const given: Record<string, InputSpec> = { input, ...extras }
  const predict = ({ input, ...extras }: tf.NamedTensorMap, mode: object) =>
    model.apply(input as tf.Tensor, mode, extras as TextExtras)
  const step = gradientCode(model, (given, mode) => tf.sum(predict(given, mode)))
  const forwards: ModelCode<string> = (given, { mode }) => ({ prediction: predict(given, mode) })
  const code = (training: boolean, run: ModelCode<string>) =>
    recordableCode(model, training, (...own) => around(() => run(...own)))
  const training = await recordedTwice(specs(given, batch, model), code(true, step))
  const evaluation = await recordedTwice(specs(given, EVALUATION_BATCH, model), code(false, forwards))
  if (await changes?.()) {
    for (let i = 0; i < AGAIN; i++) await recordGraph(specs(given, batch, model), code(true, step), training)
  }
  return digest(JSON.stringify([initial, written(training), written(evaluation)]))
}

/** Of a parameter its name, shape, decay, whether it is trained, and the digest of its first values. */
type Initial = [string, number[], boolean, boolean, string | undefined]

/** A model on shapes alone, and what decides its parameters: each by name, shape, use and the digest of its first values. */
export async function recordedModel(forward: Forward, { shape, dtype = 'float32' }: InputSpec) {
  const parameters = new Map<string, Parameter>()
  const values = new Map<string, string>()
  const create: Pass['create'] = (name, shape, fill) => {
    values.set(name, digestOfValues(fill()))
    return tf.variable(tf.fill(shape, 0))
  }
  await recordGraph({ input: { shape: [1, ...shape.slice(1)], dtype } }, ({ input }) => ({
    output: runInPass({ ...PASS, parameters, create }, () => forward(input as tf.Tensor)),
  }))
  const all = [...parameters.values()]
  const model: Pick<Model, 'parameters' | 'trained' | 'apply'> = {
    parameters: all,
    trained: all.filter(({ trained }) => trained),
    apply: (input, mode, extras) =>
      runInPass({ ...PASS, ...mode, parameters, create: null }, () => forward(input, extras)),
  }
  const initial = all.map(({ name, shape, decay, trained }): Initial => [name, shape, decay, trained, values.get(name)])
  return { model, initial }
}

/** Throws Unrepeatable where parameters start from other values the second time. */
function expectSameInitial(before: Initial[], now: Initial[]): void {
  const other = before.find((each, i) => JSON.stringify(each) !== JSON.stringify(now[i]))
  if (!other) return
  throw new Unrepeatable(
    `'${other[0]}' gets other initial values when it is made again; draw them by the key that an initialiser gets`,
  )
}

/** What goes into the code of a model: batches of so many examples, and the parameters. */
export function specs(
  given: Record<string, InputSpec>,
  examples: number,
  model: Pick<Model, 'parameters'>,
): Record<string, Spec> {
  const batch = Object.entries(given).map(([name, { shape, dtype = 'float32' }]): [string, Spec] => [
    name,
    { shape: [examples, ...shape.slice(1)], dtype },
  ])
  return { ...Object.fromEntries(batch), ...parameterSpecs(model) }
}

/** The parameters as they go into the code of a model; see recordableCode. */
export function parameterSpecs({ parameters }: Pick<Model, 'parameters'>): Record<string, Spec> {
  return Object.fromEntries(parameters.map(({ name, shape }) => [PARAMETER + name, { shape, dtype: 'float32' }]))
}

async function recordedTwice(inputs: Record<string, Spec>, code: Code): Promise<Graph> {
  const graph = await recordGraph(inputs, code)
  await recordGraph(inputs, code, graph)
  return graph
}

/** A graph in plain data; constants by the digests of their values, draws by how they are drawn. */
function written({ operations, outputs, constants, draws }: Graph): unknown {
  return [
    operations,
    outputs,
    constants.map(({ use, values }) => [use, digestOfValues(values)]),
    draws.map(({ use, values, source }) => [
      use,
      source ? [source.kind, source.rate, source.key(0)] : digestOfValues(values(0)),
    ]),
  ]
}
