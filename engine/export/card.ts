import { metricText } from '../records/meaning.ts'
import { weightsText } from '../records/tested.ts'
import { type RecordedSpec, recordedSpec } from '../study/recreate/recorded.ts'
import type { Description } from './description.ts'
import { type FoldedMacs, foldableOf, foldingText } from './foldable.ts'
import type { Snippets } from './formats/types.ts'
import type { Proof } from './prove.ts'
import { type TrainingProof, trainingText } from './trainingProof.ts'

/** What a model card is beside. */
export interface CardFiles {
  /** All files of the model, that of the format first. */
  names: string[]
  /** What the format is for. */
  purpose: string
  /** What the model reads in this file, by name. */
  inputs: string[]
  snippets: Snippets
  /** Of a file that can be trained: how its training compares with that of the model. */
  training: TrainingProof | null
  /** Null where nothing was folded. */
  folding: FoldedMacs | null
}

/** A model card in Markdown: what the model is, how its input is made, what was measured, and how it is used. */
export function modelCard(about: Description, proof: Proof, files: CardFiles): string {
  const { run, task, input, source } = about
  const spec = recordedSpec(about.spec, `run ${run.key}`)
  const { block } = spec.model
  const { snippets } = files
  const prose = [
    `# ${plain(run.study)}: ${plain(run.variant)}`,
    '',
    `${code(files.names[0] ?? '')} is ${files.purpose}. Written by Mixlab.`,
    '',
    ...table(
      ['what', 'is'],
      [
        ['architecture', source === null ? plain(block) : `${plain(block)}, a block of a notebook (source below)`],
        ['task', plain(task)],
        ['data', code(json(spec.task.options.data))],
        ['weights', whichWeights(about)],
        ['seed', String(run.seed)],
        ['run', `\`${run.key}\``],
        ['input', `\`[${input.shape.join(', ')}]\`, ${input.dtype}`],
        ['outputs', outputs(about)],
        [
          'proof',
          `read again and run on ${proof.examples} held-out examples, those of validation first: the largest difference of a logit from the model in Mixlab is ${proof.difference.toExponential(1)}`,
        ],
        ...(files.folding ? [['folding', foldingText(files.folding)] as [string, string]] : []),
        ...(files.training ? [['training', trainingText(files.training)] as [string, string]] : []),
      ],
    ),
    '',
    '## Input',
    '',
    ...preparation(about, files),
    '',
    '## Measured',
    '',
    ...measured(about, spec, files),
  ]
  const lines = [
    ...prose.map((line) => line.replaceAll('<', '&lt;')),
    ...['', '## Use', '', ...fenced('python', snippets.python), '', ...fenced('js', snippets.javascript)],
    ...(source === null ? [] : ['', '## Source of the block', '', ...fenced('ts', [source.trimEnd()], 4)]),
    ...['', '## Configuration', '', ...fenced('json', [json(about.spec, 2)])],
  ]
  return `${lines.join('\n')}\n`
}

/** A name of the user in a sentence: as it is, in one line, without a meaning in Markdown or HTML. */
const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_~$[\]]/g, '\\$&')

/** The same as code, where code can have it: within backticks nothing else has a meaning, but text behind them has. */
const code = (text: string) => (/[`<]/.test(text) ? plain(text) : `\`${text.replace(/\s+/g, ' ')}\``)

/** JSON that ends no element of a page, and no code. */
const json = (value: unknown, indent?: number) =>
  String(JSON.stringify(value, null, indent))
    .replaceAll('<', '\\u003c')
    .replaceAll('`', '\\u0060')

/** A block of code, within more backticks than it has in a row, and as many as `least`. */
function fenced(language: string, lines: readonly string[], least = 3): string[] {
  const runs = lines.join('\n').match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)))
  return [fence + language, ...lines, fence]
}

function table(head: [string, string], rows: [string, string][]): string[] {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return [`| ${head.join(' | ')} |`, '| --- | --- |', ...rows.map(([a, b]) => `| ${cell(a)} | ${cell(b)} |`)]
}

function whichWeights({ weights: which, step, testedAt, averaged, changed, spec }: Description): string {
  const folded = changed.folded && foldableOf(recordedSpec(spec, 'spec'))
  return [
    weightsText({ which, step, testedAt }),
    ...(averaged ? ['exponential moving averages'] : []),
    ...(folded ? [folded.done] : []),
    ...(changed.toeplitz ? ['Toeplitz matrices written out'] : []),
  ].join('; ')
}

