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
