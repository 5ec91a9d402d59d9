import { base64 } from '../data/base64.ts'
import type { Diagram } from '../diagram/diagram.ts'
import { differenceOf } from '../diagram/difference.ts'
import { diagramSvg } from '../diagram/draw.ts'
import { differenceText, totalsText } from '../diagram/words.ts'
import { messageOf } from '../errors.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { type Html, html } from './html.ts'

/** Makes the model of a run again, without its weights, and says what it does. */
export type DiagramOf = (run: StoredRunDetails) => Promise<Diagram>

/** What the model of a variant does, as SVG and in words; without a drawing, why there is none. */
export interface ReportModel {
  variant: string
  svg: string | null
  text: string
}

/** Levels of a model that are opened: its blocks are, the layers in them are not. */
const LEVELS = 1

/** The models of one run of each variant: that of the baseline, and of each other one its difference to that. */
export async function reportModels(
  runs: readonly StoredRunDetails[],
  baseline: string,
  diagramOf: DiagramOf,
): Promise<ReportModel[]> {
  const isBaseline = ({ variant }: StoredRunDetails) => variant === baseline
  const models: ReportModel[] = []
  let against: Diagram | null = null
  for (const run of runs.toSorted((a, b) => Number(isBaseline(b)) - Number(isBaseline(a)))) {
    const { variant } = run
    try {
      const own = { ...(await diagramOf(run)), name: variant }
      const difference = against && differenceOf(against, own)
      const words = difference && against ? `${differenceText(difference, against.name, variant)}. ` : ''
      const svg = diagramSvg(difference?.diagram ?? own, LEVELS)
      models.push({ variant, svg, text: `${words}${totalsText(own)}.` })
      against ??= own
    } catch (error) {
      models.push({ variant, svg: null, text: `No diagram: ${messageOf(error)}` })
    }
  }
  return models
}

/** As pictures, for their style sheets would hold for the whole page. */
export function modelsHtml(models: readonly ReportModel[]): Html | null {
  if (models.length === 0) return null
  return html`<details><summary>Models</summary>${models.map(
    ({ variant, svg, text }) =>
      html`<figure><figcaption>${variant}</figcaption>${svg && html`<div class="scroll"><img class="diagram" src="data:image/svg+xml;base64,${base64(new TextEncoder().encode(svg))}" alt="Diagram of ${variant}"></div>`}<p class="note">${text}</p></figure>`,
  )}</details>`
}
