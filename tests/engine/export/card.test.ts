import { describe, expect, it } from 'vitest'
import { type CardFiles, modelCard } from '../../../engine/export/card.ts'
import { type Description, describe as descriptionOf } from '../../../engine/export/description.ts'
import type { Measurement } from '../../../engine/export/measure.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import type { Preparation, Task } from '../../../engine/tasks/types.ts'

const spec = {
  numerics: 1,
  data: 'd',
  model: { block: 'mixer', code: 'built in' },
  train: { steps: 30 },
  seed: 3,
  task: { task: 'image', options: { data: { dataset: 'idx', options: { path: 'a|b' } } } },
}
const run = {
  id: 4,
  key: 'abc',
  study: 'gating',
  variant: 'mixer',
  seed: 3,
  spec,
  code: 'const x = 1\n',
} as StoredRunDetails
const picture: Preparation = {
  kind: 'image',
  size: [8, 6],
  channels: 1,
  layout: 'batch, height, width, channels',
  mean: [0.5],
  deviation: [0.25],
}
const measured: Measurement = {
  metrics: {
    'test/loss': { value: 0.123456789, better: 'lower', unit: 'nats' },
    'test/accuracy': { value: 0.93456, better: 'higher', unit: 'share' },
  },
  examples: { test: 20 },
  limit: 10_000,
  missing: [],
}
const task = { input: { shape: [1, 8, 6, 1] }, classes: ['left', 'right'], preparation: picture } as unknown as Task
const plain = { folded: false, toeplitz: false }
const tested = { which: 'best', step: 20, testedAt: 20 } as const
const about = descriptionOf(run, task, tested, measured, plain)

const proof = { examples: 64, difference: 1.25e-6 }
const files: CardFiles = {
  names: ['gate.npz'],
  purpose: 'tensors',
  inputs: ['input'],
  snippets: { python: ['import numpy'], javascript: ['fetch()', 'more()'] },
  training: null,
  folding: null,
}
const card = (more: Partial<Description> = {}, beside: Partial<CardFiles> = {}) =>
  modelCard({ ...about, ...more }, proof, { ...files, ...beside })
/** A part of a card, under its heading. */
const part = (text: string, name: string) => new RegExp(`\n## ${name}\n\n([\\s\\S]*?)\n(\n## |$)`).exec(text)?.[1]
const row = (text: string, name: string) => new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(text)?.[1]

describe('a description', () => {
  it('is of the run, of these weights, and of what was measured of them', () => {
    expect(about).toEqual({
      version: 1,
      run: { key: 'abc', study: 'gating', variant: 'mixer', seed: 3 },
      ...{ weights: 'best', step: 20, testedAt: 20, tested: true, averaged: false },
      task: 'image',
      input: { shape: ['batch', 8, 6, 1], dtype: 'float32', preparation: picture },
      classes: ['left', 'right'],
      tokenizer: null,
      ...measured,
      changed: plain,
      spec,
      source: null,
    })
  })
  it('says what is otherwise', () => {
    const own = { ...run, spec: { ...spec, model: { block: 'mine', code: 'f00' }, train: { ema: 0.9 } } }
    const text = { input: { shape: [1, 12], dtype: 'int32' }, files: { 'tokenizer.json': '{"kind":"words"}' } }
    const last = { which: 'last', step: 30, testedAt: 20 } as const
    const changed = { folded: true, toeplitz: true }
    expect(descriptionOf(own, text as unknown as Task, last, measured, changed)).toMatchObject({
      ...{ weights: 'last', step: 30, testedAt: 20, tested: false, averaged: true },
      input: { shape: ['batch', 12], dtype: 'int32', preparation: null },
      classes: null,
      tokenizer: { kind: 'words' },
      changed,
      source: 'const x = 1\n',
    })
  })
})

describe('a card with names that are HTML or Markdown', () => {
  const evil = '<img src=x onerror=alert(1)>'
  const close = '`</script><script>alert(1)</script>`'
  const text = card(
    {
      run: { ...run, study: evil, variant: `${close} [x](javascript:alert(1))` },
      classes: [evil, close, 'a&b'],
      task: evil,
    },
    { names: [`${evil}.npz`] },
  )
  it('has no HTML of them', () => {
    expect(text).not.toMatch(/<(img|\/?script)/)
    expect(text).toContain('&lt;img src=x onerror=alert(1)>')
    expect(text.split('\n')[0]).toBe(
      '# &lt;img src=x onerror=alert(1)>: \\`&lt;/script>&lt;script>alert(1)&lt;/script>\\` \\[x\\](javascript:alert(1))',
    )
  })
  it('has no bold, struck or mathematical ones', () => {
    const odd = card({ run: { ...run, study: '__a__ ~~b~~', variant: '$c$' } })
    expect(odd.split('\n')[0]).toBe('# \\_\\_a\\_\\_ \\~\\~b\\~\\~: \\$c\\$')
  })
  it('has JSON that ends no element, and means the same', () => {
    const odd = card({ spec: { ...spec, note: `${close}${evil}` } })
    const json = part(odd, 'Configuration')?.replace(/^```json\n|\n```$/g, '') ?? ''
    expect(json).not.toContain('<')
    expect(JSON.parse(json).note).toBe(`${close}${evil}`)
  })
  it('has the source of a block within more backticks than it has', () => {
    const source = 'const a = `````x`````\n'
    expect(part(card({ source }), 'Source of the block')).toBe(`\`\`\`\`\`\`ts\n${source}\`\`\`\`\`\``)
  })
})

