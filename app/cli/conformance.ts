import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Conformance, checkConformance } from '../../engine/conformance/index.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { cardNote, chooseCard, useBackend } from '../backends.ts'
import { CARD, type CliCommand, cardOf, EXIT } from './command.ts'
import { bytesOf } from './model/files.ts'
import { table } from './terminal/table.ts'

export const conformance: CliCommand = {
  name: 'conformance',
  synopsis: '<file or folder>',
  summary: 'compare output, loss and every gradient with reference cases',
  words: [1, 1],
  options: {
    backend: { value: 'B', help: 'simd (default), webgpu, or cpu, the slow reference' },
    card: CARD,
  },
  run: async (given, output) => {
    const { words, options } = given
    const card = cardOf(given)
    const files = await caseFiles(resolve(words[0] ?? ''))
    chooseCard(card ?? null)
    const backend = await useBackend(card === undefined ? (options.backend as string | undefined) : 'webgpu')
    if (cardNote) output.err(cardNote)
    const results: (Conformance | Unreadable)[] = []
    for (const file of files) results.push(await checkFile(file))
    const failed = results.filter(({ passed }) => !passed).length
    if (options.json) {
      const summary = { backend: backend.name, passed: results.length - failed, failed }
      const cases = results.map((result) => ('error' in result ? result : { ...result, checks: result.checks.length }))
      output.out(JSON.stringify({ ...summary, cases }))
    } else {
      for (const line of table(HEADER, results.map(cells))) output.out(line)
      output.out(`${results.length - failed} passed, ${failed} failed, on ${backend.name}`)
    }
    return failed > 0 ? EXIT.error : 0
  },
}

const SUFFIX = '.safetensors'
const HEADER = ['case', 'architecture', 'checks', 'closest to its bound', 'error', 'bound', '']

/** A case that could not be compared, and why. */
interface Unreadable {
  case: string
  passed: false
  error: string
}

async function checkFile(file: string): Promise<Conformance | Unreadable> {
  const name = basename(file, SUFFIX)
  try {
    return await checkConformance(await bytesOf(file), name)
  } catch (error) {
    return { case: name, passed: false, error: messageOf(error) }
  }
}

function cells(result: Conformance | Unreadable): string[] {
  if ('error' in result) return [result.case, '', '-', '', '-', '-', `FAILED: ${result.error}`]
  const { case: name, architecture, passed, worst, checks } = result
  const { tensor, error, tolerance } = worst
  return [
    name,
    architecture,
    String(checks.length),
    tensor,
    error.toExponential(1),
    tolerance.toExponential(0),
    passed ? 'ok' : 'FAILED',
  ]
}

/** The case itself, or all cases of a folder. */
async function caseFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => {
    throw new MixlabError('data', path, 'no such file or folder')
  })
  if (!found.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => name.endsWith(SUFFIX)).sort()
  if (names.length === 0) throw new MixlabError('data', path, `has no ${SUFFIX} files`)
  return names.map((name) => join(path, name))
}
