// %% [markdown] about
// # What must not change
// Tiny runs whose keys and bits are in `tests/golden/runs.json`: every architecture with every task and optimizer, and
// every option of architectures, models, recipes and tasks once.

// %% common
import {
  adamw,
  amlp,
  bert,
  cifar,
  compare,
  convMixer,
  eamlp,
  external,
  externalUnit,
  ffOnly,
  folder,
  glyphs,
  gmlp,
  headedMixer,
  idx,
  image,
  lamb,
  mixer,
  mlm,
  pair,
  plainMlp,
  pointCloud,
  pointFiles,
  points,
  repmlp,
  repmlpNet,
  resmlp,
  resmlpFolded,
  resnet,
  sequence,
  sgd,
  shapes,
  solids,
  span,
  squad,
  textFiles,
  textures,
  tsv,
  vit,
  world,
} from 'mixlab'

const few = { train: 40, test: 6 }
const tokenizer = { vocabulary: 40 }
const tasks = {
  image: image({ data: shapes({ size: 16, ...few }) }),
  mlm: mlm({ data: world(few), tokens: 12, tokenizer }),
  sequence: sequence({ data: world(few), tokens: 12, tokenizer }),
  pair: pair({ data: world(few), tokens: 16, tokenizer }),
  span: span({ data: world({ ...few, difficulty: 0 }), tokens: 40, question: 12, tokenizer }),
  points: points({ data: solids({ points: 16, ...few }) }),
}
const model = { patch: 4, dim: 8, depth: 2, ffnRatio: 2 }
const train = { steps: 3, batch: 4, logEvery: 1, evalExamples: 4, histograms: false, checkpointEvery: {} }

const architectures = {
  amlp: amlp({ attention: 4 }),
  bert: bert({ heads: 2, positions: 40 }),
  convMixer,
  eamlp: eamlp({ heads: 2, slots: 4, stemDim: 4, stemSlots: 4 }),
  external: external({ slots: 4 }),
  externalUnit: externalUnit({ slots: 4 }),
  ffOnly,
  gmlp,
  headedMixer: headedMixer({ heads: 2 }),
  mixer,
  plainMlp,
  pointCloud: pointCloud({ slots: 4 }),
  repmlp,
  repmlpNet: repmlpNet({ channels: [8, 8], blocks: [1, 1] }),
  resmlp,
  resmlpFolded,
  resnet: resnet({ width: 4, blocksPerStage: 1 }),
  vit: vit({ heads: 2 }),
}

const all = (name: keyof typeof tasks, optimizer = adamw()) =>
  compare(`${name} ${optimizer.optimizer}`, {
    task: tasks[name],
    model,
    variants: architectures,
    train: { ...train, optimizer },
    seeds: 1,
  })

const variants = (name: string, task: keyof typeof tasks, variants: Parameters<typeof compare>[1]['variants']) =>
  compare(name, { task: tasks[task], model, variants, train, seeds: 1 })

// %% page
// every architecture, and texts with dropout: also trained in the page
export const imageAdamw = all('image')
export const textModels = variants('models for text', 'sequence', {
  embedding: gmlp({ dropout: { embedding: 0.3 } }),
  bert: bert({ heads: 2, positions: 40, dropout: { hidden: 0.1, activation: 0.1, attention: 0.1, head: 0.1 } }),
})

// %% adamw
export const mlmAdamw = all('mlm')
export const sequenceAdamw = all('sequence')
export const pairAdamw = all('pair')
export const spanAdamw = all('span')
export const pointsAdamw = all('points')

// %% lamb
export const imageLamb = all('image', lamb())
export const mlmLamb = all('mlm', lamb())
export const sequenceLamb = all('sequence', lamb())
export const pairLamb = all('pair', lamb())
export const spanLamb = all('span', lamb())
export const pointsLamb = all('points', lamb())

// %% sgd
export const imageSgd = all('image', sgd())
export const mlmSgd = all('mlm', sgd())
export const sequenceSgd = all('sequence', sgd())
export const pairSgd = all('pair', sgd())
export const spanSgd = all('span', sgd())
export const pointsSgd = all('points', sgd())

