import { MixlabError } from '../errors.ts'
import { figure, isFigure } from './figures.ts'
import { checkOptions, isRecord, titles } from './marks.ts'
import type { Heatmap, Marks, Panels, RunsFigure } from './types.ts'

/** More letters than a reader looks up. */
const MOST = 12

type Panel = Marks | Heatmap | RunsFigure
const MAKERS: Record<Panel['type'], true> = { marks: true, heatmap: true, runs: true }

export interface PanelsOptions<Each extends Panel = Panel> {
  /** What the other functions of `plot` have made, 1 to 12. */
  panels: readonly Each[]
  /** How many stand side by side; 2, or 1 where there is one, if left out. */
  columns?: number
  title?: string
}

/** Several figures as one, with the letters (a), (b) and so on. Throws MixlabError `option`. */
export function panels<Each extends Panel>(given: readonly Each[] | PanelsOptions<Each>): Panels<Each> {
  const path = 'plot.panels'
  const options = isRecord(given) ? (given as unknown as PanelsOptions<Each>) : { panels: given as readonly Each[] }
  checkOptions(options, ['panels', 'columns', 'title'], path)
  const list: unknown = options.panels
  if (!Array.isArray(list) || list.length < 1 || list.length > MOST) {
    const got = Array.isArray(list) ? `${list.length} figures` : 'no list'
    throw new MixlabError('option', `${path}.panels`, `${got}, expected 1 to ${MOST} figures`)
  }
  const panels = list.map((panel: unknown, i) => {
    if (isFigure(panel) && Object.hasOwn(MAKERS, panel.type)) return panel as Each
    throw new MixlabError(
      'option',
      `${path}.panels[${i}]`,
      'expected what plot.line, .scatter, .bar, .histogram, .heatmap or .runs made',
    )
  })
  const { columns = Math.min(2, panels.length) } = options
  if (!Number.isInteger(columns) || columns < 1 || columns > MOST)
    throw new MixlabError('option', `${path}.columns`, `${columns}, expected a whole number from 1 to ${MOST}`)
  const { title } = titles(options)
  return figure<Panels<Each>>({ type: 'panels', panels, columns: Math.min(columns, panels.length), title })
}
