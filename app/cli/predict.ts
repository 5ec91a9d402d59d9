import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { decodeImage } from '../../engine/data/images/decode.ts'
import { MixlabError } from '../../engine/errors.ts'
import { picturePredictor, topOf } from '../../engine/predict/pictures.ts'
import { readWeightsFile } from '../../engine/weights/files/index.ts'
import { recognise } from '../../engine/weights/files/recognise.ts'
import { useBackend as startBackend } from '../backends.ts'
import type { CliCommand } from './command.ts'
import { wholeNumber } from './numbers.ts'
import { table } from './table.ts'

/** More than any command line has. */
const MOST = 1000

export const predict: CliCommand = {
  name: 'predict',
  synopsis: '<weights> <picture> ...',
  summary: 'what a model of pictures sees: weights of timm, deit or big_vision, as .safetensors or .npz',
  words: [2, MOST],
  options: {
    top: { type: 'string', value: 'N', help: 'classes that are named of each picture (default: 5)' },
    backend: { type: 'string', value: 'B', help: 'simd (default), webgpu, or cpu, the slow reference' },
  },
  run: async (given, output) => {
    const [path = '', ...pictures] = given.words
    const top = wholeNumber(given, 'top', 1) ?? 5
    const source = basename(path)
    const tensors = readWeightsFile(await bytesOf(path), source)
    const known = recognise(tensors, source)
    await startBackend(given.options.backend as string | undefined)
    const model = picturePredictor(tensors, known, source)
    try {
      for (const picture of pictures) {
        const image = decodeImage(await bytesOf(picture), basename(picture))
        const found = topOf(await model.probabilities(image), top)
        if (given.options.json) output.out(JSON.stringify({ picture, top: found }))
        else {
          const rows = found.map(({ label, probability }) => [`class ${label}`, probability.toFixed(4)])
          for (const line of table([picture, 'probability'], rows)) output.out(line)
        }
      }
      return 0
    } finally {
      model.dispose()
    }
  },
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new MixlabError('data', path, missing ? 'no such file' : 'cannot be read')
  }
}
