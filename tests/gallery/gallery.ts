// Trains small studies, kept from one call to the next, and draws every chart of engine/charts with their rows.
import { join, resolve } from 'node:path'
import { openHost } from '../../app/host.ts'
import { draw } from '../../engine/charts/drawing/draw.ts'
import { svgOf } from '../../engine/charts/drawing/svg.ts'
import { COLUMN, paperStyle, sheetOf } from '../../engine/charts/figure/paper.ts'
import { entries } from './entries/index.ts'
import { diagrams } from './entries/papers.ts'
import type { Source } from './entry.ts'
import { figureStyle } from './figureStyle.ts'
import { type Drawn, writePage } from './page.ts'
import { train } from './studies.ts'

const folder = resolve(import.meta.dirname, '../../dist/gallery')
const workspace = join(folder, 'workspace')

await train(workspace)
const host = openHost({ workspace })
try {
  const runs = (await host.listRuns({ status: 'done' })).sort((a, b) => a.id - b.id)
  const source: Source = {
    host,
    runs: async (study) => runs.filter((run) => run.study === study),
    runsOf: async (prefix) => runs.filter((run) => run.study.startsWith(prefix)),
  }
  const drawn: Drawn[] = []
  for (const { file, name, chart } of entries) {
    const [light, dark] = [await chart(source, figureStyle(false)), await chart(source, figureStyle(true))]
    const printed = await chart(source, paperStyle(COLUMN))
    const paper = svgOf(draw(printed, sheetOf(COLUMN)), { unit: 'pt', label: printed.title })
    drawn.push({ file, name, light, dark, paper })
  }
  const pictures = await Promise.all(diagrams.map(async ({ name, svg }) => ({ name, svg: await svg() })))
  console.log(`${drawn.length} charts and ${pictures.length} diagrams: ${writePage(folder, drawn, pictures)}`)
} finally {
  host.close()
}
