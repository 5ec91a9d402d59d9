import * as tf from '@tensorflow/tfjs-core'
import { recordableCode } from '../../compile/model.ts'
import { observingBackend } from '../../compile/observingBackend.ts'
import { blank, type Spec } from '../../compile/record.ts'
import { PARAMETER } from '../../compile/training.ts'
import { MixlabError } from '../../errors.ts'
import { watchCustom } from '../../gradients/custom.ts'
import type { InputSpec, Model, TextExtras } from '../../nn/model.ts'
import { lineOf } from '../../notebook/location.ts'
import { tracing } from '../../trace/backend.ts'
import { gradientCode, type LossOf } from '../../train/differentiate.ts'
import { randomInput } from '../design/repetition.ts'
import { type Measured, measureCustom, measureKernels, worstAmong } from './measured.ts'
import { type Uses, usesOf } from './uses.ts'

/** What was found of the gradients that a model is trained by. */
export interface GradientCheck {
  /** Why it cannot be trained: a gradient is missing or wrong. */
  refused: MixlabError | null
  /** What could not be checked, in words. */
  unchecked: string[]
}

/** A model, and what it is given. */
export interface CheckedModel {
  model: Pick<Model, 'parameters' | 'trained' | 'apply'>
  input: InputSpec
  extras?: Partial<Record<keyof TextExtras, InputSpec>> | undefined
  /** The loss, where it is to be checked with the model, and what batches of it have. */
  loss?: { of: LossOf; batch: Record<string, Spec> } | undefined
}

/** Examples of a batch: enough for what is done across them. */
const EXAMPLES = 2

/**
 * The gradient check of what code of cells is trained by, before the first step: that each operation has one, and that of
 * each operation that the table of tried ones does not cover, and each custom one, alone, on random inputs of order one,
 * against central differences at three step sizes. Takes a recording of the model; for each operation that is checked,
 * some hundred calls of it with two examples. Throws nothing that the code throws: training will.
 */
export async function checkGradients(checked: CheckedModel): Promise<GradientCheck> {
  const uses = (await recordedUses(checked)) ?? eagerUses(checked)
  if (!uses) return { refused: null, unchecked: [] }
  if (uses.missing) return { refused: uses.missing, unchecked: [] }
  if (uses.stop?.line) return { refused: withoutSlope(uses.stop.name, uses.stop.line), unchecked: [] }
  const customs = uses.customs.some(({ line }) => line !== null) ? customsOf(checked, uses) : []
  const unchecked: string[] = []
  let refused: MixlabError | null = null
  for (const { use, why, ...found } of [...measureKernels(uses.kernels), ...customs]) {
    const wrong = await worstAmong(found)
    if (wrong === 'unknown') {
      unchecked.push(`${use.line}: the gradient of ${use.name} could not be checked${why ? `: ${why}` : ''}`)
    } else if (wrong && !refused) {
      const [given, meant] = [wrong.gradient, wrong.differences.at(-1) as number].map((each) =>
        Number(each.toPrecision(3)),
      )
      const what = `the gradient of ${use.name} by its input ${wrong.input + 1} is wrong by ${Math.round(100 * wrong.off)}%`
      const advice = 'correct it, or declare it by surrogate(forward, backward)'
      refused = new MixlabError(
        'option',
        use.line ?? '',
        `${what}: ${given}, by central differences ${meant}; ${advice}`,
      )
    }
  }
  return { refused, unchecked }
}

function withoutSlope(name: string, line: string): MixlabError {
  const what = `no gradient reaches the weights: ${name} is constant but for jumps`
  return new MixlabError('option', line, `${what}; leave it out, or declare a gradient by surrogate(forward, backward)`)
}

/** The loss, or else the sum of what the model says. */
function lossOf({ model, loss }: CheckedModel): LossOf {
  return (
    loss?.of ?? (({ input, ...extras }, mode) => tf.sum(model.apply(input as tf.Tensor, mode, extras as TextExtras)))
  )
}

/** What gradients pass through by what the model does on shapes alone, as `usesOf`; null where it cannot be recorded. */
export async function recordedUses(checked: CheckedModel, whereabouts = lineOf): Promise<Uses | null> {
  const { model } = checked
  const code = recordableCode(model, true, gradientCode(model, lossOf(checked)))
  try {
    return await tracing(
      (recorder) => {
        const given = Object.entries(specsOf(checked)).map(([name, spec]) => [name, blank(spec)])
        const parameters = model.parameters.map(({ name, shape }) => [
          PARAMETER + name,
          blank({ shape, dtype: 'float32' }),
        ])
        const all = Object.fromEntries([...given, ...parameters])
        return usesOf(code, all, (run, observe) => recorder.record(run, observe), whereabouts)
      },
      { fused: true, held: Number.POSITIVE_INFINITY },
    )
  } catch {
    return null
  }
}

/** By what it does on the current backend; null where it fails. */
function eagerUses(checked: CheckedModel): Uses | null {
  return onCopies(checked, (given) => {
    const code = recordableCode(checked.model, true, gradientCode(checked.model, lossOf(checked)), (shape) =>
      tf.ones(shape),
    )
    return usesOf(code, given, observingBackend)
  })
}

/** Measures the custom gradients of a forward pass on the current backend; `uses` says which inputs matter. */
function customsOf(checked: CheckedModel, uses: Uses): Measured[] {
  const measured: Measured[] = []
  const seen = new Set<string>()
  let place = 0
  onCopies(checked, (given) => {
    const code = recordableCode(
      checked.model,
      true,
      (batch, { mode }) => ({ output: lossOf(checked)(batch, mode) }),
      (shape) => tf.ones(shape),
    )
    watchCustom(
      (call) => {
        const use = uses.customs[place++]
        const key = JSON.stringify([use, call.inputs.map(({ shape, dtype }) => [shape, dtype])])
        if (!use?.inputs.some(({ moving }) => moving) || use.line === null || seen.has(key)) return
        seen.add(key)
        measured.push(measureCustom(use, call))
      },
      () => code(given, { backward: () => {}, draw: () => {} }),
    )
  })
  return measured
}

/** Runs code on random inputs and copies of the parameters, which it may assign; null where it fails. */
function onCopies<Result>(checked: CheckedModel, run: (given: tf.NamedTensorMap) => Result): Result | null {
  const before = new Set(Object.values(tf.engine().registeredVariables))
  tf.engine().startScope('gradients')
  try {
    const given = Object.entries(specsOf(checked)).map(([name, spec]) => [name, randomInput(name, spec)])
    const parameters = checked.model.parameters.map(({ name, variable }) => [PARAMETER + name, tf.clone(variable)])
    return run(Object.fromEntries([...given, ...parameters]))
  } catch {
    return null
  } finally {
    tf.engine().endScope()
    for (const variable of Object.values(tf.engine().registeredVariables)) if (!before.has(variable)) variable.dispose()
  }
}

function specsOf({ input, extras, loss }: CheckedModel): Record<string, Spec> {
  if (loss) return loss.batch
  const all: [string, InputSpec][] = Object.entries({ input, ...extras })
  return Object.fromEntries(
    all.map(([name, spec]) => [name, { dtype: spec.dtype ?? 'float32', shape: spec.shape.with(0, EXAMPLES) }]),
  )
}
