import { factorGrid } from '../../../engine/charts/factors/grid.ts'
import { interaction } from '../../../engine/charts/factors/interaction.ts'
import { numericFactor } from '../../../engine/charts/factors/numeric.ts'
import type { FactorChartOptions, FactorRow } from '../../../engine/charts/factors/rows.ts'
import type { Chart } from '../../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../../engine/charts/figure/figure.ts'
import { crossingOf } from '../../../engine/study/design/crossing.ts'
import { MEANINGS } from '../../meanings.ts'
import { type Entry, entry, type Source } from '../entry.ts'

type Draw = (rows: FactorRow[], options: FactorChartOptions, style: FigureStyle) => Chart

/** The runs of the study `crossed`; with `gaps` those of one learning rate and depth did not complete. */
async function rowsOf({ host, runs }: Source, metric: string, gaps: boolean) {
  const all = await runs('crossed')
  const [design] = await host.designsOf(all.map(({ key }) => key))
  const crossing = crossingOf(design?.variants ?? [])
  if (!crossing) throw new Error('the study is not crossed')
  const rows = all.map(({ variant, seed, id, metrics }): FactorRow => {
    const levels = crossing.levels.get(variant) ?? {}
    const lost = gaps && levels.lr === 3e-3 && levels.depth === 2
    return { levels, seed, run: id, value: lost ? null : (metrics[metric]?.last ?? null) }
  })
  return { rows, factors: crossing.factors }
}

function ofFactors(file: string, name: string, metric: string, draw: Draw, gaps = false): Entry {
  return entry(`factors/${file}`, name, async (source, style) => {
    const { rows, factors } = await rowsOf(source, metric, gaps)
    return draw(rows, { metric, meaning: MEANINGS[metric], factors }, style)
  })
}

const ACCURACY = 'test/accuracy'
const LOSS = 'test/loss'

/** A study that is crossed by learning rate, gate and depth. */
export const factors: Entry[] = [
  ofFactors('numeric', 'learning rate, a line per gate and depth', ACCURACY, (rows, options, style) =>
    numericFactor(rows, { ...options, x: 'lr', lines: ['gate', 'depth'] }, style),
  ),
  ofFactors(
    'numeric',
    'with gaps',
    LOSS,
    (rows, options, style) => numericFactor(rows, { ...options, x: 'lr', lines: ['depth'] }, style),
    true,
  ),
  ofFactors('grid', 'accuracy', ACCURACY, (rows, options, style) =>
    factorGrid(rows, { ...options, x: 'lr', y: 'gate' }, style),
  ),
  ofFactors(
    'grid',
    'loss, which is better when lower, with gaps',
    LOSS,
    (rows, options, style) => factorGrid(rows, { ...options, x: 'lr', y: 'depth' }, style),
    true,
  ),
  ofFactors('interaction', 'gate and depth', ACCURACY, (rows, options, style) =>
    interaction(rows, { ...options, x: 'gate', lines: ['depth'] }, style),
  ),
  ofFactors('interaction', 'learning rate, depth and gate', LOSS, (rows, options, style) =>
    interaction(rows, { ...options, x: 'lr', lines: ['depth', 'gate'] }, style),
  ),
]
