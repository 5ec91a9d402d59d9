import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DataSpec } from '../../engine/data/types.ts'
import type { EvaluatedOn } from '../../engine/predict/evaluateOn.ts'
import { meaningText, metricText } from '../../engine/records/meaning.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { OpenedModel } from '../cells/calls.ts'
import type { CliCommand } from './command.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
import { grouped, wholeNumber } from './numbers.ts'
import { reportLines } from './report.ts'
import { table } from './table.ts'

export const evaluate: CliCommand = {
  name: 'evaluate',
  synopsis: '<file or run> [--data SOURCE]',
  summary: 'the metrics of a trained model on its own or another data set; nothing is kept',
  words: [1, 1],
  options: {
    data: {
      type: 'string',
      value: 'SOURCE',
      help: 'a path, or a data set as a cell names it, "idx({ path: \'digits\' })" (default: what it was trained on)',
    },
    part: {
      type: 'string',
      value: 'P',
      help: 'validation, test, or another test of the data set (default: its tests)',
    },
    examples: {
      type: 'string',
      value: 'N',
      help: 'of each part the first N examples (default: all)',
    },
    ...MODEL_OPTIONS,
  },
  run: async (given, output) => {
    const { part, json } = given.options
    const data = given.options.data === undefined ? null : pathOf(String(given.options.data))
    return withModel(given, output, folderOf(data), async (model, cells, chosen) => {
      const examples = wholeNumber(given, 'examples', 1) ?? null
      const found = await cells.evaluateOn(data, part === undefined ? null : String(part), examples)
      const notes = [...found.notes, ...chosenNotes(found, model)]
      if (json) output.out(JSON.stringify({ model: model.source, ...(chosen && { weights: chosen }), ...found, notes }))
      else
        for (const line of lines(model.source, found, chosen ? [`weights: ${weightsText(chosen)}`, ...notes] : notes))
          output.out(line)
      return 0
    })
  },
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
