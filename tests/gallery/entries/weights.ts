import { dispose } from '@tensorflow/tfjs'
import { type ConfusionRow, confusion } from '../../../engine/charts/confusion.ts'
import type { Chart } from '../../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../../engine/charts/figure/figure.ts'
import { type AttentionRow, attention } from '../../../engine/charts/weights/attention.ts'
import { histograms } from '../../../engine/charts/weights/histograms.ts'
import { layerNorms } from '../../../engine/charts/weights/layerNorms.ts'
import { matrices } from '../../../engine/charts/weights/matrices.ts'
import type { MixingRow } from '../../../engine/charts/weights/mixingRows.ts'
import { spatialFilters } from '../../../engine/charts/weights/spatialFilters.ts'
import { mixingOf, type PictureExplanation, whyPicture } from '../../../engine/charts/weights/why.ts'
import { explain } from '../../../engine/explain/explain.ts'
import * as mixlab from '../../../engine/index.ts'
import { attentionMaps } from '../../../engine/nn/attentionMaps.ts'
import { trainedOf } from '../../../engine/predict/trained.ts'
import { validationExample } from '../../../engine/predict/validationExample.ts'
import type { StoredHistogram } from '../../../engine/records/histogram.ts'
import { layerNormsOf } from '../../../engine/records/norms.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import { predict } from '../../../engine/train/evaluate.ts'
import { mixingMatrices } from '../../../engine/weights/mixing.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { externalMemories } from '../../../engine/weights/tables.ts'
import { type Entry, entry, type Source } from '../entry.ts'

const STUDY = 'weights'

/** The first run of a variant. */
export async function runOf(source: Source, study: string, variant: string): Promise<number> {
  const run = (await source.runs(study)).find((each) => each.variant === variant)
  if (!run) throw new Error(`study ${study} has no run of ${variant}`)
  return run.id
}

/** The matrices of that run that mix tokens. */
export async function mixingRows(source: Source, study: string, variant: string): Promise<MixingRow[]> {
  const run = await runOf(source, study, variant)
  return mixingMatrices(readSafetensors(await source.host.readWeights(run))).map((matrix) => ({ ...matrix, run }))
}

async function attentionRows({ host, ...source }: Source, variant: string): Promise<AttentionRow[]> {
  const run = await runOf({ host, ...source }, STUDY, variant)
  const stored = await host.showRun(String(run))
  const { model, task, dispose: end } = await rebuild(stored, await host.readWeights(run), host, { mixlab })
  try {
    for await (const batch of task.evalBatches('validation', 1, 1)) {
      const maps = await attentionMaps((mode) => predict(task, model, batch, mode))
      dispose(batch)
      return maps.map((map) => ({ ...map, run }))
    }
    return []
  } finally {
    end()
  }
}

/** Why a run takes a validation picture for what it does. */
async function explanation({ host, ...source }: Source, variant: string) {
  const stored = await host.showRun(String(await runOf({ host, ...source }, STUDY, variant)))
  const rebuilt = await rebuild(stored, await host.readWeights(stored.id), host, { mixlab })
  const model = trainedOf(stored, rebuilt)
  try {
    const { question } = await validationExample(rebuilt.task, 0)
    return await explain(model, question, null, async () => {})
  } finally {
    model.dispose()
  }
}

function mixing(file: string, variant: string, draw: (rows: MixingRow[], style: FigureStyle) => Chart): Entry {
  return entry(file, variant, async (source, style) => draw(await mixingRows(source, STUDY, variant), style))
}

function spread(variant: string, tensor: string, kind: StoredHistogram['kind']): Entry {
  return entry('weights/histograms', `${kind} of ${variant}`, async (source, style) => {
    const run = await runOf(source, STUDY, variant)
    const rows = (await source.host.readHistograms(run, tensor)).filter((row) => row.kind === kind)
    return histograms(
      rows.map((row) => ({ ...row, run })),
      style,
    )
  })
}

function norms(variant: string, kind: 'gradient' | 'ratio'): Entry {
  return entry('weights/layerNorms', `${kind} of ${variant}`, async (source, style) => {
    const run = await runOf(source, STUDY, variant)
    const rows = layerNormsOf(await source.host.readNorms(run)).map((row) => ({ ...row, run }))
    return layerNorms(rows, kind, style)
  })
}

/** What is inside of trained models. */
export const weights: Entry[] = [
  norms('gmlp', 'gradient'),
  norms('vit', 'ratio'),
  mixing('weights/spatialFilters', 'gmlp', (rows, style) => spatialFilters(rows, {}, style)),
  mixing('weights/spatialFilters', 'mixer', (rows, style) =>
    spatialFilters(
      rows.filter(({ grid }) => grid),
      { tokens: 16 },
      style,
    ),
  ),
  mixing('weights/matrices', 'gmlp', (rows, style) => matrices(rows, 'mixing', style)),
  mixing('weights/matrices', 'mixer', (rows, style) => matrices(rows, 'mixing', style)),
  entry('weights/matrices', 'external memories', async ({ host, ...source }, style) => {
    const run = await runOf({ host, ...source }, STUDY, 'external')
    const memories = externalMemories(readSafetensors(await host.readWeights(run)).tensors)
    return matrices(
      memories.map((matrix) => ({ ...matrix, run })),
      'memories',
      style,
    )
  }),
  entry('weights/attention', 'vit, one image', async (source, style) =>
    attention(await attentionRows(source, 'vit'), style),
  ),
  entry('weights/why', 'gmlp, one image', async (source, style) =>
    whyPicture((await explanation(source, 'gmlp')) as PictureExplanation, style),
  ),
  entry('weights/why', 'gmlp, a token of it', async (source, style) => {
    const own = await explanation(source, 'gmlp')
    return mixingOf(own, own.mixing.at(-1)?.tokens ?? 0, 9, style)
  }),
  spread('gmlp', 'blocks.0.mlp_channels.gate.proj.weight', 'weights'),
  spread('gmlp', 'blocks.0.mlp_channels.gate.proj.weight', 'gradients'),
  spread('vit', 'blocks.2.attn.qkv.weight', 'weights'),
  {
    file: 'confusion',
    name: 'shapes',
    chart: async (source, style) => {
      const run = await runOf(source, STUDY, 'gmlp')
      const report = Object.entries((await source.host.readReport(run)) ?? {}).flatMap(
        ([split, part]): ConfusionRow[] => (part.kind === 'classification' ? [{ split, run, ...part }] : []),
      )[0]
      if (!report) throw new Error('no report')
      return confusion(report, style)
    },
  },
]
