import type { Description } from './description.ts'
import type { Snippets } from './formats/types.ts'
import type { Proof } from './prove.ts'

/** A model card in Markdown: what the model is, how its input is made, what was measured, and how it is used. */
export function modelCard(about: Description, proof: Proof, file: string, purpose: string, code: Snippets): string {
  const { run, weights, task, input, classes, metrics, changed, source, spec } = about
  const { model, task: given } = spec as { model?: { block?: string }; task?: { options?: { data?: unknown } } }
  const tested = Object.entries(metrics).filter(([name]) => !/^(eval|train|chosen)\//.test(name))
  const which = typeof weights === 'number' ? `after ${weights} steps` : weights
  const lines = [
    `# ${run.study}: ${run.variant}`,
    '',
    `\`${file}\` is ${purpose}. Written by Mixlab.`,
    '',
    ...table('what', 'is', [
      [
        'architecture',
        source === null ? (model?.block ?? '') : `${model?.block}, a block of a notebook (source below)`,
      ],
      ['task', task],
      ['data', `\`${JSON.stringify(given?.options?.data ?? null)}\``],
      [
        'weights',
        which +
          (changed.folded ? ', affine layers folded' : '') +
          (changed.toeplitz ? ', Toeplitz matrices written out' : ''),
      ],
      ['seed', String(run.seed)],
      ['run', `\`${run.key}\``],
      ['input', `\`[${input.shape.join(', ')}]\`, ${input.dtype}`],
      ['classes', classes ? classes.map((name) => `\`${name}\``).join(', ') : 'none'],
      [
        'proof',
        `read again and run on ${proof.examples} validation examples, the largest difference of a logit is ${proof.difference.toExponential(1)}`,
      ],
    ]),
    '',
    '## Input',
    '',
    ...preparation(about),
    '',
    '## Measured',
    '',
    `In the run of seed ${run.seed}, at its last evaluation.`,
    '',
    ...table(
      'metric',
      'value',
      tested.map(([name, { value, unit }]) => [
        name,
        unit === 'share' ? `${(100 * value).toFixed(2)} %` : value.toPrecision(5),
      ]),
    ),
    '',
    '## Use',
    '',
    '```python',
    ...code.python,
    '```',
    '',
    '```js',
    ...code.javascript,
    '```',
    ...(source === null ? [] : ['', '## Source of the block', '', '````ts', source.trimEnd(), '````']),
    '',
    '## Configuration',
    '',
    '```json',
    JSON.stringify(spec, null, 2),
    '```',
  ]
  return `${lines.join('\n')}\n`
}

function table(head: string, value: string, rows: [string, string][]): string[] {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return [`| ${head} | ${value} |`, '| --- | --- |', ...rows.map(([a, b]) => `| ${cell(a)} | ${cell(b)} |`)]
}

/** How raw data becomes what the model reads, in sentences. */
function preparation({ input }: Description): string[] {
  const how = input.preparation
  if (how?.kind === 'image') {
    const { size, channels, layout, mean, deviation } = how
    return [
      `Images of ${size[0]} x ${size[1]} pixels with ${channels} channels, axes ${layout}, values from 0 to 1, less ${mean.join(', ')}, divided by ${deviation.join(', ')} (per channel).`,
    ]
  }
  if (how?.kind === 'text') {
    return [
      `\`input\` has ${how.tokens} token ids of \`${how.template}\`, cut at the end or padded there with id ${how.padding.id}. \`mask\` is 1 where a token is and ${how.padding.mask} at padding; \`types\` is 1 in the second segment. \`tokenizer.json\` makes the ids.`,
      ...(how.pool
        ? [
            '',
            `The ${how.pool === 'first' ? 'first token stands' : 'mean of all tokens but padding stands'} for the text.`,
          ]
        : []),
    ]
  }
  if (how?.kind === 'points')
    return [`Clouds of ${how.points} points, ${how.normalised}, in the order \`${how.order}\`.`]
  return ['As the cells of its study make it.']
}
