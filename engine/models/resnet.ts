import { gather, pad, range, type Tensor, type Tensor1D } from '@tensorflow/tfjs-core'
import { add, batchNorm, block, conv2d, dense, mean, relu, reshape, scope, torchDefault } from '../nn/index.ts'

const defaults = {
  /** Channels of the first stage; the second and third have two and four times as many. */
  width: 16,
  blocksPerStage: 3,
  bnEps: 1e-5,
  depth: 0,
}

/** A small residual CNN for images of about 32 x 32: ResNet-20 by default (He et al. 2016, section 4.2). */
export const resnet = block('resnet', defaults, (x) => x, {
  image: {
    stem: (images, { width, blocksPerStage, bnEps: eps }) => {
      let x = relu(batchNorm(conv2d(images, width, { name: 'conv1' }), { name: 'bn1', eps }))
      for (let stage = 0; stage < 3; stage++) {
        for (let i = 0; i < blocksPerStage; i++) {
          const stride = stage > 0 && i === 0 ? 2 : 1
          x = scope('layer', `layer${stage + 1}.${i}`, () => basicBlock(x, width * 2 ** stage, stride, eps))
        }
      }
      const [batch, height, across, channels] = x.shape as [number, number, number, number]
      return reshape(x, [batch, height * across, channels])
    },
    head: (x, _, classes) => dense(mean(x, 1), classes, { name: 'linear', weight: torchDefault, bias: torchDefault }),
  },
})

/** Two 3 x 3 convolutions around a shortcut: `[batch, h, w, c]` to `[batch, h / stride, w / stride, channels]`. */
function basicBlock(x: Tensor, channels: number, stride: number, eps: number): Tensor {
  let y = relu(batchNorm(conv2d(x, channels, { name: 'conv1', stride }), { name: 'bn1', eps }))
  y = batchNorm(conv2d(y, channels, { name: 'conv2' }), { name: 'bn2', eps })
  return relu(add(shortcut(x, channels, stride), y))
}

/** Option A: every second row and column, the new channels zero, half of them in front. */
function shortcut(x: Tensor, channels: number, stride: number): Tensor {
  const own = x.shape.at(-1) ?? 1
  if (stride === 1 && own === channels) return x
  const [, height, width] = x.shape as [number, number, number, number]
  const fewer = gather(gather(x, every(stride, height), 1), every(stride, width), 2)
  const before = Math.floor((channels - own) / 2)
  const none: [number, number] = [0, 0]
  return pad(fewer, [none, none, none, [before, channels - own - before]])
}

/** 0, step, 2 step, ... below `end`. */
function every(step: number, end: number): Tensor1D {
  return range(0, end, step, 'int32')
}
