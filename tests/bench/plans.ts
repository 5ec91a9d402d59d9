// `npm run bench:plans`: what planning a training step for a graphics card takes, for published sizes with the batches of
// their papers, in seconds of processor time. Names choose some of them.
import * as tf from '@tensorflow/tfjs'
import { stepPlan, UPDATE } from '../engine/backends/webgpu/graphs.ts'
import { paperBatches, publishedBatch } from '../engine/backends/webgpu/publishedBatch.ts'

const LIMITS = { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28, maxStorageBuffersPerShaderStage: 8 }
const names = process.argv.slice(2)

tf.enableProdMode()
await tf.setBackend('cpu')
for (const [name, batch] of paperBatches.filter(([name]) => names.length === 0 || names.includes(name))) {
  const before = seconds()
  const { recorded, trainees } = await publishedBatch(name, batch)
  const between = seconds()
  const plan = stepPlan(recorded, trainees, { ...UPDATE, clip: 0, average: null, parts: 1 })
  const after = seconds()
  const small = stepPlan(recorded, trainees, { ...UPDATE, clip: 0, average: null, parts: 1 }, { limits: LIMITS })
  const sizes = [
    `batch ${batch} in ${plan.parts} parts`,
    `${plan.each} dispatches`,
    `${Math.round((4 * plan.floats) / 1e6)} MB`,
  ]
  const onSmall = `${small.pages.count} buffers of 128 MiB: ${small.each} dispatches, ${(seconds() - after).toFixed(2)} s`
  const took = `recording ${(between - before).toFixed(2)} s, plan ${(after - between).toFixed(2)} s`
  console.log(`${name}: ${[...sizes, took, onSmall].join('; ')}`)
}

function seconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
