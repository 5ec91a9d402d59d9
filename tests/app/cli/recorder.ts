import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import type { Terminal } from '../../../app/cli/command.ts'
import { main } from '../../../app/cli/terminal/main.ts'
import { madeOnce } from '../../engine/export/once.ts'

/** A fresh folder that goes when the test ends. */
export function freshFolder(): string {
  return folderUntil(onTestFinished)
}

/** A fresh folder for all tests of a file. */
export function sharedFolder(): string {
  return folderUntil(afterAll)
}

function folderUntil(end: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-cli-'))
  end(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A notebook whose two variants train in well under a second. */
export const NOTEBOOK = `// %% block
import { add, block, dense } from 'mixlab'
export const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))

// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { plain, mixer: mixer() },
  train: { steps: 3, batch: 8 },
  seeds: 2,
})
`

export function writeNotebook(folder: string, text = NOTEBOOK): string {
  const path = join(folder, 'tiny.ts')
  writeFileSync(path, text)
  return path
}

/**
 * Runs `mixlab <argv>` and returns exit code, lines of results, and lines of messages. One run at a time is trained in one
 * thread unless more are asked for: of models so small, threads do little but wait for each other, which takes processor time.
 */
export async function mixlab(argv: string[], more: Partial<Terminal> = {}) {
  const out: string[] = []
  const err: string[] = []
  const output: Terminal = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    redraw: null,
    signal: new AbortController().signal,
    end: () => new AbortController().signal,
    ...more,
  }
  const alone = argv[0] === 'run' && !argv.some((word) => ['--jobs', '--threads', '--backend'].includes(word))
  const words = alone ? ['run', '--threads', '1', ...argv.slice(1)] : argv
  return { code: await main(words, output), out, err }
}

/** Trains NOTEBOOK in a folder, which one worker does for all; returns what the command said. */
export async function trainIn(folder: string): ReturnType<typeof mixlab> {
  const { said, files } = await madeOnce('a workspace in which NOTEBOOK is trained', async () => {
    const made = mkdtempSync(join(tmpdir(), 'mixlab-cli-'))
    const said = await mixlab(['run', writeNotebook(made), '--workspace', made])
    const all = readdirSync(made, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = all.map(({ parentPath, name }) => join(parentPath, name))
    return { said, files: paths.map((path) => [relative(made, path), readFileSync(path)] as const) }
  })
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return said
}
