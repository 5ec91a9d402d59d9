import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isLeftOut } from '../../engine/data/images/folder.ts'
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
import { answered, exitFor, faultOf, filesNamed } from './model/files.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
import { grouped, wholeNumber } from './numbers.ts'
import { reportLines } from './report.ts'
import { table } from './table.ts'

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
    const { part, json, csv } = given.options
    const data = given.options.data === undefined ? null : pathOf(String(given.options.data))
    return withModel(given, output, folderOf(data), async (model, cells, chosen) => {
      const examples = wholeNumber(given, 'examples', 1) ?? null
      const of = { part: part === undefined ? null : String(part), examples }
      const named = given.words.length > 1
      if (named && (data ?? of.part) !== null)
        throw new MixlabError('option', data === null ? '--part' : '--data', 'is of a data set, not of files')
      const { failed, ...found } = named
        ? await onFiles(given.words.slice(1), examples, model, cells, output)
        : await onData(data, of, cells)
      const notes = [...found.notes, ...chosenNotes(found, model)]
      if (csv) {
        if (chosen) output.err(`weights: ${weightsText(chosen)}`)
        for (const note of notes) output.err(note)
        const rows = Object.entries(found.metrics).map(([name, { value }]) => [name, value])
        for (const row of [['metric', 'value'], ...rows]) output.out(csvLine(row))
      } else if (json)
        output.out(JSON.stringify({ model: model.source, ...(chosen && { weights: chosen }), ...found, notes }))
      else
        for (const line of lines(model.source, found, chosen ? [`weights: ${weightsText(chosen)}`, ...notes] : notes))
          output.out(line)
      return exitFor(failed, failed + 1)
    })
  },
}

/** What was found, and how many files could not be read. */
type Found = EvaluatedOn & { failed: number }

async function onData(
  data: string | null,
  { part, examples }: { part: string | null; examples: number | null },
  cells: Cells,
): Promise<Found> {
  const found = await cells.evaluateOn(data, part, examples)
  return { ...found, failed: found.notes.filter(isLeftOut).length }
}

/** On files whose classes are the names of the folders that they lie in. Throws MixlabError. */
async function onFiles(
  words: string[],
  examples: number | null,
  { source, task, classes, notes }: OpenedModel,
  cells: Cells,
  output: Terminal,
): Promise<Found> {
  const reads = readsOf(task)
  if (!classes || (reads !== 'picture' && reads !== 'points'))
    throw new MixlabError('option', source, 'reads texts; name a data set of them, --data SOURCE')
  const files = (await filesNamed(words, reads, output)).slice(0, examples ?? undefined)
  const folderOf = (path: string) => basename(dirname(resolve(path)))
  const of = labelling(
    files.map(({ input }) => folderOf(input)),
    classes,
    source,
  )
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

/** What is there in the current folder by its whole path, since the host goes by that of the workspace. */
const pathOf = (text: string) => (existsSync(text) ? resolve(text) : text)

/** The folder of data that the host lets be read, be it outside of the workspace. */
function folderOf(data: string | null): string[] {
  if (data === null || !existsSync(data)) return []
  return [statSync(data).isDirectory() ? data : dirname(data)]
}

/** What is not to be taken for the result of a run. */
function chosenNotes({ data, examples }: EvaluatedOn, { task }: OpenedModel): string[] {
  if (JSON.stringify(data) !== JSON.stringify(task.options.data)) return []
  if ('validation' in examples) return ['these examples chose the weights of the run; its result is on the tests']
  return ['not kept: the test of the run was made once; who chooses by looking again is not tested by these examples']
}

function lines(source: string, { data, examples, metrics, report }: EvaluatedOn, notes: string[]): string[] {
  const parts = Object.entries(examples).map(([part, count]) => `${part}, ${grouped(count)} examples`)
  const rows = Object.entries(metrics).map(([name, { value, meaning }]) => [
    name,
    metricText(value, meaning),
    meaningText(meaning),
  ])
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
