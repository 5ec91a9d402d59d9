import { block, dense, externalAttention, mean, residual, usualFrames } from '../nn/index.ts'

const defaults = { slots: 64 }

/** External attention with a residual and nothing else (Guo et al. 2021, equation 5). */
export const external = block(
  'external',
  defaults,
  (x, { slots }) => residual(x, externalAttention(x, { name: '', slots })),
  {
    image: { ...usualFrames.image, head: (x, _, classes) => dense(mean(x, 1), classes, { name: 'head' }) },
    features: { ...usualFrames.features, head: (x, _, classes) => dense(mean(x, 1), classes, { name: 'head' }) },
  },
)
