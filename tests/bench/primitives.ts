import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import type { PeerModel } from '../../app/bench/description.ts'
import { startPeer } from '../../app/bench/peerProcess.ts'
import { findTorch } from '../../app/bench/peers.ts'
import { medianAndLeast } from '../../engine/bench/times.ts'
import { compiled } from '../../engine/compile/model.ts'
import {
  avgPool,
  conv1d,
  dense,
  depthwiseConv2d,
  einsum,
  gather,
  maxPool,
  scan,
  split,
  splitHeads,
} from '../../engine/nn/index.ts'
import { createModel, type Forward } from '../../engine/nn/model.ts'

// A step of a layer, output and gradients by its input and its parameters, on simd and in PyTorch, in turns:
//   npm run bench:primitives -- --rounds 31 --threads 2 avgPool

/** A layer and its twin, channels first in PyTorch where these are images. */
interface Primitive {
  name: string
  input: number[]
  layer: Forward
  torch: string
  /** Of PyTorch, where it has another one. */
  torchInput: number[]
}

/** Images of a size as we have them and as PyTorch has them. */
const images = (batch: number, side: number, channels: number) => ({
  input: [batch, side, side, channels],
  torchInput: [batch, channels, side, side],
})
const tokens = (batch: number, count: number, channels: number) => ({
  input: [batch, count, channels],
  torchInput: [batch, channels, count],
})
/** Tokens that have their channels last in PyTorch, too. */
const sequence = (batch: number, count: number, channels: number) => ({
  input: [batch, count, channels],
  torchInput: [batch, count, channels],
})

type Sizes = Pick<Primitive, 'input' | 'torchInput'>
const row = (name: string, sizes: Sizes, layer: Forward, torch: string): Primitive => ({ name, ...sizes, layer, torch })

function ofImages(sizes: Sizes): Primitive[] {
  const channels = sizes.input[3] as number
  const depthwise = (kernel: number) => {
    const how = `${channels}, ${channels}, ${kernel}, padding=${kernel >> 1}, groups=${channels}, bias=False`
    const layer = (x: tf.Tensor) => depthwiseConv2d(x, { kernel })
    return row(`depthwiseConv2d ${kernel}x${kernel}`, sizes, layer, `nn.Conv2d(${how})`)
  }
  const average = 'lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)'
  return [
    ...[3, 7].map(depthwise),
    row('avgPool 3x3', sizes, (x) => avgPool(x), average),
    row('maxPool 3x3', sizes, (x) => maxPool(x), 'lambda x: F.max_pool2d(x, 3, 1, 1)'),
  ]
}

function ofTokens(sizes: Sizes): Primitive[] {
  const causal = 'nn.Sequential(nn.ConstantPad1d((3, 0), 0.0), nn.Conv1d(128, 128, 4, groups=128, bias=False))'
  const each = { kernel: 4, groups: 128, padding: 'causal' } as const
  return [
    row('conv1d, causal, each channel', sizes, (x) => conv1d(x, 128, each), causal),
    row('conv1d', sizes, (x) => conv1d(x, 128), 'nn.Conv1d(128, 128, 3, padding=1, bias=False)'),
  ]
}