// %% architectures
export const imageArchitectures = variants('architectures', 'image', {
  linear: gmlp({ gate: 'linear' }),
  additive: gmlp({ gate: 'additive' }),
  multiplicative: gmlp({ gate: 'multiplicative' }),
  toeplitz: gmlp({ spatial: 'toeplitz' }),
  gateEps: gmlp({ gateEps: 0.1 }),
  noBias: amlp({ attention: 4, qkvBias: false }),
  timmMixer: mixer({ init: 'timm' }),
  tokenRatio: mixer({ tokenRatio: 1 }),
  timmResmlp: resmlp({ init: 'timm' }),
  positionGrid: ffOnly({ positionGrid: [2, 2] }),
  widen: eamlp({ heads: 2, widen: 2, slots: 4, stemDim: 4, stemSlots: 4 }),
  bnEps: externalUnit({ slots: 4, bnEps: 0.1 }),
  shareSets: repmlp({ partition: [2, 4], shareSets: 2, reduce: 2 }),
  reparam: repmlp({ reparam: [5] }),
  foldedRepmlp: repmlp({ folded: true, shareSets: 4 }),
  repmlpStages: repmlpNet({
    channels: [8, 12, 6],
    blocks: [1, 2, 1],
    partition: [2, 'map', 'map'],
    shareSets: [2, 1, 6],
    patch: 2,
  }),
  repmlpShared: repmlpNet({ channels: [8, 12], blocks: [1, 1], reparam: [], reduce: 2 }),
})
export const localArchitectures = variants('convolutions beside matrices', 'image', {
  gmlp: gmlp({ locality: [3] }),
  mixer: mixer({ locality: [1, 3] }),
  resmlp: resmlp({ locality: [5] }),
})
export const textArchitectures = variants('architectures for text', 'mlm', {
  untied: gmlp({ tied: false }),
  headBias: gmlp({ headBias: true }),
  dense: gmlp({ spatial: 'dense' }),
  relative: bert({ heads: 2, positions: 40, relativeBuckets: 4, relativeMaxDistance: 8 }),
  relativeOnly: bert({ heads: 2, positions: 40, relativeBuckets: 4, contentAttention: false }),
  plain: bert({ heads: 2, positions: 40, segments: 0, headTransform: false }),
})

// %% models
export const models = variants('models', 'image', {
  dim: gmlp({ dim: 6, depth: 1, patch: 8, ffn: 10 }),
  eps: gmlp({ eps: 0.1 }),
  tanh: gmlp({ activation: 'gelu_tanh' }),
  relu: gmlp({ activation: 'relu' }),
  dropPathConstant: gmlp({ dropPath: 0.5 }),
  dropPathLinear: gmlp({ dropPath: 0.5, dropPathDecay: 'linear' }),
  dropPathOfMixer: mixer({ dropPath: 0.5 }),
  dropPathOfVit: vit({ heads: 2, dropPath: 0.5, depth: 3 }),
  hidden: gmlp({ dropout: { hidden: 0.3 } }),
  activation: gmlp({ dropout: { activation: 0.3 } }),
  attention: vit({ heads: 2, dropout: { attention: 0.3 } }),
  head: gmlp({ dropout: { head: 0.3 } }),
  embedding: vit({ heads: 2, dropout: { embedding: 0.3 } }),
  external: eamlp({ heads: 2, slots: 4, stemDim: 4, stemSlots: 4, dropout: { attention: 0.3, hidden: 0.3 } }),
})
/** Where the kernels work in tiles, on shapes that do not fit them. */
export const larger = compare('larger', {
  task: tasks.image,
  model: { patch: 2, dim: 40, depth: 1 },
  variants: { gmlp, mixer, vit },
  train: { ...train, batch: 19 },
  seeds: [2],
})

// %% recipes
const recipe = (name: string, options: Parameters<typeof compare>[1]['train']) =>
  compare(name, { task: tasks.image, model, variants: { mixer }, train: { ...train, ...options }, seeds: 1 })

