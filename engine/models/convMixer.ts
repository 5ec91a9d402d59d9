import { batchNorm, block, conv2d, relu, reshape, sidesOf, usualFrames } from '../nn/index.ts'
import { mixer, mixerDefaults } from './mixer.ts'

/** Mixer blocks behind a stem of convolutions with stride 2 instead of patches. An open direction, no paper. */
export const convMixer = block('conv_mixer', mixerDefaults, mixer.run, {
  image: {
    ...usualFrames.image,
    stem: (images, { patch, dim }) => {
      let x = images
      const halvings = sidesOf(patch).map((side) => Math.round(Math.log2(side)))
      const most = Math.max(...halvings)
      for (let i = 0; i < most; i++) {
        const width = Math.ceil(dim / 2 ** (most - 1 - i))
        const stride = halvings.map((count) => (i < count ? 2 : 1)) as [number, number]
        x = relu(batchNorm(conv2d(x, width, { name: `stem.${i}.conv`, stride }), { name: `stem.${i}.bn` }))
      }
      const [batch, height, across, channels] = x.shape as [number, number, number, number]
      return reshape(x, [batch, height * across, channels]) // [batch, tokens, dim]
    },
  },
  changedAt: ({ patch }) => typeof patch !== 'number', // the strides of columns were taken for those of rows
})
