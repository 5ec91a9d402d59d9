import * as tf from '@tensorflow/tfjs-core'
import type { Mode, Model } from '../nn/model.ts'
import { compile } from './compile.ts'
import { type EagerFallback, eagerFallback } from './eagerFallback.ts'
import { hasPrograms, type Program, type Programs } from './program.ts'
import { blank, type Code } from './record.ts'
import { PARAMETER } from './training.ts'

/** How code of a model runs this time. */
export interface Run {
  /** For `model.apply`. */
  mode: Mode
  /** The values of the parameters, by name. */
  parameters: tf.NamedTensorMap
  /** To be called where the backward pass begins. */
  backward(): void
}

/** Code that applies a model to a batch, e.g. its loss and the gradients of that. */
export type ModelCode<Outputs extends string> = (batch: tf.NamedTensorMap, run: Run) => Record<Outputs, tf.Tensor>

/** Code of a model that runs on batch after batch. */
export interface Compiled<Outputs extends string> {
  /** `step` counts the updates done and names what is drawn. The caller disposes what it gets. Not inside `tf.tidy`. */
  run(batch: tf.NamedTensorMap, step: number): Promise<Record<Outputs, tf.Tensor>>
  /** Why it runs operation by operation, once it does. */
  fallback(): EagerFallback | null
  dispose(): void
}

export interface CompileOptions {
  training: boolean
  /** False to run operation by operation in any case. */
  program?: boolean
}

/** Batches of so many shapes get a program of their own. */
const MAX_PROGRAMS = 8

/**
 * Code of a model to be recorded, with its parameters among the inputs, and the parameters that it assigns among the
 * outputs. `mask` makes the tensor that stands for a mask of a shape: one without values, where the code is not watched
 * while it runs.
 */
export function recordableCode<Outputs extends string>(
  model: Pick<Model, 'parameters'>,
  training: boolean,
  body: ModelCode<Outputs>,
  mask: (shape: number[]) => tf.Tensor = (shape) => blank({ shape, dtype: 'float32' }),
): Code {
  return (given, { backward, draw }) => {
    const names = model.parameters.map(({ name }) => name)
    const own = Object.entries(given).filter(([name]) => !name.startsWith(PARAMETER))
    const instead = Object.fromEntries(names.map((name) => [name, tf.variable(given[PARAMETER + name] as tf.Tensor)]))
    const mode = { training, step: 0, instead, onDraw: draw, blank: mask }
    const outputs = body(Object.fromEntries(own), { mode, parameters: instead, backward })
    const assigned = Object.entries(instead).filter(([name, { dataId }]) => dataId !== given[PARAMETER + name]?.dataId)
    return { ...outputs, ...Object.fromEntries(assigned.map(([name, variable]) => [PARAMETER + name, variable])) }
  }
}

/**
 * Code of a model, to run again and again. On the `simd` backend it is recorded once for each shape of batch and then run
 * as a program, bit for bit the same; else, and where it cannot be recorded, operation by operation.
 */
export function compiled<Outputs extends string>(
  model: Model,
  { training, program: wanted = true }: CompileOptions,
  body: ModelCode<Outputs>,
): Compiled<Outputs> {
  const programs = new Map<string, Program | Error>()
  let slow: EagerFallback | null = null
  const parameters = Object.fromEntries(model.parameters.map(({ name, variable }) => [name, variable]))
  const inputs = Object.fromEntries(Object.entries(parameters).map(([name, variable]) => [PARAMETER + name, variable]))

  /** An error where there is none. */
  async function programFor(backend: Programs, batch: tf.NamedTensorMap, examples: number): Promise<Program | Error> {
    const key = JSON.stringify(Object.entries(batch).map(([name, { shape, dtype }]) => [name, shape, dtype]))
    const known = programs.get(key)
    if (known) return known
    if (programs.size === MAX_PROGRAMS) return new Error(`has batches of more than ${MAX_PROGRAMS} shapes`)
    const code = recordableCode(model, training, body)
    const program = await compile(backend, { ...batch, ...inputs }, examples, code)
    programs.set(key, program)
    return program
  }

  /** Gives the parameters that the code assigns, such as running statistics, their values; the other outputs. */
  function withoutAssigned(results: tf.NamedTensorMap): Record<Outputs, tf.Tensor> {
    const own = Object.entries(results).filter(([name, value]) => {
      const variable = inputs[name]
      variable?.assign(value)
      if (variable) value.dispose()
      return !variable
    })
    return Object.fromEntries(own) as Record<Outputs, tf.Tensor>
  }

  return {
    run: async (batch, step) => {
      const run = (backward = () => {}) =>
        tf.tidy(() => body(batch, { mode: { training, step }, parameters, backward }))
      const backend = tf.backend()
      if (!wanted || !hasPrograms(backend)) return run()
      const examples = Object.values(batch)[0]?.shape[0] ?? 1
      const program = await programFor(backend, batch, examples)
      const given = { ...batch, ...inputs }
      if (!(program instanceof Error)) return withoutAssigned(program.run(given, step))
      slow ??= eagerFallback(program, backend)
      return slow.run(given, examples, (_, { backward }) => run(backward)) as Record<Outputs, tf.Tensor>
    },
    fallback: () => slow,
    dispose: () => {
      for (const program of programs.values()) if ('dispose' in program) program.dispose()
      programs.clear()
      slow?.dispose()
    },
  }
}
