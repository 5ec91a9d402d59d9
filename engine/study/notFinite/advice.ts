import type { BadOperation } from './watch.ts'

/** What usually helps against values that are not finite, by the operation that makes them first. */
const ADVICE: Record<string, string> = {
  Log: 'keep what it gets above 0: add an eps to it, or take softplus of it first',
  Log1p: 'keep what it gets above -1',
  Sqrt: 'keep what it gets at 0 or above',
  Rsqrt: 'keep what it gets above 0: add an eps to it',
  RealDiv: 'keep the divisor away from 0: add an eps to it',
  Reciprocal: 'keep the divisor away from 0: add an eps to it',
  FloorDiv: 'keep the divisor away from 0: add an eps to it',
  Mod: 'keep the divisor away from 0: add an eps to it',
  Pow: 'keep the base above 0 where the exponent is no whole number: add an eps to it',
  Exp: 'subtract the largest value before it, as softmax does, or clip what it gets',
  Expm1: 'subtract the largest value before it, as softmax does, or clip what it gets',
  Acos: 'keep what it gets between -1 and 1',
  Asin: 'keep what it gets between -1 and 1',
  Atanh: 'keep what it gets between -1 and 1',
  Softmax: 'a row of minus infinities has no softmax: leave at least one finite, or use -1e9 in their place',
}

/** The same for gradients that are not finite where the operation itself is. */
const OF_GRADIENTS: Record<string, string> = {
  ...ADVICE,
  Sqrt: 'the gradient of a root at 0 is infinite: add an eps to what it gets',
  Pow: 'the gradient of a power below 1 at 0 is infinite: add an eps to the base',
}

const TOO_LARGE = 'its values have grown too large: normalise before it, or scale it down'

/** What to try against an operation whose result is the first that is not finite. */
export function adviceFor({ kernel, gradientOf, inputs }: BadOperation): string {
  const infinite = inputs.find((each) => each.nan + each.infinite > 0)
  if (infinite) return `'${infinite.name}' is a constant that is not finite: leave it out`
  return (gradientOf === null ? null : OF_GRADIENTS[gradientOf]) ?? ADVICE[kernel] ?? TOO_LARGE
}
