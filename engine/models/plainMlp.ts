import { activate, block, dense, firstToken, reshape } from '../nn/index.ts'

/** A plain MLP on flattened pixels: the whole image is one token. */
export const plainMlp = block('plain_mlp', {}, (x, { dim, activation }) => activate(dense(x, dim), activation), {
  image: {
    stem: (images, { dim, activation }) => {
      const [batch, height, width, channels] = images.shape as [number, number, number, number]
      return activate(dense(reshape(images, [batch, 1, height * width * channels]), dim, { name: 'stem' }), activation)
    },
    head: (x, _, classes) => dense(firstToken(x), classes, { name: 'head' }),
  },
})
