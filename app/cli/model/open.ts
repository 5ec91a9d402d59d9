import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { MixlabError } from '../../../engine/errors.ts'
import * as mixlab from '../../../engine/index.ts'
import { descriptionOf, modelOfFile } from '../../../engine/predict/file.ts'
import { type TrainedModel, trainedOf } from '../../../engine/predict/trained.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import { useBackend as startBackend } from '../../backends.ts'
import type { LocalHost } from '../../host.ts'
import type { Arguments, Option, Terminal } from '../command.ts'

/** Options of the commands that take a model file or a run. */
export const MODEL_OPTIONS: Record<string, Option> = {
  best: { type: 'boolean', help: 'of a run the weights that were best on validation, not the last ones' },
  trust: { type: 'boolean', help: 'run the code that a file brings along, with your rights' },
  backend: { type: 'string', value: 'B', help: 'simd (default), webgpu, or cpu, the slow reference' },
}

/** Whether a word names a file of weights rather than a run. */
export function isModelFile(word: string): boolean {
  return /\.(safetensors|npz|onnx|json|py|pt|pth|bin)$/i.test(word) || existsSync(word)
}

/** The bytes of a file that the user names. Throws MixlabError `data`. */
export async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new MixlabError('data', path, missing ? 'no such file' : 'cannot be read')
  }
}

/**
 * The model of a file. One whose block is code of a notebook is made only where the user trusts it; else the code is
 * shown. Throws MixlabError.
 */
export async function modelIn(path: string, { options }: Arguments, output: Terminal): Promise<TrainedModel> {
  if (!/\.(safetensors|npz)$/i.test(path)) {
    throw new MixlabError('option', path, 'neither .safetensors nor .npz, nor a run')
  }
  const file = await bytesOf(path)
  const source = basename(path)
  const code = descriptionOf(file, source)?.source ?? null
  if (code !== null && options.trust !== true) {
    for (const line of code.trimEnd().split(/\r?\n/)) output.err(visible(line))
    throw new MixlabError('permission', source, 'brings the code above along; --trust runs it with your rights')
  }
  await startBackend(options.backend as string | undefined)
  return modelOfFile(file, source, await modules())
}

/** A line of somebody else, without what a terminal would act on or hide. */
const visible = (line: string) => line.replace(/[^\P{C}\t]/gu, '\uFFFD')

/** The model of a run, whose cells are evaluated where its block is in one. Throws MixlabError. */
export async function modelOf(reference: string, { options }: Arguments, host: LocalHost): Promise<TrainedModel> {
  const run = await host.showRun(reference)
  const weights = await host.readWeights(run.id, options.best === true ? 'best' : 'last')
  await startBackend(options.backend as string | undefined)
  return trainedOf(run, await rebuild(run, weights, host, await modules()))
}

const modules = async () => ({ mixlab, '@tensorflow/tfjs': await import('@tensorflow/tfjs') })
