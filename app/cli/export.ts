import { availableParallelism } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { formatFor, formatOf, formats } from '../../engine/export/formats/index.ts'
import { openCells } from '../cells/cells.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type CliCommand, outputOf, TRUST } from './command.ts'
import { withHost } from './host.ts'
import { grouped } from './numbers.ts'

export const exportWeights: CliCommand = {
  name: 'export',
  synopsis: '<run> -o PATH',
  summary: 'write the trained model of a run, read it again and compare; with a model card beside it',
  words: [1, 1],
  options: {
    format: { type: 'string', value: 'F', help: `${Object.keys(formats).join(', ')} (default: by the ending of PATH)` },
    best: { type: 'boolean', help: 'the weights that were best on validation, not the last ones' },
    fold: { type: 'boolean', help: 'fold the affine layers of a ResMLP into their neighbours' },
    toeplitz: { type: 'boolean', help: 'write Toeplitz matrices out, [n, n], under the name of timm' },
    output: { type: 'string', short: 'o', value: 'PATH', help: 'the file to write' },
    trust: TRUST,
  },
  run: async (given, output) => {
    const { fold, toeplitz } = given.options
    const named = given.options.format === undefined ? null : formatOf(String(given.options.format))
    const path = outputOf(given)
    const format = formatFor(path, named)
    const { ending } = formats[format]
    const name = basename(path).slice(0, -ending.length)
    return withHost(given, async (host) => {
      const run = await host.showRun(given.words[0] ?? '')
      const which = given.options.best === true ? 'best' : 'last'
      const weights = await host.readWeights(run.id, which)
      const options = { format, which, name, fold: fold === true, toeplitz: toeplitz === true } as const
      const start = { notebook: '', backend: 'simd', threads: availableParallelism(), places: 1 }
      const around = { host, print: output.err, stop: output.signal, end: output.end() }
      const cells = await openCells({ ...start, trusted: given.options.trust === true }, around)
      const { files, proof, warnings, record } = await cells.exportRun(run, weights, options).finally(cells.close)
      for (const end of Object.keys(files))
        if (/[/\\]/.test(end)) throw new MixlabError('weights', end, 'is no ending of a file')
      const paths = Object.entries(files).map(([end, bytes]) => ({ path: join(dirname(path), name + end), bytes }))
      for (const file of paths) writeAtomic(file.path, file.bytes)
      await host.recordExport(run.id, record)
      const [first, ...beside] = paths.map((file) => file.path)
      const bytes = paths[0]?.bytes.length ?? 0
      for (const warning of warnings) output.err(warning)
      if (given.options.json) {
        output.out(JSON.stringify({ run: run.id, format, path: first, bytes, beside, proof }))
        return 0
      }
      for (const line of [`${first}: ${grouped(bytes)} bytes`, ...beside]) output.out(line)
      const { examples, difference } = proof
      output.out(`read again: largest difference of a logit on ${examples} examples ${difference.toExponential(1)}`)
      return 0
    })
  },
}
