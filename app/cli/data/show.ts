import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, extname, isAbsolute, relative, resolve } from 'node:path'
import { specIn } from '../../../engine/datacard/found.ts'
import type { DataReference, DataWanted } from '../../../engine/datacard/look.ts'
import type { DataBody } from '../../../engine/datacard/schema.ts'
import { expressionOf } from '../../../engine/datacard/words.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { dataPage } from '../../../engine/report/index.ts'
import { openCells } from '../../cells/cells.ts'
import { type LocalHost, openHost } from '../../host.ts'
import { type Arguments, type Option, outputOf, type Terminal, TRUST, workspaceOf } from '../command.ts'
import { wholeNumber } from '../given/numbers.ts'
import { notebookAt } from '../training/readNotebook.ts'
import { cardLines, samplesLines } from './lines.ts'

/** Examples that are shown; of a file there is room for more. */
const [COUNT, IN_FILE] = [4, 24]

/** Options of `mixlab data show`. */
export const SHOW_OPTIONS: Record<string, Option> = {
  batch: { help: 'show: a batch as the model gets it, too' },
  recipe: { value: 'R', help: "show: what a recipe makes of the batch, e.g. '{ mixup: 0.2, augment: { crop: 4 } }'" },
  step: { value: 'N', help: 'show: the batch of this step (default: 0)' },
  seed: { value: 'N', help: 'show: draws other samples and another batch (default: 0)' },
  split: { value: 'S', help: 'show: samples of this split (default: train)' },
  from: { value: 'N', help: 'show: passes over the first N samples, to see the next ones' },
  count: { value: 'N', help: `show: how many samples (default: ${COUNT})` },
  task: { value: 'T', help: 'show: reads the data for this task, where several can' },
  run: { value: 'N', help: 'show: the data of this run, with its recipe, in place of a name' },
  notebook: { value: 'FILE', help: 'show: the name is that of a study or a data set in this notebook' },
  output: { value: 'FILE', short: 'o', help: 'show: writes all of it as one HTML file' },
  trust: TRUST,
}

/** `mixlab data show NAME`: a card, samples and on demand a batch, as text, JSON or an HTML file. */
export async function show(given: Arguments, output: Terminal): Promise<number> {
  const { batch, recipe, split, json } = given.options
  const file = given.options.output === undefined ? null : outputOf(given)
  if (file !== null && extname(file) !== '.html')
    throw new MixlabError('option', '--output', `'${extname(file)}', expected a file .html`)
  const seed = wholeNumber(given, 'seed', 0) ?? 0
  const count = Math.min(64, wholeNumber(given, 'count', 1) ?? (file === null ? COUNT : IN_FILE))
  const step = wholeNumber(given, 'step', 0) ?? 0
  const hasBatch = batch === true || recipe !== undefined || given.options.step !== undefined || file !== null
  const wanted: DataWanted = {
    card: true,
    samples: {
      seed,
      count,
      from: wholeNumber(given, 'from', 0) ?? 0,
      ...(split !== undefined && { split: String(split) }),
    },
    ...(hasBatch && { batch: { seed, step, count, ...(recipe !== undefined && { recipe: String(recipe) }) } }),
  }
  const [, name = ''] = given.words
  const data = existsSync(name) ? [statSync(name).isDirectory() ? name : dirname(name)] : []
  const trusted = given.options.trust === true
  const host = openHost({ workspace: workspaceOf(given), data, unrestricted: trusted })
  try {
    const body = await looked(await referenceOf(name, given, host), wanted, trusted, host, output)
    if (file !== null) await writeFile(file, dataPage(body))
    print(body, file, json === true, output)
    return 0
  } finally {
    host.close()
  }
}

/** What is asked, in a process of cells: the data may be code. */
async function looked(
  reference: DataReference,
  wanted: DataWanted,
  trusted: boolean,
  host: LocalHost,
  output: Terminal,
): Promise<DataBody> {
  const start = { notebook: '', backend: 'cpu', cardName: undefined, threads: 1, places: 1, trusted }
  const cells = await openCells(start, { host, name: null, print: output.err, stop: output.signal, end: output.end() })
  try {
    return await cells.lookAtData(reference, wanted)
  } finally {
    cells.close()
  }
}

function print(
  { card, samples, batch }: DataBody,
  file: string | null,
  json: boolean,
  { out, columns = 80 }: Terminal,
): void {
  if (json) out(JSON.stringify({ card, samples, batch, ...(file !== null && { file }) }))
  else if (file !== null) out(`written: ${file}`)
  if (json || file !== null) return
  for (const line of card ? cardLines(card, columns) : []) out(line)
  for (const line of samples ? samplesLines('Samples', samples, columns) : []) out(line)
  for (const line of batch ? samplesLines('Batch', batch, columns) : []) out(line)
}

/** What a call names: a run, a study or data set of a notebook, a path, or a data set as a cell names it. */
async function referenceOf(name: string, { options }: Arguments, host: LocalHost): Promise<DataReference> {
  const { run, notebook, task } = options
  if (run !== undefined) {
    if (name) throw new MixlabError('option', '--run', `stands beside '${name}', expected one of them`)
    return { run: await host.showRun(String(run)) }
  }
  if (!name)
    throw new MixlabError(
      'option',
      'data show',
      "expected a data set, e.g. shapes, idx({ path: 'digits' }) or a folder",
    )
  if (notebook !== undefined) return { notebook: await notebookAt(resolve(String(notebook))), of: name }
  const read = task === undefined ? {} : { task: String(task) }
  if (/^[\w-]+$|\(/.test(name)) return { name, ...read }
  if (!existsSync(name)) throw new MixlabError('option', 'data show', `'${name}': no such file or folder`)
  const below = relative((await host.describe()).workspace, resolve(name))
  const path = below.startsWith('..') || isAbsolute(below) ? resolve(name) : below.replaceAll('\\', '/')
  const spec = statSync(name).isDirectory() ? await specIn(path, host) : { dataset: 'textFiles', options: { path } }
  if (spec) return { name: expressionOf(spec), ...read }
  throw new MixlabError('option', 'data show', `say how '${name}' is read, as a cell does: folder({ path: '${name}' })`)
}
