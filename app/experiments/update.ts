// `npm run experiments -- [--update] [--workspace DIR] [file ...]`: trains the ready notebooks in full and compares what
// comes out with what they say is expected, or writes that. `--outdated` trains nothing: it lists those whose results
// were trained with other numerics than today's.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MixlabError, messageOf, suggest } from '../../engine/errors.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import type { Terminal } from '../cli/command.ts'
import { main } from '../cli/main.ts'
import { terminal } from '../cli/terminal/terminal.ts'
import { expectedNumerics, type StudyResult, withExpected } from './expected.ts'

const folder = resolve(import.meta.dirname, '../../experiments')

/** Trains the studies of a notebook in a workspace, where they are not in its store. Throws where a run fails. */
async function resultsOf(path: string, workspace: string, output: Terminal): Promise<StudyResult[]> {
  const lines: string[] = []
  // the bits of `simd` are the same on every machine
  const code = await main(['run', path, '--json', '--backend', 'simd', '--workspace', workspace], {
    ...output,
    out: (line) => lines.push(line),
  })
  if (code !== 0) throw new MixlabError('notebook', path, `ended with exit code ${code}`)
  return lines.map((line): StudyResult => JSON.parse(line))
}

/** The names of ready notebooks: all of them, or the ones in `asked`. Throws MixlabError for an unknown name. */
function named(asked: string[]): string[] {
  const known = globSync('*.ts', { cwd: folder }).sort()
  for (const name of asked) {
    if (!known.includes(name)) throw new MixlabError('option', name, `no ready notebook${suggest(name, known)}`)
  }
  return asked.length > 0 ? asked : known
}

/** Prints which of the notebooks are to be trained again. Returns whether none is. */
function outdated(names: string[], output: Terminal): boolean {
  const old = names.flatMap((name) => {
    const numerics = expectedNumerics(readFileSync(join(folder, name), 'utf8'))
    return numerics === NUMERICS ? [] : [`${name}: ${numerics === null ? 'no results' : `numerics ${numerics}`}`]
  })
  for (const line of old) output.out(line)
  output.out(`${old.length} of ${names.length} to be trained again with numerics ${NUMERICS}`)
  return old.length === 0
}

/** Returns whether all notebooks say what comes out, now that it may have been written. */
async function experiments(argv: string[], output: Terminal): Promise<boolean> {
  const options = { update: { type: 'boolean' }, outdated: { type: 'boolean' }, workspace: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
  if (values.outdated) return outdated(named(positionals), output)
  const kept = values.workspace
  const workspace = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'mixlab-experiments-'))
  let same = true
  try {
    for (const name of named(positionals)) {
      const path = join(folder, name)
      // of its own: what comes out says which other notebook a run is taken from
      const own = join(workspace, parse(name).name)
      mkdirSync(own, { recursive: true })
      const results = await resultsOf(path, own, output)
      const text = readFileSync(path, 'utf8') // now: it may have been edited while its studies trained
      const expected = withExpected(text, results)
      if (values.update && expected !== text) writeFileSync(path, expected)
      const state = expected === text ? 'as expected' : values.update ? 'written' : 'not as expected'
      output.out(`${name}: ${state}`)
      if (state === 'not as expected') {
        same = false
        for (const result of results) output.out(JSON.stringify(result.rows))
      }
    }
  } finally {
    if (!kept) rmSync(workspace, { recursive: true, force: true })
  }
  return same
}

if (import.meta.main) {
  try {
    process.exitCode = (await experiments(process.argv.slice(2), terminal())) ? 0 : 1
  } catch (error) {
    console.error(`experiments: ${messageOf(error)}`)
    process.exitCode = 1
  }
}
