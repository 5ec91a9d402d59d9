import { join, parse } from 'node:path'
import { MixlabError, suggest } from '../../engine/errors.ts'
import { filesWith } from '../../engine/weights/safetensors.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type CliCommand, outputOf } from './command.ts'
import { withHost } from './host.ts'
import { grouped } from './numbers.ts'

const FORMATS = ['safetensors']

export const exportWeights: CliCommand = {
  name: 'export',
  synopsis: '<run> -o PATH',
  summary: 'write the trained weights of a run, with the names and layouts of PyTorch',
  words: [1, 1],
  options: {
    format: { type: 'string', value: 'F', help: 'safetensors (default)' },
    best: { type: 'boolean', help: 'the weights that were best on validation, not the last ones' },
    output: { type: 'string', short: 'o', value: 'PATH', help: 'the file to write' },
  },
  run: async (given, output) => {
    const format = String(given.options.format ?? 'safetensors')
    if (!FORMATS.includes(format)) {
      throw new MixlabError('option', '--format', `unknown format '${format}'${suggest(format, FORMATS)}`)
    }
    const path = outputOf(given)
    return withHost(given, async (host) => {
      const run = await host.showRun(given.words[0] ?? '')
      const weights = await host.readWeights(run.id, given.options.best === true ? 'best' : 'last')
      await writeAtomic(path, weights)
      const { dir, name } = parse(path)
      const beside: string[] = []
      for (const [file, text] of Object.entries(filesWith(weights))) {
        const besidePath = join(dir, `${name}.${file}`)
        await writeAtomic(besidePath, text)
        beside.push(besidePath)
      }
      const written = { run: run.id, format, path, bytes: weights.length, beside }
      if (given.options.json) output.out(JSON.stringify(written))
      else for (const line of [`${path}: ${grouped(weights.length)} bytes`, ...beside]) output.out(line)
      return 0
    })
  },
}
