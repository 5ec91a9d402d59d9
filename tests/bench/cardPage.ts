import * as tf from '@tensorflow/tfjs'
import { type Gpu, openAdapter } from '../../engine/backends/webgpu/card.ts'
import { type CardRow, measureCard, type Style } from '../../engine/bench/card.ts'
import { configurations } from '../../engine/bench/configurations.ts'

// The page of card.ts.

tf.enableProdMode()

async function measure(name: string, style: Style, rounds: number, batch: number | null): Promise<CardRow> {
  const found = configurations.find((each) => each.name === name)
  if (!found) throw new Error(`there is no configuration '${name}'`)
  const open = () => openAdapter((navigator as unknown as { gpu?: Gpu }).gpu)
  return measureCard({ ...found, batch: batch ?? found.batch }, style, rounds, open)
}

Object.assign(globalThis, { measure })
