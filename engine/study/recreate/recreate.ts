import { MixlabError } from '../../errors.ts'
import { parseNotebook } from '../../notebook/parse.ts'
import { printNotebook } from '../../notebook/print.ts'
import type { Cell } from '../../notebook/types.ts'
import { NUMERICS } from '../../records/numerics.ts'
import type { StoredRunDetails } from '../../records/run.ts'
import { exportOf } from '../builtIn.ts'
import type { OnlyOptions } from '../only.ts'
import { literal, propertyName } from './literal.ts'
import { freeId, narrowed } from './narrow.ts'
import { type RecordedSpec, recordedSpec } from './recorded.ts'

type Run = Pick<StoredRunDetails, 'id' | 'key' | 'study' | 'variant' | 'seed' | 'spec' | 'origin'>

/**
 * A notebook, in percent format, whose study has the one variant and seed of a run: evaluated, it plans a run of the same
 * key. Made of the cells that defined the study, or else of the spec, where the block is built in. Of a study that is tuned it
 * has the values that were chosen, where `chosenFor` knows them. Throws MixlabError `store` where neither is known.
 */
export function recreateNotebook(run: Run, values?: OnlyOptions['values']): string {
  const spec = recordedSpec(run.spec, `run ${run.id}`)
  const { cells, note } = run.origin
    ? fromSource(run, run.origin, spec, values)
    : { cells: [fromSpec(run, spec)], note: '' }
  const anew = `It was trained with numerics ${spec.numerics}, this is ${NUMERICS}: it will be trained anew.`
  const other = spec.numerics === NUMERICS ? '' : anew
  const name = `${run.study}: ${run.variant}, seed ${run.seed}`
  const source = `# ${name}\n\nRun ${run.id}, ${whereFrom(run)}. ${note}${other}\n\nKey ${run.key}`
  const head: Cell = { id: freeId(cells, 'about'), kind: 'markdown', source: source.replace(/ +$/gm, '') }
  return printNotebook([head, ...cells])
}

function whereFrom({ origin }: Run): string {
  if (!origin) return 'recreated from its configuration'
  const { notebook, cell } = origin
  return `recreated from cell \`${cell}\`${notebook ? ` of \`${notebook}\`` : ''}`
}

function fromSource(
  run: Run,
  origin: NonNullable<Run['origin']>,
  { model, metrics, readouts, definitions }: RecordedSpec,
  values: OnlyOptions['values'],
): { cells: Cell[]; note: string } {
  const cells = parseNotebook(origin.source)
  const options = {
    ...{ variants: [origin.variant], seeds: [run.seed] },
    ...(origin.quick && { quick: true }),
    ...(values && { values }),
  }
  const part = narrowed(cells, origin, run.study, options, codesOf(model, [metrics, readouts, definitions]))
  if (part?.length === cells.length) return { cells: part, note: '' }
  const whole =
    'The cell of the study is as it was, since the code of the block or of a metric depends on it; it has all variants and seeds'
  return part ? { cells: part, note: `${whole}. The last cell is the run. ` } : { cells, note: `${whole}. ` }
}

/** The fingerprints of the cells whose text decides the key of a run. */
function codesOf(model: RecordedSpec['model'], others: RecordedSpec['definitions'][]): string[] {
  const codes = others.flatMap((each) => Object.values(each ?? {})).filter((each) => typeof each === 'string')
  return model.digest === undefined ? [model.code, ...codes] : codes
}

/** The study in one cell, from its configuration alone. */
function fromSpec(run: Run, { model, task, train, from, metrics, readouts, definitions, metric }: RecordedSpec): Cell {
  const { block, code, numerics: _, ...size } = model
  const why = (what: string) => new MixlabError('store', `run ${run.id}`, `cannot be recreated: ${what}`)
  if (code !== 'built in') throw why('the store has its block but not the cell of its study')
  if (from && !('path' in from))
    throw why(`it starts from a run of '${from.study}', whose cell the store does not have`)
  if (metrics) throw why('the store has not the cells of its metrics')
  if (readouts) throw why('the store has not the cells of its read-outs')
  const [defined] = Object.keys(definitions ?? {})
  if (defined) throw why(`the store has not the cell of its ${defined}`)
  const name = exportOf(block)
  // both are known of every run, and each follows from the other
  const { ffn, ffnRatio, ...rest } = size as Record<string, unknown> & { dim: number; ffn: number; ffnRatio: number }
  const width = Math.floor(rest.dim * ffnRatio) === ffn ? { ffnRatio } : { ffn }
  const options = literal({ ...rest, ...width }, '    ')
  const { path, resize, prefix } = from ?? {}
  const lines = [
    `import { compare, ${[name, task.task, ...(from ? ['weights'] : [])].sort().join(', ')} } from 'mixlab'`,
    '',
    `export const study = compare(${literal(run.study)}, {`,
    `  task: ${task.task}(${literal(task.options, '  ')}),`,
    `  variants: { ${propertyName(run.variant)}: ${name}(${options}) },`,
    `  train: ${literal(train, '  ')},`,
    ...(from ? [`  from: weights(${literal({ path, ...(resize && { resize }), ...(prefix && { prefix }) })}),`] : []),
    ...(metric ? [`  metric: ${literal(metric)},`] : []),
    `  seeds: [${run.seed}],`,
    '})',
  ]
  return { id: 'study', kind: 'code', source: lines.join('\n') }
}