/** What the logits are of. */
function outputs({ task, classes }: Description): string {
  if (classes) return `a logit for each class: ${classes.map(code).join(', ')}`
  if (task === 'clm') return 'at each place a logit for each token of the tokenizer, for what comes next'
  if (task === 'mlm') return 'at each place a logit for each token of the tokenizer'
  if (task === 'span') return 'at each token two logits: that the answer starts there, and that it ends there'
  return 'logits'
}

/** What evaluating the file comes to: nothing where only the cells of the run have its task or its data. */
function evaluating({ task, definitions, metrics }: RecordedSpec, file: string): string[] {
  const command = code(`mixlab evaluate ${file}`)
  if (definitions?.data || (definitions?.task && !task.base)) return []
  if (definitions?.task)
    return [
      `${command} gives the loss and the metrics of task ${code(task.base ?? '')}, which ${code(task.task)} changes.`,
    ]
  return [`${command} comes to the same${metrics ? ', without the metrics of cells' : ''}.`]
}

/** The metrics of the weights in the file, and what they were measured on. */
function measured(about: Description, spec: RecordedSpec, { names }: CardFiles): string[] {
  const { run, task, metrics, examples, limit, missing, tested, testedAt } = about
  const sizes = Object.entries(examples)
  if (sizes.length === 0) return missing
  const on = sizes
    .map(([split, count]) => `${count} ${task === 'span' ? 'windows of passages' : 'examples'} of ${code(split)}`)
    .join(' and ')
  const bounded = sizes.some(([, count]) => count >= limit)
  const own = testedAt === null ? Number.POSITIVE_INFINITY : Number(spec.train.testExamples ?? Number.POSITIVE_INFINITY)
  const readable = names.find((name) => /\.(safetensors|npz)$/.test(name))
  const again = readable ? evaluating(spec, `${inShell(readable)}${bounded ? ` --examples ${limit}` : ''}`) : []
  const other = testedAt === null ? 'The run has made no test' : 'The test of the run was made with other weights'
  const looks = 'who chooses among weights by these numbers is not tested by these examples any more.'
  return [
    [
      `Evaluated when this was written, with the weights that are in it, on ${on}${bounded ? ', the first ones' : ''}; trained with seed ${run.seed}.`,
      ...again,
      ...(sizes.some(([, count]) => count > own) ? [`The run itself was tested on the first ${own}.`] : []),
      ...(tested ? [] : [`${other}: ${looks}`]),
    ].join(' '),
    '',
    ...table(
      ['metric', 'value'],
      Object.entries(metrics).map(([name, { value, ...meaning }]) => [plain(name), metricText(value, meaning)]),
    ),
    ...missing.flatMap((line) => ['', line]),
  ]
}

/** A name as a shell takes it. */
const inShell = (name: string) => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`)

/** How a text is made shorter than the model can read, by task. */
const CUT: Record<string, string> = {
  pair: 'of which the longer text loses its end first',
  span: 'of a long passage in windows that overlap, the question cut at its end',
}

/** How raw data becomes what the model reads, in sentences. */
function preparation({ input, task }: Description, { names, inputs }: CardFiles): string[] {
  const how = input.preparation
  if (how?.kind === 'image') {
    const { size, channels, layout, mean, deviation } = how
    return [
      `Images of ${size[0]} x ${size[1]} pixels with ${channels} ${channels === 1 ? 'channel' : 'channels'}, axes ${layout}, values from 0 to 1, less ${mean.join(', ')}, divided by ${deviation.join(', ')} (per channel).`,
    ]
  }
  if (how?.kind === 'text') {
    const tokenizer = names.find((name) => name.endsWith('.tokenizer.json'))
    return [
      [
        `\`input\` has ${how.tokens} token ids of ${code(how.template)}, ${CUT[task] ?? 'cut at the end'}, padded at the end with id ${how.padding.id}.`,
        ...(inputs.includes('mask') ? [`\`mask\` is 1 where a token is and ${how.padding.mask} at padding.`] : []),
        ...(inputs.includes('types') ? ['`types` is 1 in the second segment.'] : []),
        tokenizer ? `${code(tokenizer)} makes the ids.` : 'The ids are those of the tokenizer in its description.',
      ].join(' '),
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
