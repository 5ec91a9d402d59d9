import type { Figure } from './types.ts'

const made = new WeakSet<object>()

/** Notes that `plot` or `table` has made a figure: it is drawn, not listed like other objects, and cannot be changed. */
export function figure<F extends Figure>(figure: F): F {
  made.add(figure)
  return frozen(figure)
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/** Whether `plot` or `table` has made a value. */
export function isFigure(value: unknown): value is Figure {
  return typeof value === 'object' && value !== null && made.has(value)
}
