import { ablation } from '../../../../engine/charts/ablation.ts'
import { confusion } from '../../../../engine/charts/confusion.ts'
import { curves } from '../../../../engine/charts/curves.ts'
import { evidenceBySeed } from '../../../../engine/charts/evidence.ts'
import { factorGrid } from '../../../../engine/charts/factors/grid.ts'
import { interaction } from '../../../../engine/charts/factors/interaction.ts'
import { numericFactor } from '../../../../engine/charts/factors/numeric.ts'
import type { Chart } from '../../../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../../../engine/charts/figure/figure.ts'
import { heatmapChart } from '../../../../engine/charts/heatmap.ts'
import { marksChart } from '../../../../engine/charts/marks.ts'
import { multiples } from '../../../../engine/charts/multiples.ts'
import { parallel } from '../../../../engine/charts/parallel.ts'
import { scaling } from '../../../../engine/charts/scaling.ts'
import { throughput } from '../../../../engine/charts/throughput.ts'
import { attention } from '../../../../engine/charts/weights/attention.ts'
import { histograms } from '../../../../engine/charts/weights/histograms.ts'
import { layerNorms } from '../../../../engine/charts/weights/layerNorms.ts'
import { matrices } from '../../../../engine/charts/weights/matrices.ts'
import { spatialFilters } from '../../../../engine/charts/weights/spatialFilters.ts'
import { plot } from '../../../../engine/display/plot.ts'
import { ACCURACY } from '../../../meanings.ts'
import { FACTORS, rows as factorRows } from '../factors/rows.ts'

const VARIANTS = ['gmlp', 'mixer with a long name', 'resmlp <b>', 'vit & co', 'µ ≤ 3']
const METRIC = { metric: 'test/accuracy', meaning: ACCURACY }
const STEPS = [10, 20, 30, 40]

const results = VARIANTS.flatMap((variant, v) =>
  [1, 2, 3].map((seed) => ({ variant, seed, run: 10 * v + seed, value: 0.2 + 0.15 * v + 0.02 * seed })),
)

const matrix = (name: string, rows: number, columns: number, grid: [number, number] | null = null) => {
  const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i))
  return { name, rows, columns, values, grid, outputs: Array.from({ length: rows }, (_, i) => i), run: 1 }
}

const norms = (layers: number) =>
  Array.from({ length: layers }, (_, i) => (i === 1 ? 'a long name of a layer' : `blocks.${i}`)).flatMap((layer, i) =>
    STEPS.map((step) => ({ layer, step, gradient: (i + 1) / step, ratio: 0.001 * (i + 1), run: 1 })),
  )

