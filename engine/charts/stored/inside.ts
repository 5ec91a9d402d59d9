import { MixlabError } from '../../errors.ts'
import { layerNormsOf, layerOf } from '../../records/norms.ts'
import type { StoredRun } from '../../records/run.ts'
import { filtersOf, mixingMatrices } from '../../weights/mixing.ts'
import { readSafetensors, type SafetensorsFile } from '../../weights/safetensors.ts'
import { externalMemories, relativePositions } from '../../weights/tables.ts'
import { confusion } from '../confusion.ts'
import type { Panel } from '../figure/chart.ts'
import { attention } from '../weights/attention.ts'
import { histograms } from '../weights/histograms.ts'
import { layerNorms } from '../weights/layerNorms.ts'
import { matrices } from '../weights/matrices.ts'
import { spatialFilters } from '../weights/spatialFilters.ts'
import { type AskedLayers, type NamedChart, onePerVariant, type StoredRuns } from './source.ts'

/** What belongs to a layer, of a run. */
interface LayerRow {
  name: string
  run: number
}

/** The charts of what is inside of trained models, of one run of each variant. */
export const INSIDE: Record<string, NamedChart> = {
  confusion: { words: 'what each class was taken for', panels: confusionOf },
  mixing: layered('token-mixing weights', weights(mixingMatrices), (rows) => [
    (style) => matrices(rows, 'mixing', style),
  ]),
  filters: layered(
    'spatial filters of token mixing',
    weights((file) => filtersOf(mixingMatrices(file))),
    (rows) => [(style) => spatialFilters(rows, {}, style)],
  ),
  memories: layered(
    'external memories',
    weights(({ tensors }) => externalMemories(tensors)),
    (rows) => [(style) => matrices(rows, 'memories', style)],
  ),
  relative: layered(
    'biases of relative positions',
    weights(({ tensors }) => relativePositions(tensors)),
    (rows) => [(style) => matrices(rows, 'relative', style)],
  ),
  attention: layered(
    'attention maps of a validation example',
    async ({ id, hasWeights }, { attention }) =>
      hasWeights && attention ? (await attention(id)).map((map) => ({ ...map, name: map.layer, run: id })) : [],
    (rows) => [(style) => attention(rows, style)],
  ),
  histograms: layered('how the values of each tensor are spread over training', kept('weights'), byTensor),
  gradients: layered('how the gradients of each tensor are spread over training', kept('gradients'), byTensor),
  norms: layered(
    'gradient norm and update ratio of each layer over training',
    async ({ id }, { host }) =>
      layerNormsOf(await host.readNorms(id)).map((row) => ({ ...row, name: row.layer, run: id })),
    (rows) => {
      const moved = rows.some(({ ratio }) => ratio !== null)
      const kinds = moved ? (['gradient', 'ratio'] as const) : (['gradient'] as const)
      return kinds.map((kind) => (style) => layerNorms(rows, kind, style))
    },
  ),
}

/** A chart of rows by layer, of those layers that are asked for. */
function layered<Row extends LayerRow>(
  words: string,
  read: (run: StoredRun, stored: StoredRuns) => Promise<Row[]>,
  draw: (rows: Row[]) => Panel[],
): NamedChart {
  return {
    words,
    layered: true,
    panels: async (stored) => {
      const found: { run: StoredRun; rows: Row[] }[] = []
      for (const run of onePerVariant(stored)) found.push({ run, rows: await read(run, stored) })
      const isAsked = choiceOf(
        found.flatMap(({ rows }) => rows),
        stored.layers,
      )
      return found.flatMap(({ run, rows }) => {
        const own = rows.filter(isAsked)
        return own.length > 0 ? titled(draw(own), run, stored) : []
      })
    },
  }
}

const byNumbers = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** Whether a row is of a layer that is asked for. Throws MixlabError `option` for a layer that no row is of. */
function choiceOf(rows: LayerRow[], asked: AskedLayers | undefined): (row: LayerRow) => boolean {
  const isOf = (layer: string) => (row: LayerRow) => row.name === layer || row.name.startsWith(`${layer}.`)
  for (const layer of rows.length > 0 ? (asked?.names ?? []) : []) {
    if (rows.some(isOf(layer))) continue
    const known = [...new Set(rows.map(({ name }) => layerOf(name)))].sort(byNumbers)
    throw new MixlabError('option', asked?.option ?? '', `unknown layer '${layer}' (known: ${known.join(', ')})`)
  }
  return (row) => asked === undefined || asked.names.some((layer) => isOf(layer)(row))
}

/** Those of a file of weights. */
function weights<Row extends { name: string }>(of: (file: SafetensorsFile) => Row[]) {
  return async ({ id, hasWeights }: StoredRun, { host }: StoredRuns) =>
    hasWeights ? of(readSafetensors(await host.readWeights(id))).map((row) => ({ ...row, run: id })) : []
}

/** Histograms of weights, or of gradients. */
function kept(wanted: 'weights' | 'gradients') {
  return async ({ id }: StoredRun, { host }: StoredRuns) =>
    (await host.readHistograms(id)).filter(({ kind }) => kind === wanted).map((row) => ({ ...row, run: id }))
}

function byTensor(rows: Parameters<typeof histograms>[0]): Panel[] {
  const tensors = [...Map.groupBy(rows, ({ name }) => name)].sort(([a], [b]) => byNumbers(a, b))
  return tensors.map(
    ([, own]) =>
      (style) =>
        histograms(own, style),
  )
}

async function confusionOf(stored: StoredRuns): Promise<Panel[]> {
  const panels: Panel[] = []
  for (const run of onePerVariant(stored)) {
    const { test, ...others } = (await stored.host.readReport(run.id)) ?? {}
    const splits = Object.entries(test ? { test } : others)
    const own = splits.flatMap(([split, part]): Panel[] =>
      part.kind === 'classification' ? [(style) => confusion({ ...part, split, run: run.id }, style)] : [],
    )
    panels.push(...titled(own, run, stored))
  }
  return panels
}

/** Panels of one run, which say so where there are several. */
function titled(panels: Panel[], { variant, seed }: StoredRun, { variants }: StoredRuns): Panel[] {
  if (variants.length < 2) return panels
  return panels.map((panel) => (style) => {
    const chart = panel(style)
    return { ...chart, title: `${chart.title}: ${variant}, seed ${seed}` }
  })
}