export const accumulate = recipe('accumulate', { accumulate: 2 })
export const noDecay = recipe('noDecay', { noDecay: ['mlp_tokens'] })
export const layerDecay = recipe('layerDecay', { layerDecay: 0.5 })
export const clip = recipe('clip', { clip: 0.1 })
export const ema = recipe('ema', { ema: 0.9 })
export const warmEma = recipe('ema with warmup', { ema: { decay: 0.9, warmup: true } })
export const linear = recipe('linear', { schedule: 'linear', floor: 0.2 })
export const constant = recipe('constant', { schedule: 'constant' })
export const warmup = recipe('warmup', { warmup: 2 })
export const warmupStart = recipe('warmupStart', { warmup: 2, warmupStart: 0.3 })
export const evalEvery = recipe('evalEvery', { steps: 4, evalEvery: 2, evalExamples: 6 })
export const testExamples = recipe('testExamples', { testExamples: 3 })
export const logEvery = recipe('logEvery', { logEvery: 2 })
export const kept = recipe('kept', { histograms: true, snapshots: 1, checkpointEvery: { steps: 1 } })
export const betas = recipe('adamw', { optimizer: adamw({ beta1: 0.8, beta2: 0.9, eps: 0.01, weightDecay: 0.5 }) })
export const unlimited = recipe('lamb', { optimizer: lamb({ maxGradNorm: null, weightDecay: 0 }) })
export const nesterov = recipe('nesterov', { optimizer: sgd({ nesterov: true, momentum: 0.5 }) })

// %% images
export const augment = recipe('augment', { augment: {} })
export const crop = recipe('crop', { augment: { crop: 2 } })
export const flip = recipe('flip', { augment: { flip: 0.5 } })
export const auto = recipe('autoAugment', { augment: { autoAugment: true } })
export const rand = recipe('randAugment', { augment: { randAugment: { n: 3, mstd: 0.5, inc: true } } })
export const jitter = recipe('colorJitter', { augment: { colorJitter: 0.4 } })
export const erase = recipe('erase', { augment: { erase: 1 } })
export const repeats = recipe('repeats', { augment: { repeats: 2 } })
export const labelSmoothing = recipe('labelSmoothing', { labelSmoothing: 0.1 })
export const mixup = recipe('mixup', { mixup: 0.8 })
export const cutmix = recipe('cutmix', { cutmix: 1 })
export const mixed = recipe('mixup and cutmix', { mixup: 0.8, cutmix: 1, mixupProb: 0.7, mixupSwitchProb: 0.6 })

// %% tasks
const task = (name: string, task: Parameters<typeof compare>[1]['task']) =>
  compare(name, { task, model, variants: { gmlp }, train, seeds: 1 })

export const ofTextures = task('textures', image({ data: textures({ size: 16, difficulty: 0.2, seed: 3, ...few }) }))
export const ofGlyphs = task('glyphs', image({ data: glyphs({ size: 16, classes: 4, ...few }) }))
export const moreValidation = task('validation', image({ data: shapes({ size: 16, validation: 0.3, ...few }) }))
export const ofShapes = task('shapes', image({ data: shapes({ size: 16, difficulty: 1, seed: 5, ...few }) }))
export const byCharacters = task(
  'characters',
  mlm({ data: world(few), tokens: 10, mask: 0.3, tokenizer: { kind: 'characters', lowercase: false } }),
)
export const byPairs = task(
  'byte pairs',
  mlm({ data: world(few), tokens: 10, tokenizer: { kind: 'bytePairs', vocabulary: 270 } }),
)
export const byMean = task('mean', sequence({ data: world(few), tokens: 12, tokenizer, pool: 'mean' }))
export const byWindows = task(
  'windows',
  span({ data: world(few), tokens: 24, question: 8, stride: 6, answer: 3, nullThreshold: 1, tokenizer }),
)
export const byHeight = task('height', points({ data: solids({ points: 16, ...few }), order: 'height' }))

// %% later-tasks
import {
  clm,
  dataset,
  forecast,
  mixed as mixedData,
  noisyLabels,
  permuted,
  resized,
  scenes,
  seasons,
  segment,
  subset,
} from 'mixlab'

