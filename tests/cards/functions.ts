import * as tf from '@tensorflow/tfjs'
import { families } from '../engine/gradients/table.ts'

/** What a check found, and what of it is wrong. */
export interface Found {
  report: string[]
  wrong: string[]
}

/** The relative error that a function may have. */
const LIMIT = 1e-5

const signed = (values: number[]) => Float32Array.from(values.flatMap((value) => [value, -value]))
/** 1e-8 to 1e4, values near 1, halves, and where functions overflow. */
const SWEEP = signed([
  ...Array.from({ length: 61 }, (_, i) => 10 ** (i / 5 - 8)),
  ...[1e-7, 1e-5, 1e-3, 0.1, 0.3].flatMap((distance) => [1 - distance, 1 + distance]),
  ...[0.5, 1.5, 2, 2.5, 3, 3.5, 4.5, 5.5, 20, 60, 88],
])
const SPECIAL = [0, -0, Infinity, -Infinity, Number.NaN, 1, -1, 1e20, -1e20]
const OPERANDS = signed([0, 1e-6, 0.3, 0.5, 1, 1.5, 2, 2.5, 3, 7, 10.3, 1000])

/** Beyond 10,000 float32 has too few digits for turns. */
const PERIODIC = ['sin', 'cos', 'tan']
/** Their values jump where the quotient is whole, which float32 can miss. */
const JUMPING = ['mod', 'floorDiv']
/** Smaller values may count as 0 on a graphics card. */
const SMALLEST = 2 ** -126

/** The error function in float64: its series, or its continued fraction. */
function erf(x: number): number {
  const a = Math.abs(x)
  if (a > 6) return Math.sign(x)
  if (a < 3) {
    let [term, sum] = [x, x]
    for (let n = 1; n < 100; n++) {
      term *= (-x * x) / n
      sum += term / (2 * n + 1)
    }
    return (2 / Math.sqrt(Math.PI)) * sum
  }
  const below = Array.from({ length: 60 }, (_, i) => (60 - i) / 2).reduce((sum, each) => each / (a + sum), 0)
  return Math.sign(x) * (1 - Math.exp(-a * a) / (a + below) / Math.sqrt(Math.PI))
}

/** A function of one or two values, and where it is tried: a row for each operand. */
export interface Tried {
  name: string
  operands: Float32Array[]
  run(...operands: tf.Tensor[]): tf.Tensor
}

/** All of tfjs that work value by value on float32, by the table of differentiable operations. */
export function triedFunctions(special: readonly number[] = SPECIAL): Tried[] {
  const [unary, binary] = [
    [...SWEEP, ...special].map((x) => [x]),
    [...OPERANDS].flatMap((a) => [...OPERANDS].map((b) => [a, b])),
  ]
  return Object.entries(families.elementwise).flatMap(([name, [first]]) => {
    const arity = first?.inputs.length ?? 0
    const floats = first?.inputs.every(({ dtype }) => dtype === 'float32')
    if (!first || !floats || arity < 1 || arity > 2 || /broadcastTo|dropout/.test(name)) return []
    const places = (arity === 1 ? unary : binary).filter(([a = 0, b = 1]) => {
      if (PERIODIC.includes(name)) return !(Math.abs(a) > 1e4 && Number.isFinite(a))
      const quotient = a / b
      return (
        !JUMPING.includes(name) || (b !== 0 && Math.abs(quotient - Math.round(quotient)) > 1e-6 * Math.abs(quotient))
      )
    })
    const operands = Array.from({ length: arity }, (_, i) => Float32Array.from(places, (place) => place[i] as number))
    return [{ name, operands, run: (...given: tf.Tensor[]) => first.run(...given) as tf.Tensor }]
  })
}

/** Their values on the current backend, one function after the other. */
export function valuesOf(tried: Tried[]): ArrayLike<number>[] {
  return tried.map(({ operands, run }) =>
    tf.tidy(() => run(...operands.map((values) => tf.tensor1d(values))).dataSync()),
  )
}

/** The largest relative error of each function beside the kernels of the backend cpu, which compute in float64. */
export function functionErrors(tried: Tried[], own: ArrayLike<number>[], onCpu: ArrayLike<number>[]): Found {
  const found: Found = { report: [], wrong: [] }
  for (const [at, { name, operands }] of tried.entries()) {
    const worst = { error: 0, text: name }
    for (let i = 0; i < (operands[0]?.length ?? 0); i++) {
      const place = operands.map((values) => values[i] as number)
      const value = own[at]?.[i] as number
      const right = name === 'erf' ? erf(place[0] as number) : (onCpu[at]?.[i] as number)
      if (value === right || (Number.isNaN(value) && Number.isNaN(right))) continue
      if (Math.max(Math.abs(value), Math.abs(right)) < SMALLEST) continue
      const scale = name === 'mod' ? Math.abs(place[0] as number) : Math.abs(right) // beside a remainder the whole counts
      const error = Math.abs(value - right) / Math.max(SMALLEST, scale)
      if (error <= worst.error) continue
      worst.error = error < Infinity ? error : Infinity // NaN is as wrong
      worst.text = `${name}(${place.join(', ')}) is ${value}, not ${right}`
    }
    found.report.push(`${worst.error.toExponential(1)} ${worst.text}`)
    if (worst.error > LIMIT) found.wrong.push(worst.text)
  }
  return found
}

/** The errors of all functions on a backend, operation by operation. */
export async function functionsOn(backend: string, start: (backend: string) => Promise<unknown>): Promise<Found> {
  const tried = triedFunctions()
  await start(backend)
  const own = valuesOf(tried)
  await start('cpu')
  return functionErrors(tried, own, valuesOf(tried))
}
