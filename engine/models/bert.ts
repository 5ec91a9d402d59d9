import {
  activate,
  add,
  attend,
  block,
  dense,
  dropout,
  embedding,
  firstRows,
  layerNorm,
  normal,
  relativePositionBias,
  scope,
  tanh,
  tiedLogits,
  zerosLike,
} from '../nn/index.ts'

const weight = normal(0.02)

const defaults = {
  eps: 1e-12,
  heads: 12,
  /** Rows of the table of absolute positions. */
  positions: 512,
  /** Kinds of segments; 0 for none. */
  segments: 2,
  /** T5 relative positions, for each layer and head; 0 buckets for none. */
  relativeBuckets: 0,
  relativeMaxDistance: 128,
  /** False leaves it to the relative positions alone where to attend. */
  contentAttention: true,
  /** Whether a dense layer and a norm, and an output bias, come with the tied logits. */
  headTransform: true,
}

/** BERT block, post-LN (Devlin et al. 2019); names as in Hugging Face. */
export const bert = block(
  'bert',
  defaults,
  (x, { dim, ffn, activation, eps, heads, dropout: rates, ...size }) => {
    const { relativeBuckets, relativeMaxDistance, contentAttention } = size
    const y = scope('self', 'attention.self', () => {
      const relative = { name: 'relative_attention_bias', buckets: relativeBuckets, maxDistance: relativeMaxDistance }
      const bias = relativeBuckets > 0 ? relativePositionBias(x.shape[1] as number, heads, relative) : undefined
      const project = (name: string) => dense(x, dim, { name, weight }) // [batch, tokens, dim]
      const options = { heads, bias, dropout: rates.attention }
      return attend(contentAttention ? [project('query'), project('key')] : null, project('value'), options)
    })
    const attended = dropout(dense(y, dim, { name: 'attention.output.dense', weight }), rates.hidden)
    x = layerNorm(add(x, attended), { name: 'attention.output.LayerNorm', eps })
    const hidden = activate(dense(x, ffn, { name: 'intermediate.dense', weight }), activation) // [batch, tokens, ffn]
    const z = dropout(dense(dropout(hidden, rates.activation), dim, { name: 'output.dense', weight }), rates.hidden)
    return layerNorm(add(x, z), { name: 'output.LayerNorm', eps })
  },
  {
    text: {
      path: (i) => `bert.encoder.layer.${i}`,
      stem: (ids, { dim, eps, positions, segments, dropout: rates }, vocabulary, { types }) =>
        scope('embeddings', 'bert.embeddings', () => {
          const words = embedding(ids, vocabulary, dim, { name: 'word_embeddings', weight }) // [batch, tokens, dim]
          let x = add(words, firstRows('position_embeddings.weight', ids.shape[1] as number, positions, dim, weight))
          if (segments > 0)
            x = add(x, embedding(types ?? zerosLike(ids), segments, dim, { name: 'token_type_embeddings', weight }))
          return dropout(layerNorm(x, { name: 'LayerNorm', eps }), rates.embedding)
        }),
      head: (x, { dim, eps, activation, headTransform }, vocabulary) => {
        const table = 'bert.embeddings.word_embeddings.weight'
        if (!headTransform) return tiedLogits(x, table, vocabulary)
        const h = activate(dense(x, dim, { name: 'cls.predictions.transform.dense', weight }), activation)
        const y = layerNorm(h, { name: 'cls.predictions.transform.LayerNorm', eps })
        return tiedLogits(y, table, vocabulary, 'cls.predictions.bias')
      },
      classHead: (x, { dim, dropout: rates }, classes, pool) => {
        const pooled = tanh(dense(pool(x), dim, { name: 'bert.pooler.dense', weight })) // [batch, dim]
        return dense(dropout(pooled, rates.head), classes, { name: 'classifier', weight })
      },
      spanHead: (x) => dense(x, 2, { name: 'qa_outputs', weight }), // [batch, tokens, 2]
    },
  },
)
