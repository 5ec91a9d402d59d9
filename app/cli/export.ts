import { availableParallelism } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { archive, namesOf } from '../../engine/export/archive.ts'
import type { ExportedRun } from '../../engine/export/export.ts'
import { type FormatName, formatFor, formatOf, formats } from '../../engine/export/formats/index.ts'
import { trainingText } from '../../engine/export/trainingProof.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { openCells } from '../cells/cells.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type CliCommand, outputOf, TRUST } from './command.ts'
import { withHost } from './host.ts'
import { grouped } from './numbers.ts'

const ARCHIVE = '.zip'
const MOST_RUNS = 1000

export const exportWeights: CliCommand = {
  name: 'export',
  synopsis: '<run> ... -o PATH',
  summary: 'write the trained models of runs, read them again and compare; with a model card beside each',
  words: [1, MOST_RUNS],
  options: {
    format: { type: 'string', value: 'F', help: `${Object.keys(formats).join(', ')} (default: by the ending of PATH)` },
    best: { type: 'boolean', help: 'the weights that were best on validation, not the last ones' },
    fold: { type: 'boolean', help: 'fold the affine layers of a ResMLP into their neighbours' },
    toeplitz: { type: 'boolean', help: 'write Toeplitz matrices out, [n, n], under the name of timm' },
    output: { type: 'string', short: 'o', value: 'PATH', help: `the file to write; ${ARCHIVE} for several runs` },
    trust: TRUST,
  },
  run: async (given, output) => {
    const { fold, toeplitz } = given.options
    const path = outputOf(given)
    const named = given.options.format === undefined ? null : formatOf(String(given.options.format))
    const archived = path.toLowerCase().endsWith(ARCHIVE)
    if (given.words.length > 1 && !archived) {
      throw new MixlabError('option', '--output', `'${path}', expected a path that ends in ${ARCHIVE} for several runs`)
    }
    const format = archived ? named : formatFor(path, named)
    if (format === null) throw new MixlabError('option', '--format', `missing, an archive has one of ${known()}`)
    return withHost(given, async (host) => {
      const runs = new Map<number, StoredRunDetails>()
      for (const reference of given.words) {
        const run = await host.showRun(reference)
        runs.set(run.id, run)
      }
      const which = given.options.best === true ? 'best' : 'last'
      const changes = { fold: fold === true, toeplitz: toeplitz === true }
      const start = { notebook: '', backend: 'simd', threads: availableParallelism(), places: 1 }
      const around = { host, name: null, print: output.err, stop: output.signal, end: output.end() }
      const names = archived ? namesOf([...runs.values()]) : [basename(path).slice(0, -formats[format].ending.length)]
      const exported: (ExportedRun & { run: StoredRunDetails; name: string })[] = []
      for (const [i, run] of [...runs.values()].entries()) {
        const name = names[i] as string
        const weights = await host.readWeights(run.id, which)
        // A process for each: what the cells of one run do is nothing to the others.
        const cells = await openCells({ ...start, trusted: given.options.trust === true }, around)
        const one = await cells.exportRun(run, weights, { format, which, name, ...changes }).finally(cells.close)
        for (const end of Object.keys(one.files))
          if (/[/\\]/.test(end)) throw new MixlabError('weights', end, 'is no ending of a file')
        exported.push({ run, name, ...one })
      }
      const written = archived
        ? [{ path, bytes: archive(new Map(exported.map(({ name, files }) => [name, files]))) }]
        : exported.flatMap(({ name, files }) => besideEachOther(join(dirname(path), name), files))
      for (const file of written) writeAtomic(file.path, file.bytes)
      for (const { run, record } of exported) await host.recordExport(run.id, record)

      const [first, ...beside] = written.map((file) => file.path)
      const bytes = written[0]?.bytes.length ?? 0
      for (const warning of exported.flatMap(({ warnings }) => warnings)) output.err(warning)
      if (given.options.json) {
        const proofs = exported.map(({ run, proof, training }) => ({
          run: run.id,
          proof,
          ...(training && { training }),
        }))
        const of = archived ? { runs: proofs } : proofs[0]
        output.out(JSON.stringify({ ...of, format, path: first, bytes, beside }))
        return 0
      }
      for (const line of [`${first}: ${grouped(bytes)} bytes`, ...beside]) output.out(line)
      for (const { name, proof, training } of exported) {
        const lines = [proofText(proof), ...(training ? [trainingText(training)] : [])]
        for (const line of lines) output.out(`${archived ? `${name} ` : ''}${line}`)
      }
      return 0
    })
  },
}

const known = () => (Object.keys(formats) as FormatName[]).join(', ')

function besideEachOther(start: string, files: ExportedRun['files']): { path: string; bytes: Uint8Array }[] {
  return Object.entries(files).map(([ending, bytes]) => ({ path: start + ending, bytes }))
}

function proofText({ examples, difference }: ExportedRun['proof']): string {
  return `read again: largest difference of a logit on ${examples} examples ${difference.toExponential(1)}`
}
