import { differenceOf } from '../../engine/diagram/difference.ts'
import { gmlp } from '../../engine/models/index.ts'
import { blockOfCell, drawn } from '../engine/diagram/models.ts'

// What it takes to find the changed operation between gMLP and a fork of it with one other line and other names of all its
// layers, by depth, in processor time: the least of many times, as whatever else the machine does can only add to it. The
// two diagrams are there already.
//   npm run bench:difference

const ROUNDS = 20

const fork = await blockOfCell(
  `  const shortcut = x
  x = layerNorm(x, { name: 'before' })
  x = dense(x, ffn, { name: 'up' })
  x = relu(x)
  x = spatialGating(x, { name: 'sgu' })
  x = dense(x, dim, { name: 'down' })
  return residual(shortcut, x)`,
  '{ ffnRatio: 6 }',
)
for (const depth of [4, 12, 30, 100]) {
  const [a, b] = [await drawn('gmlp', gmlp, 'image', depth), await drawn('fork', fork, 'image', depth)]
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    differenceOf(a, b)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  const { added, removed } = differenceOf(a, b)
  console.log(
    `${depth} blocks, ${b.operations.length} operations: ${removed} removed, ${added} added, ${Math.min(...times).toFixed(1)} ms, at first ${times[0]?.toFixed(1)}`,
  )
}
