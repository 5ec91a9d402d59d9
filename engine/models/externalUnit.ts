import {
  add,
  batchNorm,
  block,
  dense,
  externalAttention,
  mean,
  normal,
  relu,
  scope,
  usualFrames,
  zeros,
} from '../nn/index.ts'

const weight = normal(0.02)

const defaults = { slots: 64, bnEps: 1e-5 }

/** The external attention unit of EANet: projections, batch norm and ReLU around it (Guo et al. 2021, authors' code). */
export const externalUnit = block(
  'external_unit',
  defaults,
  (x, { dim, slots, bnEps }) => {
    const y = dense(x, dim, { name: 'conv1', weight, kernelAxes: 2 }) // [batch, tokens, dim]
    const attended = externalAttention(y, { name: '', slots, weight, kernelAxes: 1 })
    const z = scope('conv2', 'conv2', () => {
      const projected = dense(attended, dim, { name: '0', weight, bias: false, kernelAxes: 2 })
      return batchNorm(projected, { name: '1', eps: bnEps })
    })
    return relu(add(x, z))
  },
  {
    image: {
      ...usualFrames.image,
      head: (x, _, classes) => dense(mean(x, 1), classes, { name: 'head', weight: zeros }),
    },
    features: { ...usualFrames.features, head: (x, _, classes) => dense(mean(x, 1), classes, { name: 'head' }) },
  },
)
