// Calls of kernels that are data, so that any thread can make them. A call is a row of float64: the number of the kernel,
// then its operands, which are all exact as float64.
import { binary } from './binary'
import { conv2d, conv2dGradFilter, conv2dGradInput } from './conv/conv'
import { depthwise, depthwiseGradFilter } from './conv/convDepthwise'
import { copy, fill, toFloat } from './copy'
import { crossEntropy, crossEntropyGrad } from './crossEntropy'
import { gather, oneHot } from './gather'
import { gelu, geluGrad, geluSlope } from './gelu'
import { layerNorm, layerNormGrad } from './layerNorm'
import { batchMatmul, matmulPart } from './matmul'
import { matmulPacked, packMatrix } from './matmulPacked'
import { join, operandsOf } from './pool'
import { maximumColumns, sumColumns } from './reduce'
import { softmax } from './softmax'
import { transpose } from './transpose'
import { logarithm, unary } from './unary'

/** Bytes of a call: the kernel and up to 17 operands. */
export const CALL: usize = 18 << 3

/** Runs `count` calls, which may come in any order and at the same time, by the threads of the pool. */
export function runCalls(pool: usize, calls: usize, count: i32): void {
  store<usize>(operandsOf(pool), calls)
  join(pool, count, runCall)
}

function runCall(operands: usize, number: i32): void {
  makeCall(load<usize>(operands) + <usize>number * CALL)
}

/** Makes the call at that address. */
export function makeCall(call: usize): void {
  next = call
  unchecked(KERNELS[i()])()
}

/** Where the next operand of the call is that this thread makes: each thread has globals of its own. */
let next: usize = 0

/** The next operand, a float. */
function f(): f64 {
  const operand = load<f64>(next)
  next += 8
  return operand
}

/** The next operand, an address, size, flag or 32 bits of any meaning. */
function i(): i32 {
  return <i32>(<i64>f())
}

/** In the order of NANOSECONDS in share.ts. */
const KERNELS: StaticArray<() => void> = [
  () => batchMatmul(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => matmulPart(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => unary(i(), i(), i(), i()),
  () => logarithm(i(), i(), i()),
  () => binary(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => gelu(i(), i(), i()),
  () => geluGrad(i(), i(), i(), i()),
  () => layerNorm(i(), i(), i(), i(), i(), i(), i(), i(), f()),
  () => layerNormGrad(i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => sumColumns(i(), i(), i(), i(), i(), i(), <f32>f()),
  () => maximumColumns(i(), i(), i(), i(), i(), i()),
  () => softmax(i(), i(), i(), i()),
  () => transpose(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => copy(i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i(), i()),
  () => fill(i(), i(), i()),
  () => toFloat(i(), i(), i()),
  () => gather(i(), i(), i(), i(), i(), i(), i()),
  () => oneHot(i(), i(), i(), i(), i(), i()),
  () => conv2d(i(), i(), i(), i(), i(), i(), i()),
  () => conv2dGradInput(i(), i(), i(), i(), i(), i(), i()),
  () => conv2dGradFilter(i(), i(), i(), i(), i(), i(), i(), i()),
  () => depthwise(i(), i(), i(), i(), i(), i(), i()),
  () => depthwiseGradFilter(i(), i(), i(), i(), i(), i(), i()),
  () => geluSlope(i(), i(), i(), i()),
  () => packMatrix(i(), i(), i(), i(), i()),
  () => matmulPacked(i(), i(), i(), i(), i(), i(), i()),
  () => crossEntropy(i(), i(), i(), i(), i(), i()),
  () => crossEntropyGrad(i(), i(), i(), i(), i(), i(), i()),
]
