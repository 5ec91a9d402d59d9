import { availableParallelism } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import { archive, namesOf } from '../../engine/export/archive.ts'
import type { ExportedRun } from '../../engine/export/export.ts'
import { foldingText } from '../../engine/export/foldable.ts'
import { type FormatName, formatFor, formatOf, formats } from '../../engine/export/formats/index.ts'
import { trainingText } from '../../engine/export/trainingProof.ts'
import { metricText } from '../../engine/records/meaning.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { type ChosenWeights, weightsText } from '../../engine/records/tested.ts'
import { openCells } from '../cells/cells.ts'
import { playerScript } from '../player.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { type Arguments, type CliCommand, EXIT, outputOf, type Terminal, TRUST } from './command.ts'
import { withHost } from './given/host.ts'
import { grouped, wholeNumber } from './given/numbers.ts'
import { askedWeights, readAsked, WEIGHTS_OPTIONS } from './model/weights.ts'

const ARCHIVE = '.zip'
const MAX_RUNS = 1000

export const exportWeights: CliCommand = {
  name: 'export',
  synopsis: '<run> ... -o PATH',
  summary: 'write the trained models of runs, read them again and compare; with a model card beside each',
  words: [1, MAX_RUNS],
  options: {
    format: { value: 'F', help: `${Object.keys(formats).join(', ')} (default: by the ending of PATH)` },
    ...WEIGHTS_OPTIONS,
    examples: { value: 'N', help: 'of each test the first N are evaluated (default: at most 10,000)' },
    fold: { help: 'fold affine layers (ResMLP), BatchNorm and convolutions (RepMLP, locality) into matrices' },
    toeplitz: { help: 'write Toeplitz matrices out, [n, n], under the name of timm' },
    output: { short: 'o', value: 'PATH', help: `the file to write; ${ARCHIVE} for several runs` },
    trust: TRUST,
  },
  run: async (given, output) => {
    try {
      return await write(given, output)
    } catch (error) {
      if (output.signal.aborted) return EXIT.interrupted // it has ended the process that writes
      throw error
    }
  },
}

async function write(given: Arguments, output: Terminal): Promise<number> {
  const { fold, toeplitz } = given.options
  const path = outputOf(given)
  const named = given.options.format === undefined ? null : formatOf(String(given.options.format))
  const archived = path.toLowerCase().endsWith(ARCHIVE)
  if (given.words.length > 1 && !archived) {
    throw new MixlabError('option', '--output', `'${path}', expected a path that ends in ${ARCHIVE} for several runs`)
  }
  const format = archived ? named : formatFor(path, named)
  if (format === null) throw new MixlabError('option', '--format', `missing, an archive has one of ${known()}`)
  const asked = askedWeights(given) ?? 'tested'
  const examples = wholeNumber(given, 'examples', 1)
  return withHost(given, async (host) => {
    const runs = new Map<number, StoredRunDetails>()
    for (const reference of given.words) {
      const run = await host.showRun(reference)
      runs.set(run.id, run)
    }
    const player = format === 'demo' ? await playerScript(output.err) : undefined
    const options = { fold: fold === true, toeplitz: toeplitz === true, player, ...(examples && { examples }) }
    const start = { notebook: '', backend: 'simd', threads: availableParallelism(), places: 1 }
    const around = { host, name: null, print: output.err, stop: output.signal, end: output.signal }
    const names = archived ? namesOf([...runs.values()]) : [basename(path).slice(0, -formats[format].ending.length)]
    const exported: (ExportedRun & { run: StoredRunDetails; name: string; chosen: ChosenWeights })[] = []
    for (const [i, run] of [...runs.values()].entries()) {
      const name = names[i] as string
      const { chosen, weights } = await readAsked(run, asked, host)
      // A process for each: what the cells of one run do is nothing to the others.
      const redraw = output.redraw && ((line: string) => output.redraw?.(`${name}: ${line}`))
      const cells = await openCells({ ...start, trusted: given.options.trust === true }, { ...around, redraw })
      const one = await cells.exportRun(run, weights, { format, chosen, name, ...options }).finally(cells.close)
      for (const end of Object.keys(one.files))
        if (/[/\\]/.test(end)) throw new MixlabError('weights', end, 'is no ending of a file')
      exported.push({ run, name, chosen, ...one })
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
      const proofs = exported.map(
        ({ run, proof, training, folding, chosen, description: { metrics, examples, missing } }) => {
          const proven = { proof, ...(training && { training }), ...(folding && { folding }) }
          return { run: run.id, weights: chosen, ...proven, metrics, examples, missing }
        },
      )
      const of = archived ? { runs: proofs } : proofs[0]
      output.out(JSON.stringify({ ...of, format, path: first, bytes, beside }))
      return 0
    }
    for (const line of [`${first}: ${grouped(bytes)} bytes`, ...beside]) output.out(line)
    for (const each of exported) {
      for (const line of resultLines(each)) output.out(`${archived ? `${each.name} ` : ''}${line}`)
    }
    return 0
  })
}

const known = () => (Object.keys(formats) as FormatName[]).join(', ')

function besideEachOther(start: string, files: ExportedRun['files']): { path: string; bytes: Uint8Array }[] {
  return Object.entries(files).map(([ending, bytes]) => ({ path: start + ending, bytes }))
}

/** What the weights are, what was measured of them, and how far the file is from them. */
function resultLines({
  chosen,
  proof,
  training,
  folding,
  description,
}: ExportedRun & { chosen: ChosenWeights }): string[] {
  const { metrics, examples, missing } = description
  const values = Object.entries(metrics).map(([name, { value, ...meaning }]) => `${name} ${metricText(value, meaning)}`)
  const counts = Object.entries(examples).map(([split, count]) => `${grouped(count)} examples of ${split}`)
  return [
    `weights: ${weightsText(chosen)}`,
    ...(values.length > 0 ? [`evaluated on ${counts.join(', ')}: ${values.join(', ')}`] : []),
    ...missing,
    ...(folding ? [`folded: ${foldingText(folding)}`] : []),
    `read again: largest difference of a logit on ${proof.examples} examples ${proof.difference.toExponential(1)}`,
    ...(training ? [trainingText(training)] : []),
  ]
}