/** A chart of each kind, with names that are long, and that TeX, SVG and Plotly read as their own. */
export const SAMPLES: Record<string, (style: FigureStyle) => Chart> = {
  curves: (style) => {
    const runs = results.map((row) => ({
      ...row,
      done: true,
      steps: STEPS,
      values: STEPS.map((step) => row.value * (step / 40)),
    }))
    return curves(runs, { ...METRIC, variants: [...VARIANTS, 'not begun'] }, style)
  },
  curvesLog: (style) => {
    const runs = results.map((row) => ({ ...row, done: true, steps: STEPS, values: STEPS.map((step) => 10 / step) }))
    return curves(runs, { metric: 'loss', variants: VARIANTS, logX: true, logY: true, show: 'seeds' }, style)
  },
  ablation: (style) => ablation(results, { ...METRIC, variants: VARIANTS, baseline: 'gmlp' }, style),
  bars: (style) => {
    const some = VARIANTS.slice(0, 1)
    return ablation(
      results.filter(({ variant }) => some.includes(variant)),
      { ...METRIC, variants: some, mark: 'bars' },
      style,
    )
  },
  scaling: (style) => {
    const rows = results.map((row, i) => ({
      ...row,
      family: i % 2 ? 'a' : 'b',
      parameters: 1000 * (1 + Math.floor(i / 3)) ** 2,
    }))
    return scaling(rows, { ...METRIC, cost: 'parameters' }, style)
  },
  throughput: (style) => {
    const rows = results.map((row) => ({
      ...{ ...row, batch: 32, stepMs: [10 + row.run], backend: 'simd', device: 'cpu' },
      ...{ environment: null, startedAt: 0, endedAt: 1 },
    }))
    return throughput(rows, METRIC, style)
  },
  evidence: (style) => {
    const path = [1, 2, 3].map((seed) => ({ seed, evidence: 3 ** seed, mean: 0, low: 0, high: 0 }))
    return evidenceBySeed([{ name: 'mixer against gmlp', path: path as never, decidedWith: 3 }], 8, style)
  },
  norms: (style) => layerNorms(norms(7), 'gradient', style),
  normsOfMany: (style) => layerNorms(norms(14), 'ratio', style),
  relative: (style) => matrices([matrix('blocks.0.relative_attention_bias.weight', 4, 31)], 'relative', style),
  multiples: (style) => {
    const metrics = ['train/loss', 'validation/accuracy', 'train/step_ms', 'validation/examples_per_second, examples/s']
    const rows = metrics.flatMap((metric) =>
      VARIANTS.map((group) => {
        const mean = STEPS.map((step) => step / 50)
        return {
          group,
          metric,
          steps: STEPS,
          mean,
          sd: STEPS.map(() => 0.1),
          min: mean,
          max: mean,
          n: STEPS.map(() => 3),
        }
      }),
    )
    return multiples(rows, { metrics, groups: VARIANTS }, style)
  },
  parallel: (style) => {
    const rows = results.map((row, i) => ({
      ...row,
      options: { block: row.variant, 'train.batch': 16 * (1 + (i % 3)), rate: 10 ** -(i % 4) },
    }))
    return parallel(rows, METRIC, style)
  },
  numeric: (style) => numericFactor(factorRows, { ...METRIC, factors: FACTORS, x: 'lr', lines: ['gate'] }, style),
  grid: (style) => factorGrid(factorRows, { ...METRIC, factors: FACTORS, x: 'lr', y: 'gate' }, style),
  interaction: (style) => interaction(factorRows, { ...METRIC, factors: FACTORS, x: 'gate', lines: ['lr'] }, style),
  confusion: (style) => {
    const classes = Array.from({ length: 8 }, (_, i) => `class of number ${i}`)
    return confusion(
      { split: 'test', classes, confusion: classes.map((_, i) => classes.map((_, j) => (i === j ? 90 : j))) },
      style,
    )
  },
  matrices: (style) =>
    matrices(
      [matrix('blocks.0.gate.proj.weight', 16, 16), matrix('blocks.1.gate.proj.weight', 8, 16)],
      'mixing',
      style,
    ),
  matricesOfMany: (style) => {
    const layers = Array.from({ length: 12 }, (_, i) => `blocks.${i}.mlp_tokens`)
    return matrices(
      layers.flatMap((layer) => [matrix(`${layer}.fc1.weight`, 4, 64), matrix(`${layer}.fc2.weight`, 64, 4)]),
      'mixing',
      style,
    )
  },
  memories: (style) =>
    matrices(
      ['blocks.0.keys', 'blocks.0.values', 'blocks.1.keys', 'blocks.1.values'].map((name) => matrix(name, 64, 16)),
      'memories',
      style,
    ),
  filters: (style) => spatialFilters([matrix('blocks.0.gate.proj.weight', 16, 16, [4, 4])], {}, style),
  attention: (style) => {
    const values = Float32Array.from({ length: 128 }, (_, i) => i / 128)
    return attention([{ layer: 'blocks.0.attn', heads: 2, rows: 8, columns: 8, values }] as never, style)
  },
  histograms: (style) => {
    const rows = STEPS.map((step) => ({
      name: 'w',
      kind: 'weights' as const,
      step,
      min: -1,
      max: 1,
      mean: 0,
      sd: 0.4,
      notFinite: 0,
      counts: [1, 4, 9, 4, 1],
    }))
    return histograms(rows as never, style)
  },
  lines: (style) =>
    marksChart(plot.line({ title: 'l', y: { a: [1, 2, 3], b: [3, null, 1] }, xLabel: 'x_1 in %', yLabel: 'y' }), style),
  dots: (style) => marksChart(plot.scatter({ title: 'd', x: [1, 2, 3], y: [1, 4, 9], color: [1, 2, 3] }), style),
  groupedBars: (style) => marksChart(plot.bar({ title: 'b', x: ['one', 'two'], y: { a: [1, 2], b: [2, -1] } }), style),
  histogram: (style) => marksChart(plot.histogram({ title: 'h', x: [1, 2, 2, 3, 9], bins: 5 }), style),
  heatmap: (style) =>
    heatmapChart(
      plot.heatmap({
        title: 'm',
        z: [
          [1, -2, null as never],
          [0, 1, 2],
        ],
      }),
      style,
    ),
}
