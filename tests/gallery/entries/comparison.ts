import { ablation } from '../../../engine/charts/ablation.ts'
import { complexity } from '../../../engine/charts/complexity.ts'
import { type CurveOptions, curves } from '../../../engine/charts/curves.ts'
import { dataSize } from '../../../engine/charts/dataSize.ts'
import { depth } from '../../../engine/charts/depth.ts'
import { evidenceBySeed } from '../../../engine/charts/evidence.ts'
import { multiples } from '../../../engine/charts/multiples.ts'
import { parallel } from '../../../engine/charts/parallel.ts'
import { type Cost, scaling } from '../../../engine/charts/scaling.ts'
import { stepTimes } from '../../../engine/charts/stepTimes.ts'
import { throughput } from '../../../engine/charts/throughput.ts'
import { verdicts } from '../../../engine/study/statistics/index.ts'
import { MEANINGS } from '../../meanings.ts'
import { type Entry, entry, type Source } from '../entry.ts'
import {
  ablationRows,
  curveRuns,
  dataSizeRows,
  depthRows,
  parallelRows,
  scalingRows,
  stepTimeRows,
  throughputRows,
  variantsOf,
} from './runs.ts'

const ACCURACY = 'test/accuracy'
const CURVE = 'validation/accuracy'
const accuracy = { metric: ACCURACY, meaning: MEANINGS[ACCURACY] }

/** The curves of a study. */
export function curve(
  name: string,
  study: string,
  metric: string,
  options: Omit<CurveOptions, 'metric' | 'variants'>,
): Entry {
  return entry('curves', name, async (source, style) => {
    const runs = await curveRuns(source, study, metric)
    return curves(runs, { metric, meaning: MEANINGS[metric], variants: variantsOf(runs), ...options }, style)
  })
}

/** A metric of the sizes of a study against what they cost. */
export function cost(name: string, metric: string, cost: Cost, study = 'sizes'): Entry {
  return entry('scaling', name, async (source, style) =>
    scaling(await scalingRows(source, metric, study), { metric, meaning: MEANINGS[metric], cost }, style),
  )
}

/** The accuracy of the studies with other numbers of training examples. */
export function byExamples(name: string): Entry {
  return entry('dataSize', name, async (source, style) =>
    dataSize(await dataSizeRows(source, ACCURACY), accuracy, style),
  )
}

async function bandsOf(source: Source, study: string, metrics: string[]) {
  const runs = await source.runs(study)
  const groups = variantsOf(runs)
  const wanted = groups.map((name) => ({
    name,
    runs: runs.filter(({ variant }) => variant === name).map(({ id }) => id),
  }))
  return { groups, rows: await source.host.readBands(wanted, metrics) }
}

/** What blocks cost by the formulas of their papers. */
function costCurves(axis: 'tokens' | 'width' | 'depth'): Entry {
  const options = {
    at: { tokens: 196, width: 256, depth: 30 },
    axis,
    counted: { name: 'gmlp-s16', macs: 4_353_269_760 },
  }
  return entry('complexity', `by ${axis}`, async (_, style) => complexity(options, style))
}

/** Differences to a baseline, or the values of each variant. */
function ablations(name: string, study: string, options: Partial<Parameters<typeof ablation>[1]>): Entry {
  return entry('ablation', name, async (source, style) => {
    const rows = await ablationRows(source, study, ACCURACY)
    return ablation(rows, { ...accuracy, variants: variantsOf(rows), ...options }, style)
  })
}

/** What looks after every seed of a study show. */
const looks: Entry = {
  file: 'evidence',
  name: 'of a study looked at after every seed',
  chart: async (source, style) => {
    const runs = await source.runs('mixing')
    const variants = variantsOf(runs)
    const designed = variants.map((variant) => ({ variant, settings: {}, intended: [] }))
    const design = { metric: ACCURACY, variants: designed, anytime: { upTo: 24 } }
    const found = verdicts({ metric: ACCURACY, runs, variants, baseline: variants[0] ?? '', design })
    const rows = found.flatMap(({ variant, looks }) => (looks ? [{ name: variant, ...looks }] : []))
    return evidenceBySeed(rows, design.anytime.upTo, style)
  },
}

/** Curves, and what compares variants at the end of their training. */
export const comparison: Entry[] = [
  looks,
  costCurves('tokens'),
  entry('stepTimes', 'of stored runs, by depth', async (source, style) =>
    stepTimes(await stepTimeRows(source), { at: { tokens: 16, width: 16, depth: 2 }, axis: 'depth' }, style),
  ),
  curve('standard deviation', 'mixing', CURVE, { steps: 100 }),
  curve('95% interval, over examples', 'mixing', 'validation/loss', { show: 'interval', x: 'examples' }),
  curve('every seed', 'mixing', CURVE, { show: 'seeds', steps: 100 }),
  curve('smoothed, logarithmic axes', 'mixing', 'train/loss', { smoothing: 0.8, logX: true, logY: true }),
  curve('over time, nine variants', 'sizes', 'validation/loss', { x: 'seconds' }),
  ablations('few variants', 'mixing', { baseline: 'gmlp' }),
  ablations('bars with 95% intervals', 'mixing', { mark: 'bars', spread: 'interval' }),
  ablations('many variants', 'sizes', { baseline: 'gMLP-M' }),
  cost('accuracy against parameters', ACCURACY, 'parameters'),
  cost('loss against MACs', 'test/loss', 'macs'),
  cost('accuracy against throughput', ACCURACY, 'throughput'),
  entry('throughput', 'nine sizes', async (source, style) =>
    throughput(await throughputRows(source, 'sizes', ACCURACY), accuracy, style),
  ),
  entry('depth', 'by family', async (source, style) => depth(await depthRows(source, ACCURACY), accuracy, style)),
  byExamples('four sizes'),
  entry('parallel', 'recipes of two blocks', async (source, style) =>
    parallel(await parallelRows(source, ACCURACY), accuracy, style),
  ),
  {
    file: 'multiples',
    name: 'all metrics of a study',
    chart: async (source, style) => {
      const [run] = await source.runs('mixing')
      const metrics = Object.keys(run?.metrics ?? {}).sort()
      const { groups, rows } = await bandsOf(source, 'mixing', metrics)
      return multiples(rows, { metrics, meanings: MEANINGS, groups }, style)
    },
  },
]
