import * as tf from '@tensorflow/tfjs-core'
import { compile } from '../../compile/compile.ts'
import { type EagerFallback, eagerFallback } from '../../compile/eagerFallback.ts'
import { hasPrograms, type Program } from '../../compile/program.ts'
import type { Code } from '../../compile/record.ts'
import type { RuleCode, StepTensors } from './ruleCode.ts'

/** The update of all parameters as one program. */
export interface UpdateProgram {
  /** Records it, where the current backend has programs. */
  prepare(): Promise<void>
  /** What is new of each parameter; null where there is no program. */
  run(own: readonly tf.NamedTensorMap[], step: StepTensors): tf.NamedTensorMap[] | null
  fallback(): EagerFallback | null
  dispose(): void
}

/**
 * Records the update of a rule once, with learning rate, step and scalars among its inputs. The bits are those of its operations,
 * which are done one by one where there is no program.
 */
export function updateProgram({ parameters, stepOf, ownOf, update }: RuleCode): UpdateProgram {
  let made: { program: Program; backend: tf.KernelBackend } | null = null
  let slow: EagerFallback | null = null
  let usesNorm = false

  const body: Code = (given) => {
    const one = (name: string) => given[name] as tf.Tensor
    const below = (prefix: string) =>
      Object.fromEntries(
        Object.keys(given).flatMap((name) => (name.startsWith(prefix) ? [[name.slice(prefix.length), one(name)]] : [])),
      )
    const rates: Record<string, tf.Scalar>[] = []
    for (let at = 0; `rate ${at}/learningRate` in given; at++)
      rates.push(below(`rate ${at}/`) as Record<string, tf.Scalar>)
    const norm = () => {
      usesNorm = true
      return one('norm') as tf.Scalar
    }
    const step: StepTensors = { norm, step: one('step') as tf.Scalar, rates }
    const results = parameters.flatMap((_, i) => named(`${i}/`, update(i, below(`${i}/`), step)))
    return Object.fromEntries(results)
  }

  function inputsOf(own: readonly tf.NamedTensorMap[], { norm, step, rates }: StepTensors): tf.NamedTensorMap {
    return Object.fromEntries([
      ['step', step],
      ['norm', usesNorm ? norm() : step],
      ...rates.flatMap((numbers, at) => named(`rate ${at}/`, numbers)),
      ...own.flatMap((tensors, i) => named(`${i}/`, tensors)),
    ])
  }

  return {
    async prepare() {
      const backend = tf.backend()
      if (!hasPrograms(backend) || made?.backend === backend || slow) return
      const { specs } = tf.tidy(() => {
        const own = parameters.map(({ variable }, i) => ownOf(i, variable))
        const given = Object.entries(inputsOf(own, stepOf(1, 1, {})))
        return { specs: Object.fromEntries(given.map(([name, { shape, dtype }]) => [name, { shape, dtype }])) }
      })
      const program = await compile(backend, specs, 1, body)
      if (program instanceof Error) slow = { ...eagerFallback(program, backend), settled: true }
      else made = { program, backend }
    },
    run(own, step) {
      if (made?.backend !== tf.backend()) return null
      const results = made.program.run(inputsOf(own, step), 0)
      const all: tf.NamedTensorMap[] = own.map(() => ({}))
      for (const [name, value] of Object.entries(results)) {
        const at = name.indexOf('/')
        ;(all[Number(name.slice(0, at))] as tf.NamedTensorMap)[name.slice(at + 1)] = value
      }
      return all
    },
    fallback: () => slow,
    dispose: () => {
      made?.program.dispose()
      made = null
    },
  }
}

function named(prefix: string, tensors: tf.NamedTensorMap): [string, tf.Tensor][] {
  return Object.entries(tensors).map(([name, tensor]) => [prefix + name, tensor])
}
