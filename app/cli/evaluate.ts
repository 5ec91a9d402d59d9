import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { DataSpec } from '../../engine/data/types.ts'
import { csvLine } from '../../engine/display/csv.ts'
import { MixlabError } from '../../engine/errors.ts'
import { readsOf } from '../../engine/predict/ask.ts'
import type { EvaluatedOn } from '../../engine/predict/evaluateOn.ts'
import { fileMetrics, labelling } from '../../engine/predict/fileMetrics.ts'
import { meaningText, metricText } from '../../engine/records/meaning.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { OpenedModel } from '../cells/calls.ts'
import type { Cells } from '../cells/cells.ts'
import type { CliCommand, Terminal } from './command.ts'
import { grouped, wholeNumber } from './given/numbers.ts'
import { answered, exitFor, faultOf, filesNamed } from './model/files.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
import { reportLines } from './model/report.ts'
import { table } from './terminal/table.ts'

export const evaluate: CliCommand = {
  name: 'evaluate',
  synopsis: '<file or run> [picture or folder ...]',
  summary: 'the metrics of a trained model on its own or another data set, or on files in folders of their classes',
  words: [1, Number.POSITIVE_INFINITY],
  options: {
    data: {
      value: 'SOURCE',
      help: 'a path, or a data set as a cell names it, "idx({ path: \'digits\' })" (default: what it was trained on)',
    },
    part: { value: 'P', help: 'validation, test, or another test of the data set (default: its tests)' },
    examples: { value: 'N', help: 'of each part the first N examples (default: all)' },
    ...MODEL_OPTIONS,
  },
  run: async (given, output) => {
    const { part, json, csv, raw } = given.options
    const data = given.options.data === undefined ? null : pathOf(String(given.options.data))
    return withModel(given, output, folderOf(data), async (model, cells, chosen) => {
      const examples = wholeNumber(given, 'examples', 1) ?? null
      const paths = given.words.slice(1)
      const other = ['data', 'part'].find((name) => given.options[name] !== undefined)
      if (paths.length > 0 && other) throw new MixlabError('option', `--${other}`, 'is of a data set, not of files')
      const ofData = () => cells.evaluateOn(data, part === undefined ? null : String(part), examples)
      const found = await (paths.length > 0 ? onFiles(paths, examples, model, cells, output) : ofData())
      const { failed, ...facts } = found
      const notes = [...found.notes, ...chosenNotes(found, model)]
      const about = chosen ? [`weights: ${weightsText(chosen)}`, ...notes] : notes
      if (csv) for (const line of about) output.err(line)
      const whole = { model: model.source, ...(chosen && { weights: chosen }), ...facts, notes }
      const printed = csv
        ? csvLines(found, raw === true)
        : json
          ? [JSON.stringify(whole)]
          : lines(model.source, found, about)
      for (const line of printed) output.out(line)
      return exitFor(failed, failed + 1)
    })
  },
}

/** On files whose classes are the names of the folders that they lie in. Throws MixlabError. */
async function onFiles(
  words: string[],
  examples: number | null,
  { source, task, classes, notes }: OpenedModel,
  cells: Cells,
  output: Terminal,
): Promise<EvaluatedOn> {
  const reads = readsOf(task)
  if (!classes || (reads !== 'picture' && reads !== 'points'))
    throw new MixlabError('option', source, 'reads texts; name a data set of them, --data SOURCE')
  const files = (await filesNamed(words, reads, output)).slice(0, examples ?? undefined)
  const folderOf = (path: string) => basename(dirname(resolve(path)))
  const folders = files.map(({ input }) => folderOf(input))
  const of = labelling(folders, classes, source)
  const part = reads === 'picture' ? 'pictures' : 'clouds'
  const metrics = fileMetrics(classes, part)
  let failed = 0
  for await (const { input, reply } of answered(files, cells, classes.length)) {
    const label = of.labelOf(folderOf(input))
    const unlabelled = label === null ? `its folder '${folderOf(input)}' is none of the classes of the model` : null
    const error = 'error' in reply ? reply.error : unlabelled
    if (error !== null) output.err(faultOf(input, error))
    if ('error' in reply || label === null) failed++
    else metrics.add(reply.answers[0]?.likely ?? [], label)
  }
  if (failed === files.length) throw new MixlabError('data', source, `none of ${failed} ${part} can be evaluated`)
  return { data: { dataset: part, options: {} }, ...metrics.value(), notes: [...notes, ...of.notes], failed }
}

/** A path in the current folder as an absolute path, since the host resolves paths against the workspace. */
const pathOf = (text: string) => (existsSync(text) ? resolve(text) : text)

/** The folder of data that the host lets be read, be it outside of the workspace. */
function folderOf(data: string | null): string[] {
  if (data === null || !existsSync(data)) return []
  return [statSync(data).isDirectory() ? data : dirname(data)]
}

/** Notes that say why these metrics are not the result of a run. */
function chosenNotes({ data, examples }: EvaluatedOn, { task }: OpenedModel): string[] {
  if (JSON.stringify(data) !== JSON.stringify(task.options.data)) return []
  if ('validation' in examples) return ['these examples chose the weights of the run; its result is on the tests']
  return ['not kept: the test of the run was made once; who chooses by looking again is not tested by these examples']
}

const csvLines = ({ metrics }: EvaluatedOn, raw: boolean) =>
  [['metric', 'value'], ...Object.entries(metrics).map(([name, { value }]) => [name, value])].map((row) =>
    csvLine(row, raw),
  )

function lines(source: string, { data, examples, metrics, report }: EvaluatedOn, notes: string[]): string[] {
  const parts = Object.entries(examples).map(([part, count]) => `${part}, ${grouped(count)} examples`)
  const rows = Object.entries(metrics).map(([name, { value, meaning: of }]) => {
    return [name, metricText(value, of), meaningText(of)]
  })
  return [
    `${source} on ${dataText(data)}: ${parts.join('; ')}`,
    ...notes,
    '',
    ...table(['metric', 'value', 'meaning'], rows),
    ...(Object.keys(report).length > 0 ? ['', ...reportLines(report)] : []),
  ]
}

function dataText({ dataset, options }: DataSpec): string {
  return typeof options.path === 'string' ? `${dataset} in ${options.path}` : dataset
}
