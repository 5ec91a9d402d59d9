import { MixlabError } from '../errors.ts'
import { figure, isFigure } from './figures.ts'
import { checkOptions, isRecord, titles } from './marks.ts'
import type { Heatmap, Marks, Panels } from './types.ts'

/** More letters than a reader looks up. */
const MOST = 12

export interface PanelsOptions {
  /** What the other functions of `plot` have made, 1 to 12. */
  panels: readonly (Marks | Heatmap)[]
  /** How many stand side by side; 2, or 1 where there is one, if left out. */
  columns?: number
  title?: string
}

/** Several figures as one, with the letters (a), (b) and so on. Throws MixlabError `option`. */
export function panels(given: readonly (Marks | Heatmap)[] | PanelsOptions): Panels {
  const path = 'plot.panels'
  const options: PanelsOptions = isRecord(given) ? (given as unknown as PanelsOptions) : { panels: given as Marks[] }
  checkOptions(options, ['panels', 'columns', 'title'], path)
  const list: unknown = options.panels
  if (!Array.isArray(list) || list.length < 1 || list.length > MOST) {
    const got = Array.isArray(list) ? `${list.length} figures` : 'no list'
    throw new MixlabError('option', `${path}.panels`, `${got}, expected 1 to ${MOST} figures`)
  }
  const panels = list.map((panel: unknown, i) => {
    if (isFigure(panel) && (panel.type === 'marks' || panel.type === 'heatmap')) return panel
    throw new MixlabError(
      'option',
      `${path}.panels[${i}]`,
      'expected what plot.line, .scatter, .bar, .histogram or .heatmap made',
    )
  })
  const { columns = Math.min(2, panels.length) } = options
  if (!Number.isInteger(columns) || columns < 1 || columns > MOST)
    throw new MixlabError('option', `${path}.columns`, `${columns}, expected a whole number from 1 to ${MOST}`)
  const { title } = titles(options)
  return figure<Panels>({ type: 'panels', panels, columns: Math.min(columns, panels.length), title })
}
