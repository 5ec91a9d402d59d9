import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import { functionErrors, type Tried, triedFunctions } from '../cards/functions.ts'
import { programmed, read } from './compare.ts'

/** Infinity and NaN are left out: a card may compute as if there were none. */
const SPECIAL = [0, -0]

async function eagerly(tried: Tried[]): Promise<Float32Array[]> {
  const values: Float32Array[] = []
  for (const { operands, run } of tried) {
    const result = tf.tidy(() => run(...operands.map((each) => tf.tensor1d(each))))
    values.push((await read({ result })).result as Float32Array)
  }
  return values
}

/** All functions in a program each. */
async function inPrograms(tried: Tried[]): Promise<Float32Array[]> {
  const values: Float32Array[] = []
  for (const { name, operands, run } of tried) {
    const given = Object.fromEntries(operands.map((each, i) => [`${i}`, tf.tensor1d(each)]))
    const code = (x: tf.NamedTensorMap) => ({
      result: tf.add(run(...operands.map((_, i) => x[`${i}`] as tf.Tensor)), 0),
    })
    const found = await programmed(given, operands[0]?.length ?? 1, code)
    if (found instanceof Error) throw new Error(`${name}: ${found.message}`)
    values.push(found.result as Float32Array)
  }
  return values
}

/** Functions of one and two values are those of float64, as programs and operation by operation. */
export async function functions(): Promise<string[]> {
  const tried = triedFunctions(SPECIAL)
  await startBackend('webgpu', 1)
  const [alone, programs] = [await eagerly(tried), await inPrograms(tried)]
  await startBackend('cpu', 1)
  const right = await eagerly(tried)
  return Object.entries({ 'operation by operation': alone, 'as a program': programs }).flatMap(([how, own]) => {
    const { report, wrong } = functionErrors(tried, own, right)
    return [...report.map((line) => `${line}, ${how}`), ...wrong.map((line) => `FAILED: ${line}, ${how}`)]
  })
}
