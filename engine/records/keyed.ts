/** Options by name, plain data. */
type Options = Record<string, unknown>
/** Checks options and fills in their defaults. */
type Resolve = (options: Options) => unknown

/**
 * The options that are in the keys of the runs of before defaults were left out: of a recipe and a model, and by the names
 * of optimizers, blocks, data sets and tasks. They stay in. Nothing is ever added here.
 */
const FIRST: Record<string, string> = {
  train:
    'steps batch accumulate noDecay schedule warmup floor evalEvery logEvery mixupProb mixupSwitchProb ' +
    'augment.crop augment.flip augment.autoAugment augment.colorJitter augment.erase augment.repeats ' +
    'augment.randAugment augment.randAugment.n augment.randAugment.m augment.randAugment.mstd ' +
    'augment.randAugment.mmax augment.randAugment.inc',
  adamw: 'learningRate beta1 beta2 eps weightDecay',
  lamb: 'learningRate beta1 beta2 eps weightDecay maxGradNorm',
  sgd: 'learningRate momentum nesterov weightDecay',
  model:
    'patch dim depth ffn ffnRatio dropPath dropPathDecay eps activation ' +
    'dropout dropout.hidden dropout.activation dropout.attention dropout.head dropout.embedding',
  amlp: 'gate gateEps attention qkvBias tied headBias',
  bert: 'heads positions segments relativeBuckets relativeMaxDistance contentAttention headTransform',
  conv_mixer: 'tokenRatio init',
  eamlp: 'heads widen slots stemDim stemSlots',
  external: 'slots',
  external_unit: 'slots bnEps',
  gmlp: 'gate gateEps attention qkvBias tied headBias',
  headed_mixer: 'heads tokenRatio',
  mixer: 'tokenRatio init',
  point_cloud: 'slots',
  resmlp: 'init',
  resnet: 'width blocksPerStage bnEps',
  vit: 'heads qkvBias',
  shapes: 'difficulty size train test seed',
  textures: 'difficulty size train test seed',
  glyphs: 'difficulty classes size train test seed',
  solids: 'difficulty points train test seed',
  world: 'difficulty train test seed',
  folder: 'size channels holdout seed skipUnreadable',
  pointFiles: 'points holdout seed',
  idx: 'path trainImages trainLabels testImages testLabels classes holdout seed',
  cifar: 'path labels',
  tsv: 'train others header leaveOut skipMalformed holdout seed',
  textFiles: 'path train test extensions holdout holdoutBy seed',
  squad: 'path train test skipMalformed holdout seed',
  image: 'data',
  points: 'data order',
  mlm: 'data tokenizer tokens mask',
  sequence: 'data tokenizer tokens pool',
  pair: 'data tokenizer tokens pool',
  span: 'data tokenizer tokens question stride answer nullThreshold',
  tokenizer: 'kind vocabulary lowercase corpus',
}

/** The options of a name that are in its first keys; nested ones by path. */
export const firstOf = (name: string): string[] => FIRST[name]?.split(' ') ?? []

/**
 * Resolved options as they enter a key: without those, nested ones too, that `resolve` gives by itself where they are left
 * out, so that a new option leaves the keys of old runs as they are. Those in `first` stay in. `path` is in front of names.
 */
export function keyed(options: object, first: readonly string[], resolve: Resolve, path = ''): Options {
  const given = options as Options
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const own = path + name
    if (!first.includes(own) && isSame(value, defaultOf(name, given, resolve))) return []
    if (!isOptions(value)) return [[name, value]]
    const resolvePart: Resolve = (part) => (resolve({ ...given, [name]: part }) as Options)[name]
    return [[name, keyed(value, first, resolvePart, `${own}.`)]]
  })
  return Object.fromEntries(entries)
}

/** The options that `keyed` gives, without the first ones of `name`, which the hash has already. */
export function laterOf(name: string, options: object): [string, unknown][] {
  return Object.entries(options).filter(([option]) => !firstOf(name).includes(option))
}

/** What an option is where it is left out; undefined where it may not be. */
function defaultOf(name: string, { [name]: _, ...others }: Options, resolve: Resolve): unknown {
  try {
    return (resolve(others) as Options)[name]
  } catch {
    return undefined
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && JSON.stringify(a) === JSON.stringify(b)
}

function isOptions(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