function ofSequences(batch: number, count: number, channels: number): Primitive[] {
  const [doubled, own] = [sequence(batch, count, 2 * channels), sequence(batch, count, channels)]
  const ordered = Array.from({ length: count }, (_, i) => (7 * i) % count)
  const halves = (x: tf.Tensor) => scan(...(split(x, 2) as [tf.Tensor, tf.Tensor]))
  const product = (how: string) =>
    row(`einsum ${how}`, own, (x) => einsum(how, x, x), `lambda x: torch.einsum('${how}', x, x)`)
  return [
    row('scan, beside a loop', doubled, halves, 'lambda x: scan_loop(*x.chunk(2, -1))'),
    row('scan, beside shifted copies', doubled, halves, 'lambda x: scan_doubling(*x.chunk(2, -1))'),
    ...['bnd,bmd->bnm', 'bnd,bne->bde'].map(product),
    row(
      'einsum bhnc,bhmc->bhnm',
      own,
      (x) => einsum('bhnc,bhmc->bhnm', splitHeads(x, 4), splitHeads(x, 4)),
      "lambda x: torch.einsum('bnhc,bmhc->bhnm', *2 * [x.unflatten(-1, (4, -1))])",
    ),
    row(
      'gather',
      own,
      (x) => gather(x, ordered),
      `lambda x: x.index_select(1, torch.tensor([i * 7 % ${count} for i in range(${count})]))`,
    ),
    row('dense in 4 groups', own, (x) => dense(x, channels, { groups: 4 }), `Grouped(${channels}, 4)`),
    row(
      'conv1d in 4 groups',
      tokens(batch, count, channels),
      (x) => conv1d(x, channels, { groups: 4 }),
      `nn.Conv1d(${channels}, ${channels}, 3, padding=1, groups=4, bias=False)`,
    ),
  ]
}

const primitives: Primitive[] = [
  ...[images(64, 8, 128), images(16, 32, 96)].flatMap(ofImages),
  ...[tokens(64, 64, 128), tokens(16, 512, 128)].flatMap(ofTokens),
  ...ofSequences(64, 64, 128),
  ...ofSequences(16, 196, 192),
]

/** A step of ours, as a program. */
function prepared({ layer, input }: Primitive) {
  const model = createModel(layer, { shape: input }, 1)
  const code = compiled<string>(model, { training: true }, ({ x, slope }, { mode, parameters }) => {
    const given = [x as tf.Tensor, ...model.trained.map(({ name }) => parameters[name] as tf.Tensor)]
    let y: tf.Tensor | null = null
    const { grads } = tf.engine().gradients(() => {
      y = tf.keep(model.apply(x as tf.Tensor, mode))
      return tf.sum(tf.mul(y, slope as tf.Tensor)) as tf.Scalar
    }, given)
    return { y: y as unknown as tf.Tensor, ...Object.fromEntries(grads.map((grad, i) => [`${i}`, grad])) }
  })
  const x = tf.randomNormal(input)
  const slope = tf.tidy(() => tf.randomNormal(model.apply(x).shape))
  return {
    step: async () => {
      const begun = performance.now()
      const results = await code.run({ x, slope }, 0)
      const ms = performance.now() - begun
      tf.dispose(results)
      const slow = code.fallback()
      if (slow) throw slow.reason
      return ms
    },
    dispose: () => {
      code.dispose()
      model.dispose()
      tf.dispose([x, slope])
    },
  }
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '31' }, threads: { type: 'string', default: '2' } },
  allowPositionals: true,
})
const torch = await findTorch()
if (!torch) throw new Error('python3 has no torch')
await startBackend('simd', Number(values.threads))
const WARM_UP = 3
for (const primitive of primitives.filter(({ name }) => positionals.every((word) => name.includes(word)))) {
  const { name, input, torchInput } = primitive
  const peer = startPeer('torch', {
    command: torch.python,
    words: [join(import.meta.dirname, 'primitives.py'), values.threads],
  })
  await peer.ask('prepare', { torch: primitive.torch, input: torchInput } as unknown as PeerModel)
  const own = prepared(primitive)
  const times: [own: number, torch: number][] = []
  for (let round = 0; round < Number(values.rounds) + WARM_UP; round++) {
    const ms = await own.step()
    const { ms: other } = await peer.ask('train')
    if (round >= WARM_UP) times.push([ms, other])
    await pause(1)
  }
  const text = (of: (pair: [own: number, torch: number]) => number) => {
    const [median, least] = medianAndLeast(times.map(of))
    return `${median.toFixed(2)} [${least.toFixed(2)}]`
  }
  const [ratio] = medianAndLeast(times.map(([a, b]) => a / b))
  const figures = `${text(([a]) => a)} ms, PyTorch ${text(([, b]) => b)} ms, median ratio ${ratio.toFixed(2)}`
  console.log(`${name} of [${input}]: ${figures}`)
  own.dispose()
  await peer.end()
}
process.exit(0)
