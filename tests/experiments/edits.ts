/** An edit that a ready notebook proposes, as somebody might make it. */
export interface Edit {
  notebook: string
  /** The sentence of the first cell that proposes it. */
  sentence: string
  /** Texts that stand in the notebook once, and what is written in their place. */
  change: [from: string, to: string][]
  /** The variants that are trained anew, by the names of their studies; all other runs are in the store. */
  trains: Record<string, string[]>
}

const QUERIES =
  'Then give the queries a layer of their own, or leave out the `sub`, and run again: only `matching` is trained anew.'
const CLOUD = 'Then change `memory` or `curve` and run again: only that variant is trained anew.'

/** Every edit that the ready notebooks propose. */
export const EDITS: Edit[] = [
  {
    notebook: 'first-comparison.ts',
    sentence:
      'Then change the gate, e.g. to `add(u, ...)`, and run again: only the variant whose code changed is trained anew.',
    change: [['mul(u, tokenDense', 'add(u, tokenDense']],
    trains: { 'What is the gate worth?': ['gated'] },
  },
  {
    notebook: 'folded-convolutions.ts',
    sentence: 'Then try other kernels in `kernels`, and run again: only the variants *with* are trained anew.',
    change: [['kernels = [1, 3]', 'kernels = [5]']],
    trains: { 'MLP-Mixer': ['with'], ResMLP: ['with'], gMLP: ['with'], RepMLP: ['with'] },
  },
  {
    notebook: 'fine-tuning.ts',
    sentence: 'Then change the number of pairs: the pretraining is not done again.',
    change: [['train: 1000 }', 'train: 500 }']],
    trains: { scratch: ['amlp', 'bert'], 'fine-tuning': ['amlp', 'bert'] },
  },
  {
    notebook: 'distillation.ts',
    sentence: 'Then change the temperature `t` and run again: only `soft` is trained anew.',
    change: [['const [t, a] = [4, 0.9]', 'const [t, a] = [2, 0.9]']],
    trains: { distillation: ['soft'] },
  },
  {
    notebook: 'masked-language.ts',
    sentence: 'Then change a variant and run again: only that one is trained anew.',
    change: [['attention: 24', 'attention: 32']],
    trains: { gates: ['amlp'] },
  },
  {
    notebook: 'questions.ts',
    sentence: QUERIES,
    change: [
      ['const words = dense(y, dim)\n', 'const words = dense(y, dim), queries = dense(y, dim)\n'],
      ['attend([words, words], values)', 'attend([queries, words], values)'],
    ],
    trains: { 'Which mixing finds the answer?': ['matching'] },
  },
  {
    notebook: 'questions.ts',
    sentence: QUERIES,
    change: [
      ['sub(attend(', 'attend('],
      ['words], values), values)', 'words], values)'],
    ],
    trains: { 'Which mixing finds the answer?': ['matching'] },
  },
  {
    notebook: 'sentiment.ts',
    sentence: 'Then change the gate, e.g. to `dense(gate, dim)`, and run again: only that variant is trained anew.',
    change: [['dense(mul(u, gate), dim)', 'dense(gate, dim)']],
    trains: { 'Is a gate enough for negation?': ['gated'] },
  },
  {
    notebook: 'solids.ts',
    sentence: CLOUD,
    change: [['{ slots: 32 }', '{ slots: 16 }']],
    trains: { 'Does a point need its neighbours?': ['memory'] },
  },
  {
    notebook: 'solids.ts',
    sentence: CLOUD,
    change: [[", structure: 'toeplitz' })", ' })']],
    trains: { 'Does a point need its neighbours?': ['curve', 'unordered'] },
  },
  {
    notebook: 'which-mixing.ts',
    sentence: 'Then write a mixing of your own and run again: only what changed is trained anew.',
    change: [
      [
        '// %% study\n',
        "// %% own\nexport const own = former('own', (x, { dim }) => mul(x, dense(tokenDense(x), dim)))\n\n// %% study\n",
      ],
      ['gate, attention }', 'gate, attention, own }'],
    ],
    trains: { 'Which mixing of tokens': ['own'] },
  },
]

/** A notebook with the edit made. Throws where a text that is changed does not stand in it once. */
export function edited(text: string, { change }: Edit): string {
  return change.reduce((before, [from, to]) => {
    const [head, tail, ...more] = before.split(from)
    if (head === undefined || tail === undefined || more.length > 0) throw new Error(`'${from}' is not there once`)
    return head + to + tail
  }, text)
}

/** The sentences of a notebook that propose an edit: those of its first cell that begin with `Then`. */
export function proposals(text: string): string[] {
  const prose = (text.split('// %%')[1] ?? '').replaceAll(/\n\/\/ ?/g, ' ').replaceAll(/\s+/g, ' ')
  return [...prose.matchAll(/\bThen .*?\.(?= [A-Z]|$)/g)].map(([sentence]) => sentence)
}
