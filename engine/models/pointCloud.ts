import { batchNorm, block, dense, dropout, externalAttention, max, relu, residual } from '../nn/index.ts'

const defaults = { slots: 64 }

/** Points with external attention instead of self-attention, otherwise as in PCT (Guo et al. 2021). An open direction. */
export const pointCloud = block(
  'point_cloud',
  defaults,
  (x, { dim, slots }) => {
    const attended = externalAttention(x, { name: 'attn', slots }) // [batch, points, dim]
    return residual(x, relu(batchNorm(dense(attended, dim, { name: 'proj' }), { name: 'bn' })))
  },
  {
    features: {
      stem: (points, { dim }) => relu(batchNorm(dense(points, dim, { name: 'stem.fc1' }), { name: 'stem.bn1' })),
      head: (x, { dim, dropout: rates }, classes) => {
        const y = relu(dense(max(x, 1), dim, { name: 'head.fc1' })) // [batch, dim]
        return dense(dropout(y, rates.head), classes, { name: 'head.fc2' })
      },
    },
    numerics: 2, // points with the same largest value share its gradient
  },
)