describe('a card', () => {
  it('of a file that can be trained says how that was compared', () => {
    const gradient = { name: 'head.weight', share: 2e-6 }
    const found = { output: 0, loss: 1e-7, gradient, statistic: null, step: 0, initial: { others: [], all: 9 } }
    const differences = { difference: 3e-6, wrong: null, unjudged: null }
    const training = { examples: 8, masks: 2, ...found, rounding: ['bias'], differences, lines: {} }
    const text =
      "in training on 8 examples with the same 2 masks: differences of loss 1.0e-7, gradients 2.0e-6 of their largest entry, one step of SGD 0.0e+0; all 9 tensors start as the model's"
    const left = 'gradients that are zero but for rounding were not compared: bias'
    const slopes =
      'central differences in double precision give the same slope along a random direction, up to 3.0e-6 of it'
    expect(row(card({}, { training }), 'training')).toBe(`${text}; ${left}; ${slopes}`)
    const unjudged = { ...differences, unjudged: 'it is not finite' }
    expect(row(card({}, { training: { ...training, rounding: [], differences: unjudged } }), 'training')).toBe(
      `${text}; central differences could not judge the gradient: it is not finite`,
    )
  })
  it('says what the model is, how its input is made, what was measured, and how it is used', () => {
    expect(card()).toBe(`# gating: mixer

\`gate.npz\` is tensors. Written by Mixlab.

| what | is |
| --- | --- |
| architecture | mixer |
| task | image |
| data | \`{"dataset":"idx","options":{"path":"a\\|b"}}\` |
| weights | best on validation, after 20 steps; the test of the run was made with them |
| seed | 3 |
| run | \`abc\` |
| input | \`[batch, 8, 6, 1]\`, float32 |
| outputs | a logit for each class: \`left\`, \`right\` |
| proof | read again and run on 64 held-out examples, those of validation first: the largest difference of a logit from the model in Mixlab is 1.3e-6 |

## Input

Images of 8 x 6 pixels with 1 channel, axes batch, height, width, channels, values from 0 to 1, less 0.5, divided by 0.25 (per channel).

## Measured

Evaluated when this was written, with the weights that are in it, on 20 examples of \`test\`; trained with seed 3. \`mixlab evaluate gate.npz\` comes to the same.

| metric | value |
| --- | --- |
| test/loss | 0.12346 |
| test/accuracy | 93.46 % |

## Use

\`\`\`python
import numpy
\`\`\`

\`\`\`js
fetch()
more()
\`\`\`

## Configuration

\`\`\`json
${JSON.stringify(spec, null, 2)}
\`\`\`
`)
  })
  it('has the source of a block of a notebook', () => {
    const text = card({ source: 'const x = 1\n\n' })
    expect(row(text, 'architecture')).toBe('mixer, a block of a notebook (source below)')
    expect(text).toContain('\n```\n\n## Source of the block\n')
    expect(part(text, 'Source of the block')).toBe('````ts\nconst x = 1\n````')
  })
  it('says how the weights were changed, and which they are', () => {
    const changed = { folded: true, toeplitz: true }
    expect(row(card({ averaged: true, changed, weights: 10, step: 10, tested: false }), 'weights')).toBe(
      'after 10 steps; the test of the run was made with others, after 20 steps; exponential moving averages; Toeplitz matrices written out',
    )
  })
  it.each([
    [{ classes: ['a\nb', 'c|d'] }, 'a logit for each class: `a b`, `c\\|d`'],
    [{ classes: null, task: 'mlm' }, 'at each place a logit for each token of the tokenizer'],
    [{ classes: null, task: 'span' }, 'at each token two logits: that the answer starts there, and that it ends there'],
    [{ classes: null, task: 'other' }, 'logits'],
  ])('says what the outputs of %j are', (more, words) => {
    expect(row(card(more), 'outputs')).toBe(words)
  })

  const text: Preparation = {
    kind: 'text',
    tokens: 12,
    template: '[CLS] text [SEP]',
    truncation: 'end',
    padding: { side: 'end', id: 0, mask: 0 },
    pool: 'first',
  }
  const input = (preparation: Preparation | null) => ({ shape: about.input.shape, dtype: 'int32', preparation })
  it('says how a text becomes what this file reads', () => {
    const all = { names: ['a.onnx', 'a.tokenizer.json'], inputs: ['input', 'types', 'mask'] }
    expect(part(card({ task: 'sequence', input: input(text) }, all), 'Input')).toBe(
      '`input` has 12 token ids of `[CLS] text [SEP]`, cut at the end, padded at the end with id 0. `mask` is 1 where a token is and 0 at padding. `types` is 1 in the second segment. `a.tokenizer.json` makes the ids.\n\nThe first token stands for the text.',
    )
    expect(part(card({ task: 'pair', input: input({ ...text, pool: 'mean' }) }), 'Input')).toBe(
      '`input` has 12 token ids of `[CLS] text [SEP]`, of which the longer text loses its end first, padded at the end with id 0. The ids are those of the tokenizer in its description.\n\nThe mean of all tokens but padding stands for the text.',
    )
    expect(part(card({ task: 'span', input: input({ ...text, pool: null }) }), 'Input')).toBe(
      '`input` has 12 token ids of `[CLS] text [SEP]`, of a long passage in windows that overlap, the question cut at its end, padded at the end with id 0. The ids are those of the tokenizer in its description.',
    )
  })
  it('says how pictures in colour, points and what is of cells are made', () => {
    const colour = { ...picture, channels: 3, mean: [0.1, 0.2, 0.3], deviation: [0.4, 0.5, 0.6] }
    expect(part(card({ input: input(colour) }), 'Input')).toMatch(
      /with 3 channels, axes .*, less 0\.1, 0\.2, 0\.3, divided by 0\.4, 0\.5, 0\.6 \(per channel\)\.$/,
    )
    const points: Preparation = { kind: 'points', points: 16, order: 'morton', normalised: 'in the unit ball' }
    expect(part(card({ input: input(points) }), 'Input')).toBe(
      'Clouds of 16 points, in the unit ball, in the order `morton`.',
    )
    expect(part(card({ input: input(null) }), 'Input')).toBe('As the cells of its study make it.')
  })

  const head = (more: Partial<Description>, beside?: Partial<CardFiles>) =>
    part(card(more, beside), 'Measured')?.split('\n\n')[0]
  it('says on how many examples of which tests, and how they are evaluated again', () => {
    const on = 'Evaluated when this was written, with the weights that are in it, on'
    expect(head({ examples: { test: 20, mismatched: 10 }, limit: 21 })).toBe(
      `${on} 20 examples of \`test\` and 10 examples of \`mismatched\`; trained with seed 3. \`mixlab evaluate gate.npz\` comes to the same.`,
    )
    expect(head({ examples: { test: 20, mismatched: 10 }, limit: 20 }, { names: ['a.py', 'a.py.safetensors'] })).toBe(
      `${on} 20 examples of \`test\` and 10 examples of \`mismatched\`, the first ones; trained with seed 3. \`mixlab evaluate a.py.safetensors --examples 20\` comes to the same.`,
    )
    expect(head({ spec: { ...spec, metrics: { own: 'f00' } } })).toContain('same, without the metrics of cells.')
    const task = { task: 'smooth', base: 'image', options: {} }
    expect(head({ spec: { ...spec, task, definitions: { task: 'f00' } } })).toContain(
      '`mixlab evaluate gate.npz` gives the loss and the metrics of task `image`, which `smooth` changes.',
    )
    for (const definitions of [{ task: 'f00' }, { data: 'f00' }]) {
      expect(head({ spec: { ...spec, definitions } })).not.toContain('mixlab evaluate')
    }
    expect(head({ task: 'span' }, { names: ['a.npz.onnx', 'my.safetensors.json'] })).toBe(
      `${on} 20 windows of passages of \`test\`; trained with seed 3.`,
    )
  })
  it('says what the test of the run has to do with it', () => {
    const ofRun = (testExamples: number) => head({ spec: { ...spec, train: { testExamples } } })
    expect(ofRun(19)).toContain(' The run itself was tested on the first 19.')
    expect(ofRun(20)).not.toContain('The run itself')
    const untested = { testedAt: null, tested: false, spec: { ...spec, train: { testExamples: 5 } } }
    expect(head(untested)).not.toContain('The run itself')
    const looks = 'who chooses among weights by these numbers is not tested by these examples any more.'
    expect(head({ tested: false })).toMatch(new RegExp(` The test of the run was made with other weights: ${looks}$`))
    expect(head({ tested: false, testedAt: null })).toMatch(new RegExp(` The run has made no test: ${looks}$`))
  })
  it('says what is missing, and has no numbers where there are none', () => {
    expect(part(card({ missing: ['One.', 'Two.'] }), 'Measured')).toMatch(/ 93\.46 % \|\n\nOne\.\n\nTwo\.$/)
    const none = card({ metrics: {}, examples: {}, missing: ['Not evaluated.'] })
    expect(part(none, 'Measured')).toBe('Not evaluated.')
  })
})
