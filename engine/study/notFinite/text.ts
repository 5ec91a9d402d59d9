import { FIRST_NOT_FINITE } from '../../records/diverged.ts'
import { adviceFor } from './advice.ts'
import { rangeText, short } from './range.ts'
import type { Origin } from './traceStep.ts'
import type { BadOperation, Phase } from './watch.ts'

/** What is known of a loss that is not finite. */
export interface NotFinite {
  /** `loss is NaN at step 12`. */
  message: string
  /** Null where it was not found. */
  origin: Origin | null
  /** The step, from 1 on, in which the first value that is not finite is made. */
  step: number
  /** The step before it; null where it was the first. */
  before: { loss: number; gradientNorm: number } | null
  /** Whether the weights of the start already give such a value with that batch. */
  atStart: boolean
  learningRate: number
}

/** Inputs of an operation that are described. */
const INPUTS = 3

const PHASES: Record<Phase, string> = {
  forward: 'in the forward pass',
  backward: 'in the backward pass',
  clipping: 'where gradients are added up or clipped',
  update: 'in the update of the parameters',
}

/**
 * Says it in one sentence: the line, the loss, the first operation with what it got, the step before, and what to try.
 * `own:5: loss is NaN at step 2: RealDiv, of the gradient of Sqrt, is the first to give such a value, in the backward pass of
 * step 1, from dy [8, 4] ...`
 */
export function notFiniteText(found: NotFinite): string {
  const { message, origin, step, before, atStart, learningRate } = found
  const where = origin?.kind === 'operation' ? placeOf(origin.first) : null
  const last = before
    ? `; at step ${step - 1} the loss was ${short(before.loss)}, the gradient norm ${short(before.gradientNorm)}`
    : ''
  const slower = `try a learning rate below ${learningRate}, warmup, or clip`
  const head = `${where === null ? '' : `${where}: `}${message}: `
  if (origin?.kind === 'data') {
    const what = `the data ${FIRST_NOT_FINITE}: example ${origin.example + 1} of the batch of step ${step}, ${rangeText(origin.part)}`
    return `${head}${what}${last}; leave such examples out`
  }
  if (atStart && origin?.kind === 'operation') {
    return `${head}${nameOf(origin.first)} ${FIRST_NOT_FINITE}, ${details(origin, step)}${last}; ${adviceFor(origin.first)}`
  }
  if (origin?.kind === 'operation') {
    return `${head}training diverged; ${nameOf(origin.first)} gave the first such value, ${details(origin, step)}${last}; ${slower}`
  }
  if (origin?.kind === 'update') {
    return `${head}training diverged; the update of ${origin.parameter} at step ${step} gave the first such value${last}; ${slower}`
  }
  return `${head}training diverged${last}; ${slower}`
}

/** The line of a cell, or else the layer. */
const placeOf = ({ line, layer }: BadOperation) => line ?? layer

function nameOf({ kernel, gradientOf }: BadOperation): string {
  return gradientOf === null ? kernel : `${kernel} of the gradient of ${gradientOf}`
}

function details({ first, turned }: Extract<Origin, { kind: 'operation' }>, step: number): string {
  const inputs = first.inputs.slice(0, INPUTS).map(rangeText).join(' and ')
  const of = inputs === '' ? '' : `, of ${inputs}`
  const place = turned && first.result.nan === 0 ? placeOf(turned) : null
  const nan = turned && place !== null ? `, which ${nameOf(turned)} made NaN at ${place}` : ''
  return `${PHASES[first.phase]} of step ${step}${of}${nan}`
}
