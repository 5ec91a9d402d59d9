import type { FactorRow } from '../../../../engine/charts/factors/rows.ts'

export const FACTORS = [
  { name: 'lr', levels: [0.003, 0.001, 0.01] },
  { name: 'gate', levels: ['linear', 'split'] },
]

/** A run; its id tells where it stands. */
export function row(lr: number, gate: string, seed: number, value: number | null): FactorRow {
  return { levels: { lr, gate }, seed, run: lr * 1000 + seed * 100, value }
}

/** Two seeds at all levels: 0.1 more for a step of the learning rate, 0.5 more for the other gate. */
export const rows = [0.003, 0.001, 0.01].flatMap((lr, i) =>
  ['linear', 'split'].flatMap((gate, g) => [1, 2].map((seed) => row(lr, gate, seed, 0.1 * i + 0.5 * g + 0.01 * seed))),
)
