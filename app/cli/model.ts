import { basename, resolve } from 'node:path'
import '@tensorflow/tfjs'
import { modelOfSize } from '../../engine/cost/published.ts'
import type { Diagram } from '../../engine/diagram/diagram.ts'
import { differenceOf } from '../../engine/diagram/difference.ts'
import { diagramSvg } from '../../engine/diagram/draw.ts'
import { diagramOf } from '../../engine/diagram/record.ts'
import { diagramCsv, diagramTable } from '../../engine/diagram/table.ts'
import { treeOf } from '../../engine/diagram/tree.ts'
import { differenceText, totalsText } from '../../engine/diagram/words.ts'
import { MixlabError, suggest } from '../../engine/errors.ts'
import { sizes } from '../../engine/models/sizes.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { isNotebookName } from '../workspace/notebook-name.ts'
import { type Arguments, type CliCommand, outputOf, RAW, type Terminal, TRUST } from './command.ts'
import { withCells } from './given/cells.ts'
import { wholeNumber } from './given/numbers.ts'
import { table } from './terminal/table.ts'
import { notebookAt } from './training/readNotebook.ts'

export const model: CliCommand = {
  name: 'model',
  synopsis: '<size, notebook or run> [-o PATH]',
  summary: 'what a model does: a diagram of its layers and operations, their table, or the difference of two models',
  words: [1, 1],
  options: {
    output: { short: 'o', value: 'PATH', help: 'write the diagram, .svg, or the table behind it, .csv' },
    variant: { value: 'V', help: 'of a notebook: this variant (default: the first)' },
    against: { value: 'M', help: 'the difference to another variant, size or run' },
    study: { value: 'S', help: 'of a notebook: this study (default: the first)' },
    open: { value: 'LEVELS', help: 'how many levels deep it is opened (default: 1; in .csv all are)' },
    raw: RAW,
    dark: { help: 'draw on dark ground' },
    data: { value: 'DIR', help: 'let the notebook read data files below this folder' },
    trust: TRUST,
  },
  run: async (given, output) => {
    const { options } = given
    const path = options.output === undefined ? null : endingOf(outputOf(given))
    const levels = wholeNumber(given, 'open', 0) ?? 1
    const [shown, other] = await diagramsOf(given, output)
    const difference = other && differenceOf(other, shown)
    const diagram = difference?.diagram ?? shown
    if (path?.endsWith('.csv')) await writeAtomic(path, diagramCsv(diagram, options.raw === true))
    else if (path) await writeAtomic(path, diagramSvg(diagram, levels, options.dark ? 'dark' : 'light'))
    if (options.json) output.out(JSON.stringify(difference ?? diagram))
    else {
      if (path === null) {
        const { heads, rows, numbers } = diagramTable(diagram, treeOf(diagram), levels)
        for (const line of table(heads, rows, numbers)) output.out(line)
        output.out('')
      } else output.out(path)
      if (difference) output.out(differenceText(difference, other.name, shown.name))
      output.out(totalsText(diagram))
    }
    return diagram.wrong ? 1 : 0
  },
}

function endingOf(path: string): string {
  if (/\.(svg|csv)$/.test(path)) return path
  throw new MixlabError('option', '--output', `'${path}', expected a path that ends in .svg or .csv`)
}

/** What the call names, and what it is held against. */
async function diagramsOf(given: Arguments, output: Terminal): Promise<[shown: Diagram, other: Diagram | null]> {
  const [name = ''] = given.words
  const { against } = given.options
  if (isNotebookName(basename(name))) return ofNotebook(name, given, output)
  const names = [name, ...(against === undefined ? [] : [String(against)])]
  const runs = names.filter((each) => !Object.hasOwn(sizes, each))
  const unknown = runs.find((each) => !/^\d+$|\//.test(each))
  if (unknown !== undefined) {
    const what = `unknown model '${unknown}'${suggest(unknown, Object.keys(sizes))}; a run has a number, a notebook ends in .ts`
    throw new MixlabError('option', 'model', what)
  }
  const ofSize = (each: string) => diagramOf(each, ...modelOfSize(each))
  const found = await (runs.length === 0 ? Promise.all(names.map(ofSize)) : ofRuns(names, ofSize, given, output))
  return [found[0] as Diagram, found[1] ?? null]
}

async function ofRuns(
  names: string[],
  ofSize: (name: string) => Promise<Diagram>,
  given: Arguments,
  output: Terminal,
): Promise<Diagram[]> {
  return withCells(given, output, async (host, cells) => {
    const found: Diagram[] = []
    for (const each of names) {
      const isSize = Object.hasOwn(sizes, each)
      found.push(await (isSize ? ofSize(each) : (await cells()).diagramOfRun(await host.showRun(each))))
    }
    return found
  })
}

async function ofNotebook(name: string, given: Arguments, output: Terminal): Promise<[Diagram, Diagram | null]> {
  const path = resolve(name)
  const notebook = { text: await notebookAt(path), path }
  return withCells(
    given,
    output,
    async (_, open) => {
      const cells = await open()
      const { studies, failed } = await cells.studies()
      for (const { cell, message } of failed) output.err(`${cell}: ${message}`)
      const names = studies.map((each) => each.name)
      const { study: wanted = names[0], against } = given.options
      if (wanted === undefined) throw new MixlabError('notebook', name, 'defines no study; make one with compare()')
      const study = names.indexOf(String(wanted))
      if (study < 0)
        throw new MixlabError('option', '--study', `unknown study '${wanted}'${suggest(String(wanted), names)}`)
      const diagrams = await cells.diagrams(study)
      const find = (option: string, variant: string) => {
        const found = diagrams.find((each) => each.name === variant)
        const known = diagrams.map((each) => each.name)
        if (!found) throw new MixlabError('option', option, `unknown variant '${variant}'${suggest(variant, known)}`)
        return found
      }
      const shown = find('--variant', String(given.options.variant ?? diagrams[0]?.name))
      return [shown, against === undefined ? null : find('--against', String(against))]
    },
    { notebook },
  )
}
