import { complexity } from '../../../engine/charts/complexity.ts'
import { marksChart } from '../../../engine/charts/marks.ts'
import { matrices } from '../../../engine/charts/weights/matrices.ts'
import { spatialFilters } from '../../../engine/charts/weights/spatialFilters.ts'
import { modelOfSize } from '../../../engine/cost/published.ts'
import { diagramSvg } from '../../../engine/diagram/draw.ts'
import { diagramOf } from '../../../engine/diagram/record.ts'
import { plot } from '../../../engine/display/plot.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { type Diagram, type Entry, entry, type Source } from '../entry.ts'
import { byExamples, cost, curve } from './comparison.ts'
import { mixingRows, runOf } from './weights.ts'

const ACCURACY = 'test/accuracy'

/** Each figure of the papers that shows numbers, drawn from runs of this size. */
export const papers: Entry[] = [
  cost('gMLP, figure 2: accuracy on images by parameters', ACCURACY, 'parameters'),
  filters('gMLP, figure 3: filters of patches', 'weights', 'gmlp'),
  entry('weights/matrices', 'gMLP, figure 4: filters of tokens of a text', async (source, style) =>
    matrices(await mixingRows(source, 'text', 'gMLP-L'), 'mixing', style),
  ),
  cost('gMLP, figure 5, left: perplexity by parameters', 'test/perplexity', 'parameters', 'text'),
  cost('gMLP, figures 5, right, and 7: accuracy on pairs of sentences by parameters', ACCURACY, 'parameters', 'pairs'),
  cost('Mixer, figure 2, left: accuracy by multiply-adds', ACCURACY, 'macs'),
  byExamples('Mixer, figure 2, right: accuracy by training examples'),
  curve('Mixer, figure 4: patches and pixels in another order', 'orders', 'validation/accuracy', {}),
  filters('Mixer, figure 5: hidden units of the token MLPs', 'weights', 'mixer'),
  filters('ResMLP, figure 2: rows of the matrices over patches', 'weights', 'resmlp'),
  entry('marks', 'ResMLP, figure 3: how sparse the layers are', async (source, style) =>
    marksChart(plot.bar(await sparsityOf(source)), style),
  ),
  entry('complexity', 'External attention: cost by tokens', async (_, style) => {
    const at = { tokens: 196, width: 384, depth: 12 }
    return complexity({ at, axis: 'tokens', counted: { name: 'deit-s16', macs: 4_540_695_552 } }, style)
  }),
]

/** The figures of the papers that show how a model is made. */
export const diagrams: Diagram[] = [
  { name: 'Mixer, figure 1: MLP-Mixer', svg: () => diagramOfSize('mixer-s16') },
  { name: 'gMLP, figure 6: aMLP, with its tiny attention', svg: () => diagramOfSize('amlp-base') },
]

function filters(name: string, study: string, variant: string): Entry {
  return entry('weights/spatialFilters', name, async (source, style) => {
    const rows = (await mixingRows(source, study, variant)).filter(({ grid }) => grid)
    return spatialFilters(rows, {}, style)
  })
}

/** The share of weights below 5% of the largest of their matrix, by block and by what the matrix mixes, as in the figure. */
async function sparsityOf(source: Source) {
  const { tensors } = readSafetensors(await source.host.readWeights(await runOf(source, 'weights', 'resmlp')))
  const layers = tensors.flatMap(({ name, shape, values }) => {
    const [, block] = /^blocks\.(\d+)\./.exec(name) ?? []
    if (block === undefined || shape.length !== 2 || !(values instanceof Float32Array)) return []
    const size = values.map(Math.abs)
    const most = size.reduce((a, b) => Math.max(a, b), 0)
    const layer = name.split('.').slice(2, -1).join('.')
    return [{ block, layer, share: size.filter((v) => v < most / 20).length / size.length }]
  })
  const blocks = [...new Set(layers.map(({ block }) => block))]
  const rows = [...Map.groupBy(layers, ({ layer }) => layer)].map(([layer, own]) => [
    layer,
    own.map(({ share }) => share),
  ])
  return {
    x: blocks,
    y: Object.fromEntries(rows) as Record<string, number[]>,
    ...{ title: 'Weights below 5% of the largest of their matrix', xLabel: 'block', yLabel: 'share' },
  }
}

async function diagramOfSize(size: string): Promise<string> {
  return diagramSvg(await diagramOf(size, ...modelOfSize(size)), 1)
}
