import type { ClaimResult, PartResult, Results } from '../../../engine/claims/index.ts'

/** Results of a ready notebook without studies. */
export const someResults: Results = {
  version: '0.1.0',
  backend: 'simd',
  numerics: 5,
  seconds: 290,
  threads: 2,
  studies: [],
}

export const aPart: PartResult = {
  study: 'gates',
  of: 'linear',
  expected: 'worse',
  figures: '5.14 against 4.35',
  metric: 'test/perplexity',
  plan: { seeds: 8, margin: 0.2, spread: 0.08, power: 0.9, equalPower: 0.8 },
  verdict: 'found',
  seeds: 8,
  means: [5.1, 5.3],
  difference: 0.2,
  interval: { low: 0.1, high: 0.3 },
  sentence: 'worse by 0.20',
}

export function aClaim(parts: PartResult[]): ClaimResult {
  return { question: 'Which gate?', paper: 'gmlp', where: 'table 3', minutes: 6, pilot: [1001], parts }
}
