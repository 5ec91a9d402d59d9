import type { Figure, OpenFigure } from './types.ts'

const made = new WeakSet<object>()

/** Notes that `plot` or `table` has made a figure: it is drawn, not listed like other objects, and cannot be changed. */
export function figure<F extends Figure | OpenFigure>(figure: F): F {
  made.add(figure)
  return frozen(figure)
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/** Whether `plot` or `table` has made a value. */
export function isFigure(value: unknown): value is Figure | OpenFigure {
  return typeof value === 'object' && value !== null && made.has(value)
}

/** Whether a figure has runs that are still to be read of the store. */
export function isOpen(figure: Figure | OpenFigure): figure is OpenFigure {
  return figure.type === 'runs' || (figure.type === 'panels' && figure.panels.some(({ type }) => type === 'runs'))
}
