import type { Level } from '../../study/design/crossing.ts'
import { plotlyText } from '../figure/words.ts'

/** A level as an axis, a legend or a cell has room for it: of a longer one the start and the end. */
export function shortLevel(level: Level, most = 16): string {
  const text = String(level)
  const start = Math.ceil((most - 1) * 0.65)
  return plotlyText(text.length > most ? `${text.slice(0, start)}…${text.slice(start + 1 - most)}` : text)
}

/** Levels of some factors: `lr 0.003, gate split`. */
export function levelsText(names: readonly string[], levels: readonly Level[]): string {
  return names.map((name, i) => `${name} ${levels[i]}`).join(', ')
}