export const causal = compare('causal', {
  task: clm({ data: world(few), tokens: 12, tokenizer }),
  model,
  variants: { gmlp: gmlp({ causal: true }), amlp: amlp({ attention: 4, causal: true }) },
  train,
  seeds: 1,
})
export const ofScenes = task('scenes', segment({ data: scenes({ size: 16, ...few }) }))
export const ofSeasons = task(
  'seasons',
  forecast({ data: seasons({ channels: 3, steps: 16, ...few }), window: 8, horizon: 4 }),
)
const bars = dataset('bars', {
  ...few,
  shape: { image: [8, 8, 1] },
  make: (random, index) => {
    const [label, at] = [index % 2, random.integer('place', 8)]
    const lit = (i: number) => (label ? i % 8 : i >> 3) === at
    return { image: Float32Array.from({ length: 64 }, (_, i) => (lit(i) ? 1 : random.uniform('noise', 0, 0.2))), label }
  },
})
export const ofBars = task('bars', image({ data: bars }))
export const transformedBars = task(
  'bars changed',
  image({ data: noisyLabels(resized(subset(mixedData(permuted(bars), bars), 30), 16), 0.3) }),
)

export const inPatches = task('bars in patches', image({ data: permuted(bars, { patch: 4 }) }))

// %% from
const learned = { vocabulary: 40, corpus: world(few) }
export const pretraining = task('pretraining', mlm({ data: world(few), tokens: 12, tokenizer: learned }))
export const tuning = compare('tuning', {
  task: sequence({ data: world(few), tokens: 12, tokenizer: learned }),
  model,
  variants: { gmlp },
  train,
  seeds: 1,
  from: pretraining,
})

// %% files
export const fromTsv = task(
  'tsv',
  sequence({ data: tsv({ path: 'sst', columns: { first: 'sentence', label: 'label' } }), tokens: 8 }),
)
export const fromPairs = task(
  'tsv pairs',
  pair({
    data: tsv({
      path: 'mnli',
      columns: { first: 'sentence1', second: 'sentence2', label: 'gold_label' },
      holdout: 0.4,
      seed: 1,
    }),
    tokens: 10,
  }),
)
export const fromText = task('text', mlm({ data: textFiles({ path: 'talk', holdoutBy: 'files' }), tokens: 8 }))
export const fromSquad = task('squad', span({ data: squad({ path: 'squad' }), tokens: 16, question: 6 }))
export const fromIdx = task('idx', image({ data: idx({ path: 'idx' }) }))
export const fewerOfIdx = task(
  'idx in parts',
  image({ data: idx({ path: 'idx', validation: 0.4, train: 2, seed: 2 }) }),
)
export const fromCifar = task('cifar', image({ data: cifar({ path: 'cifar' }) }))
export const fromFolder = task('folder', image({ data: folder({ path: 'folder', size: 16, channels: 1 }) }))
export const fromClouds = task('clouds', points({ data: pointFiles({ path: 'clouds', points: 16 }) }))

// %% [markdown] about-block
// The next cell depends on no other, since a change of any would be one of its code.

// %% block
import {
  block,
  dense,
  shapes as drawn,
  gmlp as gated,
  layerNorm,
  image as pictures,
  residual,
  compare as study,
} from 'mixlab'

const wide = block('wide', { widen: 2 }, (x, { dim, widen }) =>
  residual(x, dense(dense(layerNorm(x), widen * dim), dim)),
)
const derived = block('derived', { ...gated.defaults }, gated.run)
export const own = study('own', {
  task: pictures({ data: drawn({ size: 16, train: 40, test: 6 }) }),
  model: { patch: 4, dim: 8, depth: 2, ffnRatio: 2 },
  variants: { wide, wider: wide({ widen: 3 }), derived },
  train: { steps: 3, batch: 4, logEvery: 1 },
  seeds: 1,
})

// %% [markdown] about-parts
// Nor does this one.

// %% parts
import {
  conv2d,
  head as ending,
  gmlp as gatedMlp,
  max,
  mixer as mixing,
  mul,
  patchMerge,
  relu,
  stack,
  stages,
  stem,
  block as toBlock,
  image as toClassify,
  compare as toCompare,
  dense as toDense,
  shapes as toDraw,
  vit as transformer,
} from 'mixlab'

