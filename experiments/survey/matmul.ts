// %% [markdown] question
// # Does MLP-Mixer do most with a second of computing?
//
// What an MLP computes are matrix products, so the [survey](https://arxiv.org/abs/2105.15078) (section 4), which are easily
// made fast on any device and take less energy than other operations. It has no figures for that. Here a training step of
// MLP-Mixer is timed beside one of gMLP, of a Transformer and of a ResNet, each with 12 million multiply-adds for an image to
// within 3%: the one that takes the most images in a second does the most multiply-adds in it.
//
// The plan. It is asked whether each of the others takes fewer images a second than MLP-Mixer. Steps of 16 images are timed,
// those of the four in turns, and the median of nine counts, so that all four meet whatever else the machine does. In the pilot,
// with seeds 1001 to 1003 on a machine with much other work, MLP-Mixer took 118 images a second. A fifth of that, 24, is the
// smallest difference that matters: of less, other work on a machine makes more. The spread is that of these seeds: 25, 21 and
// 11 images a second. Three comparisons need 7 seeds; with 20 a fifth is shown with a power of 0.94 or more. Nothing is chosen,
// and what models learn in one step does not matter.
//
// Press **Run all**, or Shift-Enter in each cell. Then give a model another `dim`, and run again: all are timed anew. On the
// command line: `mixlab run matmul.ts`, with `--quick` for a first look. About two minutes on two idle cores.

// %% [markdown] expected
// Expected, on simd with numerics 5:
//
// | asked | the paper | here | verdict | plan |
// | --- | --- | --- | --- | --- |
// | timed: gmlp | no figures | 98.43 against 101.82, difference -3.39 (-7.30 to 0.10), 20 seeds | **equal within the margin** | margin 24; power 0.94, to be equal 0.94 |
// | timed: vit | no figures | 114.59 against 101.82, difference 12.77 (8.54 to 16.92), 20 seeds | **equal within the margin** | margin 24; power 0.99, to be equal 0.99 |
// | timed: resnet | no figures | 86.02 against 101.82, difference -15.79 (-20.68 to -10.23), 20 seeds | **equal within the margin** | margin 24; power 1.00, to be equal 1.00 |
//
// | timed | readout/examples_per_second, mean ± sd | seeds | |
// | --- | --- | --- | --- |
// | mixer | 101.82 ± 12.23 | 20 |  |
// | gmlp | 98.43 ± 13.14 | 20 | at depth 3 instead of 5 and ffn 488 instead of 256: gmlp equals mixer within 24 examples/s: -3 (higher is better), 95% interval -7 to 0, within it on 20 of 20 seeds |
// | vit | 114.59 ± 14.57 | 20 | at depth 3 instead of 5 and ffn 284 instead of 256: vit is better than mixer by 13 (higher), within the margin of 24 examples/s, 95% interval 9 to 17, 18 of 20 seeds |
// | resnet | 86.02 ± 14.37 | 20 | at depth 0 instead of 5: resnet is worse than mixer by 16 (lower), within the margin of 24 examples/s, 95% interval 10 to 21, 17 of 20 seeds |

// %% study
import { compare, gmlp, image, mixer, readouts, resnet, shapes, vit } from 'mixlab'

export const timed = compare('timed', {
  task: image({ data: shapes({ train: 32, test: 16, validation: 0.5 }) }),
  model: { patch: 4, dim: 64 },
  variants: {
    mixer: { block: mixer, model: { depth: 5 } },
    gmlp: { block: gmlp, model: { depth: 3, ffn: 488 } },
    vit: { block: vit({ heads: 4 }), model: { depth: 3, ffn: 284 } },
    resnet: resnet({ width: 16, blocksPerStage: 1 }),
  },
  train: { steps: 1, batch: 16, evalEvery: 1 },
  readouts: [readouts.examplesPerSecond()],
  metric: 'readout/examples_per_second',
  margin: 24,
  seeds: 20,
  quick: { seeds: 1 },
})

// %% claim
import { claim } from 'mixlab'

const slower = (of: string, spread: number) => ({
  ...{ study: timed, of, expected: 'worse' as const, figures: 'no figures', spread },
})

export const claimed = claim({
  paper: 'survey',
  where: 'section 4',
  pilot: [1001, 1002, 1003],
  minutes: 2,
  parts: [slower('gmlp', 25), slower('vit', 21), slower('resnet', 11)],
})

// %% [markdown] found
// ## What was found, and why it may be otherwise elsewhere
//
// A second brings about as many multiply-adds in all four: none of the others takes a fifth fewer or more images than
// MLP-Mixer. Within that the Transformer is ahead of it by 13 images of 102, and the ResNet behind by 16, both shown; the
// first speaks against the survey, and the second for it.
//
// The others consist of products, too: convolutions are products of the pixels that a kernel sees, and attention is four
// products over channels and two over tokens. Beside them MLP-Mixer turns its tokens and channels round and has GELU, norms and
// small products over 64 tokens. The times are of two threads on a processor with much other work; on a graphics card, or
// alone, the four may be in another order. Energy was not measured. The margin was planned for the noise of
// this machine, and a reader for whom a tenth matters can give the study another one.
