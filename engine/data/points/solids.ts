import { z } from 'zod'
import { type Key, keyOf, permutation } from '../../random.ts'
import { digest } from '../digest.ts'
import { dataset } from '../kind.ts'
import { besideTraining, generatedCount } from '../splits.ts'
import type { PointBatch, PointDataset, Split } from '../types.ts'
import { cloudSplit } from './cloud-split.ts'
import { drawCloud } from './solids-cloud.ts'
import { SOLIDS } from './solids-surface.ts'

/** Changes whenever a cloud would. */
const VERSION = 1

const options = z.strictObject({
  /** 0 is nearly upright, whole and clean; 1 is turned, stretched, cut off, noisy and with stray points. */
  difficulty: z.number().min(0).max(1).default(0.5),
  /** Points of a cloud. */
  points: z.int().min(8).max(4096).default(128),
  /** Examples to train on; those to validate on are drawn beside them. */
  train: generatedCount.default(4096),
  /** Examples to test on. */
  test: generatedCount.default(1024),
  /** Another seed is another draw of all examples. */
  seed: z.int().min(0).default(0),
})

type Options = z.output<typeof options>

/** Clouds of points on the surfaces of ten solids, turned, stretched, with noise, strays and a part cut off. Generated. */
export const solids = dataset('solids', options, openSolids)

async function openSolids(options: Options & { validation: number }, hashed: object): Promise<PointDataset> {
  return {
    name: 'solids',
    classes: SOLIDS,
    points: options.points,
    hash: digest(JSON.stringify(['solids', VERSION, hashed])),
    train: drawnSplit(options, 'train', options.train),
    validation: drawnSplit(options, 'validation', besideTraining(options)),
    test: drawnSplit(options, 'test', options.test),
  }
}

function drawnSplit(
  { seed, points, difficulty }: Options,
  name: 'train' | 'validation' | 'test',
  size: number,
): Split<PointBatch> {
  const key = (path: string): Key => keyOf(seed, `solids/${VERSION}/${name}/${path}`)
  // As many examples in a row as there are classes hold every class once, whatever the number of examples.
  const classes = SOLIDS.length
  const labels = new Uint8Array(size)
  for (let from = 0; from < labels.length; from += classes) {
    const turn = permutation(key(`labels/${from / classes}`), classes)
    labels.set(turn.subarray(0, labels.length - from), from)
  }
  return cloudSplit(labels, points, (index) =>
    drawCloud(key(`cloud/${index}`), SOLIDS[labels[index] as number] as string, points, difficulty),
  )
}
