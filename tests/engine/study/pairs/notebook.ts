import { integer, keyOf } from '../../../../engine/random.ts'
import { KINDS, type Kind } from './kinds.ts'

/** A notebook with a study `s` of one variant, whose function captures `k`, written in one of many ways. */
interface Written {
  kind: Kind
  use: string
  /** What stands for `K` in the code, and what makes that hold `k`. */
  capture: string
  k: number
  style: ReadonlySet<Style>
}

/** What changes nothing of what a cell does. */
const STYLES = [
  'commas',
  'quotes',
  'locals',
  'name',
  'import',
  'helper',
  'block',
  'comments',
  'spaces',
  'brackets',
  'cells',
  'types',
  'parameter',
] as const
type Style = (typeof STYLES)[number]

/** Ways to capture a number: how code is written that does, `K` for the number and VALUE for the function. */
const CAPTURES: Record<string, [before: string, within: string]> = {
  factory: ['const make = (k) => VALUE\nconst made = make(K)', 'k'],
  constant: ['const k = K\nconst made = VALUE', 'k'],
  object: ['const options = { list: [0, { k: K }] }\nconst made = VALUE', 'options.list[1].k'],
  function: ['const k = () => K\nconst made = VALUE', 'k()'],
  curried: ['const make = (k) => () => (() => VALUE)()\nconst made = make(K)()', 'k'],
  classes: [
    'class Holder { constructor(k) { this.k = k } }\nconst holder = new Holder(K)\nconst made = VALUE',
    'holder.k',
  ],
  list: ['const ks = Float32Array.of(K)\nconst made = VALUE', 'ks[0]'],
  loop: ['const all = [K].map((k) => VALUE)\nconst [made] = all', 'k'],
  method: ['const tool = { k: K, make() { const { k } = this; return VALUE } }\nconst made = tool.make()', 'k'],
}

const IMPORTS = [
  'add',
  'batchNorm',
  'block',
  'compare',
  'constant',
  'crossEntropy',
  'dense',
  'dropout',
  'embedding',
  'gelu',
  'gmlp',
  'image',
  'layerNorm',
]
  .concat([
    'mean',
    'metric',
    'mixer',
    'mlm',
    'mul',
    'normal',
    'pair',
    'parameter',
    'readout',
    'relu',
    'residual',
    'shapes',
    'sub',
    'uniform',
  ])
  .concat(['head', 'patchEmbed', 'patchMerge', 'scope', 'stack', 'stages', 'stem', 'task', 'usualFrames', 'world'])

/** The variants of a study whose function is not that of a block. */
const VARIANTS: Record<string, string> = {
  readout: 'variants: { v: mixer() }, readouts: [made]',
  metric: 'variants: { v: mixer() }, metrics: [made]',
  task: 'variants: { v: { block: mixer(), task: made } }',
}

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const TASKS = {
  image: 'image({ data: shapes({ train: 16, test: 4, size: 16 }) })',
  pair: 'pair({ data: world({ train: 16, test: 4 }), tokens: 8, tokenizer: { vocabulary: 60 } })',
  mlm: 'mlm({ data: world({ train: 16, test: 4 }), tokens: 16, tokenizer: { vocabulary: 60 } })',
}

function printed({ kind, use, capture, k, style }: Written): string {
  const [before, within] = CAPTURES[capture] as [string, string]
  const has = (each: Style) => style.has(each)
  const value = kind.make
    .replaceAll('USE', has('brackets') ? `(${use})` : use)
    .replaceAll(/\bK\b/g, within)
    .replaceAll('NAME', has('name') ? 'renamed' : 'mine')
  const source = before.replaceAll('VALUE', value).replaceAll(/\bK\b/g, String(k))
  const code = [
    has('comments') ? '// a note\n/* and another */' : '',
    has('helper') ? 'const unused = (a, b) => a + b' : '',
    has('block') ? "const other = block('other', (x) => mul(x, 3))" : '',
    source,
  ].join('\n')
  const [, what = ''] = /^(metric|readout|task)\(/.exec(kind.make) ?? []
  const variants = VARIANTS[what] ?? 'variants: { v: made }'
  const study = `const s = compare('s', { task: ${TASKS[kind.task]}, model: { patch: 8, dim: 4, depth: 1 }, train: { steps: 1, batch: 2 }, seeds: 1, ${variants} })`
  const all = `${code}${has('cells') ? '\n// %% study\n' : '\n'}${study}`
  return styled(
    `// %% imports\nimport { ${IMPORTS.join(', ')} } from 'mixlab'\nimport * as tf from '@tensorflow/tfjs'\n// %% made\n${all}\n`,
    has,
  )
}

function styled(text: string, has: (style: Style) => boolean): string {
  const changes: [Style, (text: string) => string][] = [
    ['commas', (text) => text.replaceAll(' })', ', })').replaceAll(', , })', ', })')],
    ['quotes', (text) => text.replaceAll("'", '"')],
    ['locals', (text) => text.replaceAll(/\blocal\b/g, 'another').replaceAll(/\bmade\b/g, 'result')],
    [
      'parameter',
      (text) =>
        text
          .replaceAll(/\bk\b(?!:)/g, 'factor')
          .replaceAll('{ factor }', '{ k: factor }')
          .replaceAll('.factor', '.k'),
    ],
    ['import', (text) => text.replace('// %% made\n', "// %% made\nimport { vit, concat } from 'mixlab'\n")],
    ['spaces', (text) => text.replaceAll('=>', '  =>\n').replaceAll('{ ', '{   ')],
    [
      'types',
      (text) =>
        text.replaceAll('const made =', 'const made: any =').replaceAll('const result =', 'const result: any ='),
    ],
  ]
  return changes.reduce((text, [style, change]) => (has(style) ? change(text) : text), text)
}

/** Numbers and choices of one pair. */
function chooser(kind: string, number: number) {
  const key = keyOf(number, `pairs/${kind}`)
  let at = 0
  const below = (end: number) => integer(key, at++, end)
  return { below, oneOf: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item }
}

function styleOf(below: (end: number) => number): ReadonlySet<Style> {
  return new Set(STYLES.filter(() => below(3) === 0))
}

/** Two notebooks that differ in the number that a function captures, and maybe in how they are written. */
export function differing(kind: string, number: number): [string, string] {
  const { below, oneOf } = chooser(kind, number)
  const chosen = KINDS[kind] as Kind
  const { numbers = NUMBERS } = chosen
  const use = oneOf(chosen.uses)
  const capture = oneOf(Object.keys(CAPTURES))
  const first = oneOf(numbers)
  const second = oneOf(numbers.filter((each) => each !== first))
  const style = styleOf(below)
  const other = below(2) ? style : styleOf(below)
  const written = { kind: chosen, use, capture }
  return [printed({ ...written, k: first, style }), printed({ ...written, k: second, style: other })]
}

/** Two notebooks that differ in how they are written alone. */
export function alike(kind: string, number: number): [string, string] {
  const { below, oneOf } = chooser(kind, number)
  const chosen = KINDS[kind] as Kind
  const written = {
    kind: chosen,
    use: oneOf(chosen.uses),
    capture: oneOf(Object.keys(CAPTURES)),
    k: oneOf(chosen.numbers ?? NUMBERS),
  }
  return [printed({ ...written, style: styleOf(below) }), printed({ ...written, style: styleOf(below) })]
}
