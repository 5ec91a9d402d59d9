// In a page of its own: the table of differentiable operations on a backend of the browser.
import * as tf from '@tensorflow/tfjs'
import { registerWebGl } from '../../engine/backends/webgl/register.ts'
import { registerGradients } from '../../engine/gradients/register.ts'
import { CARD, wrongAmong } from '../engine/gradients/check.ts'
import { table } from '../engine/gradients/table.ts'

/** What is wrong about the gradients of an operation on the backend, by every `part`-th of its cases. */
async function wrongOn(backend: string, name: string, part: number): Promise<string[]> {
  registerWebGl()
  if (!(await tf.setBackend(backend))) return [`${backend} does not start`]
  registerGradients()
  const wrong = await wrongAmong(
    name,
    (table[name] ?? []).filter((_, i) => i % part === 0),
    2,
    CARD,
  )
  // tfjs lacks some kernels on this backend: a run ends with that
  return wrong.filter((line) => !line.includes('not registered for backend'))
}

Object.assign(globalThis, { operations: Object.keys(table), wrongOn, gradientsReady: true })
