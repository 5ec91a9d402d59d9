// %% [markdown] question
// # How far are the MLP architectures behind convolutional networks and Transformers?
//
// The [survey](https://arxiv.org/abs/2105.15078) (section 4) finds the new MLP architectures 5 to 10% below the best
// convolutional networks and Transformers on ImageNet. Here MLP-Mixer, gMLP and ResMLP stand beside a small ResNet and a
// Transformer on two kinds of generated images: the letters A to J, whose strokes a convolution sees at once, and *relations*,
// two objects of which it counts which texture is left of which other, so that parts of an image far from each other decide.
// All five have 19,100 parameters on letters within 1%, and 24,000 on relations within 3%; the ResNet has seven to ten times
// the multiply-adds of the others.
//
// The plan. It is asked of each of the four others whether it is worse than the ResNet: of the three MLPs the survey says so,
// of the Transformer that it is not. A difference of 5 points is the smallest that matters, as the survey counts it. Each has
// the learning rate that is best for it by validation with seeds 1001 to 1003, of four, each three times the one before. Of
// the letters three were tried first, and the largest was added when the one before was best for ResMLP, of the relations the
// smallest when the one after it was best for two; on letters the smallest is still best for the Transformer, by 0.4 points. A
// first ResNet on relations, with a fifth fewer parameters, made place for this one. No test accuracy of these seeds was
// looked at, and the ResNet came to 0.95 on validation with both.
//
// On letters the differences of MLP-Mixer, gMLP, ResMLP and the Transformer spread by 3.8, 7.0, 10 and 5.6 points over these
// seeds, on relations by 4.7, 13, 6.3 and 5.6. Three seeds know that badly, so the plan is made with one and a half times as
// much. Four comparisons need 8 seeds; with 8 a difference of 5 points is then shown with a power of 0.02 to 0.18 only, and
// one of 20 points with 1.00, 0.79, 0.46 and 0.93 on letters, and 0.98, 0.26, 0.86 and 0.93 on relations.
//
// Press **Run all**, or Shift-Enter in each cell. Then put a block of yours among the models, and run again: only that variant
// is trained. On the command line: `mixlab run gap.ts`, with `--quick` for a first look. About six minutes on two idle cores;
// chance is 0.1 for both.

// %% transformer
import { addPositions, dense, head, layerNorm, mean, patchEmbed, stem, vit } from 'mixlab'

/** The blocks of a Transformer behind patches with positions, and before the mean over them, as in MLP-Mixer. */
const transformer = vit({
  ffn: 61,
  stem: stem('positions', (images, { patch, dim }) => addPositions(patchEmbed(images, patch, dim), 'positions')),
  head: head('mean', (x, _, classes) => dense(mean(layerNorm(x), 1), classes)),
})

// %% models
import { adamw, gmlp, mixer, resmlp, resnet, tuned } from 'mixlab'

/** Each has the best of these learning rates for itself. */
const rates = (lr: number[]) =>
  tuned({ lr }, ({ lr }) => ({ train: { optimizer: adamw({ learningRate: lr, weightDecay: 0.05 }) } }))
const others = { mixer: mixer({ ffn: 121 }), gmlp: gmlp({ ffn: 164 }), resmlp: resmlp({ ffn: 124 }), transformer }
const common = {
  margin: 0.05,
  train: { steps: 200, batch: 16, warmup: 20, evalEvery: 200 },
  seeds: 8,
  quick: { train: { steps: 20 }, seeds: 1 },
}

// %% letters
import { compare, glyphs, image } from 'mixlab'

export const letters = compare('letters', {
  ...common,
  task: image({ data: glyphs({ classes: 10, difficulty: 0.2, train: 4096, test: 1024 }) }),
  model: { patch: 7, dim: 32, depth: 2 },
  variants: { resnet: resnet({ width: 8, blocksPerStage: 1 }), ...others },
  tune: rates([6e-3, 1.8e-2, 5.4e-2, 0.162]),
})

// %% relations
import { shapes } from 'mixlab'

export const relations = compare('relations', {
  ...common,
  task: image({ data: shapes({ difficulty: 0, train: 4096, test: 1024 }) }),
  model: { patch: 8, dim: 32, depth: 2 },
  variants: { resnet: resnet({ width: 9, blocksPerStage: 1 }), ...others },
  tune: rates([2e-3, 6e-3, 1.8e-2, 5.4e-2]),
})

// %% claim
import { claim } from 'mixlab'

const part = (study: typeof letters, of: string, expected: 'equal' | 'worse', figures: string, spread: number) => ({
  ...{ study, of, expected, figures, spread },
})
const parts = (
  study: typeof letters,
  spreads: { mixer: number; gmlp: number; resmlp: number; transformer: number },
) => [
  part(study, 'mixer', 'worse', '5 to 10% below', spreads.mixer),
  part(study, 'gmlp', 'worse', '5 to 10% below', spreads.gmlp),
  part(study, 'resmlp', 'worse', '5 to 10% below', spreads.resmlp),
  part(study, 'transformer', 'equal', 'both the best', spreads.transformer),
]

export const claimed = claim({
  paper: 'survey',
  where: 'section 4',
  pilot: [1001, 1002, 1003],
  minutes: 11,
  parts: [
    ...parts(letters, { mixer: 0.057, gmlp: 0.105, resmlp: 0.15, transformer: 0.084 }),
    ...parts(relations, { mixer: 0.071, gmlp: 0.195, resmlp: 0.095, transformer: 0.084 }),
  ],
})