const conv = stem('conv', (images, { dim }) => relu(conv2d(images, dim, { stride: 4 })))
const largest = ending('largest', (x, _size, classes) => toDense(max(x, 1), classes))
const placed = toBlock('placed', (x, { dim, layer, depth }) => mul(toDense(x, dim), (layer + 1) / depth))
export const ofParts = toCompare('of parts', {
  task: toClassify({ data: toDraw({ size: 16, train: 40, test: 6 }) }),
  model: { patch: 4, dim: 8, depth: 2, ffnRatio: 2, dropPath: 0.2 },
  variants: {
    placed,
    stem: gatedMlp({ stem: conv }),
    largest: gatedMlp({ head: largest }),
    stack: stack('mixed', [transformer({ heads: 2 }), gatedMlp]),
    stages: stages('pyramid', [
      { block: mixing, depth: 1 },
      { block: gatedMlp, depth: 1, dim: 12, merge: [2, 1] },
      { block: mixing, depth: 1, dim: 6, merge: (x, { dim }) => patchMerge(x, dim) },
    ]),
  },
  train: { steps: 3, batch: 4, logEvery: 1 },
  seeds: 1,
})
/** As a study gives them to all of its variants. */
export const ofModel = toCompare('of a whole model', {
  task: toClassify({ data: toDraw({ size: 16, train: 40, test: 6 }) }),
  model: { patch: 4, dim: 8, depth: 1, stem: conv, head: largest },
  variants: { gatedMlp, mixing },
  train: { steps: 3, batch: 4, logEvery: 1 },
  seeds: 1,
})

// %% [markdown] about-tasks
// Nor does this one.

// %% own-tasks
import {
  task as asTask,
  crossEntropy,
  discs,
  gmlp as gating,
  shapes as paint,
  regression,
  mul as scaled,
  compare as sideBySide,
  softmax,
  image as toName,
} from 'mixlab'

const base = toName({ data: paint({ size: 16, train: 40, test: 6 }) })
const tiny = { model: { patch: 4, dim: 8, depth: 1 }, train: { steps: 3, batch: 4, logEvery: 1 }, seeds: 1 }
export const teacher = sideBySide('a teacher', { ...tiny, task: base, variants: { gating } })
export const ofTasks = sideBySide('of tasks', {
  ...tiny,
  task: base,
  block: gating,
  variants: {
    loss: { task: asTask('doubled', { base, loss: (z, y) => scaled(2, crossEntropy(z, y)) }) },
    taught: { task: asTask('soft', { base, teacher, loss: (z, _, { teacher }) => crossEntropy(z, softmax(teacher)) }) },
    onData: { task: asTask('on data', { data: discs({ size: 16, train: 40, test: 6 }), outputs: [] }) },
    regression: { task: regression({ data: discs({ size: 16, train: 40, test: 6 }) }) },
  },
  metric: 'loss',
})

// %% [markdown] about-random
// Nor does this one.

// %% random
import {
  block as drawing,
  add as increase,
  dataset as madeOf,
  gmlp as mlpWithGate,
  random,
  shapes as sketch,
  compare as tell,
  image as toLabel,
  task as toRepeat,
} from 'mixlab'

const noisy = drawing('noisy', (x) =>
  increase(increase(x, random.normal('noise', x.shape)), random.uniform('shift', [x.shape[2] ?? 1], { low: -1 })),
)
const short = { train: { steps: 3, batch: 4, logEvery: 1 }, seeds: 1 }
export const ofRandom = tell('of random', {
  ...short,
  task: toLabel({ data: sketch({ size: 16, train: 40, test: 6 }) }),
  model: { patch: 4, dim: 8, depth: 2 },
  variants: { noisy },
})
const sayings = madeOf('sayings', {
  train: 40,
  test: 6,
  make: (draws) => ({ text: 'a b c d'.slice(0, 1 + 2 * draws.integer('length', 4)) }),
})
export const ofPadded = tell('of padded', {
  ...short,
  task: toRepeat('repeat', { data: sayings, tokens: 8, target: 'text' }),
  model: { dim: 8, depth: 1 },
  variants: { mlpWithGate },
})
