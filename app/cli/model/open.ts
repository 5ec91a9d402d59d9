import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { MixlabError } from '../../../engine/errors.ts'
import { descriptionOf } from '../../../engine/predict/file.ts'
import type { ChosenWeights } from '../../../engine/records/tested.ts'
import type { ModelSource, OpenedModel } from '../../cells/calls.ts'
import type { Cells } from '../../cells/cells.ts'
import type { LocalHost } from '../../host.ts'
import { type Arguments, CARD, type Option, RAW, type Terminal, TRUST } from '../command.ts'
import { type OpenCells, withCells } from '../given/cells.ts'
import { besideOf, FACT_OPTIONS } from './facts.ts'
import { gatherFile } from './files.ts'
import { askedWeights, readAsked, WEIGHTS_OPTIONS } from './weights.ts'

/** Options of the commands that take a model file or a run. */
export const MODEL_OPTIONS: Record<string, Option> = {
  ...WEIGHTS_OPTIONS,
  csv: { help: 'print CSV' },
  raw: RAW,
  backend: { value: 'B', help: 'simd (default), webgpu, or cpu, the slow reference' },
  card: CARD,
  trust: TRUST,
  ...FACT_OPTIONS,
}

/**
 * Does something with the model of the file or run that a call names first. It is made in a process of cells, for its block
 * may be code, of cells or of the file. That reads data of the workspace, and of `data`. `act` hears which weights of a run
 * these are. Throws MixlabError.
 */
export async function withModel<Done>(
  given: Arguments,
  output: Terminal,
  data: readonly string[],
  act: (model: OpenedModel, cells: Cells, chosen: ChosenWeights | null) => Promise<Done>,
): Promise<Done> {
  const { json, csv } = given.options
  if (json && csv) throw new MixlabError('option', '--csv', 'stands beside --json, expected one of them')
  const withHost = async (host: LocalHost, open: OpenCells) => {
    const { chosen, ...source } = await sourceOf(given, host, output)
    const cells = await open()
    return act(await cells.openModel(source), cells, chosen)
  }
  return withCells(given, output, withHost, { data })
}

type Source = ModelSource & { chosen: ChosenWeights | null }

async function sourceOf(given: Arguments, host: LocalHost, output: Terminal): Promise<Source> {
  const { words, options } = given
  const [word = ''] = words
  const asked = askedWeights(given)
  if (!existsSync(word) && !/\.\w+$/.test(word)) {
    const run = await host.showRun(word).catch((error: unknown) => {
      const isName = !/^\d*$/.test(word) && error instanceof MixlabError && error.code === 'store'
      throw isName ? new MixlabError('option', word, `no such file or folder; ${error.message}`) : error
    })
    return { run, beside: await besideOf(given, null), ...(await readAsked(run, asked ?? 'tested', host)) }
  }
  if (asked !== null) throw new MixlabError('option', '--weights', `${word} is a file, which has one kind of weights`)
  const { path, parts } = await gatherFile(word)
  const name = basename(path)
  if (descriptionOf(parts, name)?.source != null) {
    output.err(`${name} has the code of its block in it, which runs with ${options.trust ? 'your' : 'no'} rights`)
  }
  return { parts, name, beside: await besideOf(given, path), chosen: null }
}
