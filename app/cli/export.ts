import { resolve } from 'node:path'
import { MixlabError, suggest } from '../../engine/errors.ts'
import { openHost } from '../host.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type Command, workspaceOf } from './command.ts'
import { grouped } from './numbers.ts'

const FORMATS = ['safetensors']

export const exportWeights: Command = {
  name: 'export',
  synopsis: '<run> -o PATH',
  summary: 'write the trained weights of a run, with the names and layouts of PyTorch',
  words: [1, 1],
  options: {
    format: { type: 'string', value: 'F', help: 'safetensors (default)' },
    output: { type: 'string', short: 'o', value: 'PATH', help: 'the file to write' },
  },
  run: async (given, output) => {
    const format = String(given.options.format ?? 'safetensors')
    if (!FORMATS.includes(format)) {
      throw new MixlabError('option', '--format', `unknown format '${format}'${suggest(format, FORMATS)}`)
    }
    if (!given.options.output)
      throw new MixlabError('option', '--output', 'missing, expected the file to write, -o PATH')
    const path = resolve(String(given.options.output))
    const host = openHost({ workspace: workspaceOf(given) })
    try {
      const run = await host.showRun(given.words[0] ?? '')
      const weights = await host.readWeights(run.id)
      await writeAtomic(path, weights)
      const written = { run: run.id, format, path, bytes: weights.length }
      output.out(given.options.json ? JSON.stringify(written) : `${path}: ${grouped(weights.length)} bytes`)
      return 0
    } finally {
      host.close()
    }
  },
}
