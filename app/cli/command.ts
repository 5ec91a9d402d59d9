import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'

/** One option of a command, e.g. `--backend B`. */
export interface Option {
  /** What stands for its value in the help, e.g. `DIR`; a switch has none. */
  value?: string
  /** One letter that stands for its name. */
  short?: string
  help: string
}

/** The arguments of a call: words without dashes, and options by name. */
export interface Arguments {
  words: string[]
  options: Record<string, string | boolean | undefined>
  /** What stands behind `--`, for another program. */
  rest: string[]
}

/** Where a command reads and writes: results to `out`, progress and errors to `err`, each call one line. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  /** All that is piped in; left out where nothing is. */
  input?: () => Promise<string>
  /** Redraws the last line of a terminal; null where `err` is none. */
  redraw: ((line: string) => void) | null
  /** The characters of a line of sentences; 80 where left out. */
  columns?: number
  /** Aborted by Ctrl-C, or by a signal of the system, whose name is the reason then. */
  signal: AbortSignal
  /** Aborted by the next Ctrl-C, which ends this process where no command handles it. */
  end(): AbortSignal
}

/** One command of the command line. */
export interface CliCommand {
  name: string
  /** The words it takes, e.g. `<notebook>`. */
  synopsis: string
  summary: string
  /** Fewest and most words. */
  words: [number, number]
  options: Record<string, Option>
  /** The option with which what stands behind `--` is for another program. */
  rest?: string
  /** Returns the exit code: 0 for success. Throws MixlabError. */
  run(given: Arguments, output: Terminal): Promise<number>
}

/** Exit codes besides 0. `handedBack`: what is not done was asked to stop and goes on elsewhere; EX_TEMPFAIL of sysexits.h. */
export const EXIT = { error: 1, usage: 2, runsFailed: 3, handedBack: 75, interrupted: 130 } as const

/** Options that every command takes. */
export const COMMON: Record<string, Option> = {
  workspace: { value: 'DIR', help: 'the workspace folder (default: the current folder)' },
  json: { help: 'print JSON' },
}

/** The option of commands that run cells. */
export const TRUST: Option = { help: 'let its code do all that you may: files, programs, network' }

/** The option of commands that write CSV. */
export const RAW: Option = { help: 'in CSV: no apostrophe in front of texts that a spreadsheet takes for formulas' }

/** The option of commands that compute on a graphics card. */
export const CARD: Option = { value: 'C', help: 'of several graphics cards the one of this name' }

/** The card that a call names. Throws MixlabError `option` where its `--backend` is none of a card. */
export function cardOf({ options }: Arguments): string | undefined {
  if (options.card === undefined) return undefined
  const { backend = 'webgpu' } = options
  if (backend !== 'webgpu') throw new MixlabError('option', '--card', `not together with --backend ${backend}`)
  return String(options.card)
}

/** The file that a call names by `-o`, which it must. Throws MixlabError `option`, also for one whose folder is not there. */
export function outputOf({ options }: Arguments): string {
  if (!options.output) throw new MixlabError('option', '--output', 'missing, expected the file to write, -o PATH')
  const path = resolve(String(options.output))
  const kind = (at: string) => statSync(at, { throwIfNoEntry: false })
  if (!kind(dirname(path))?.isDirectory()) throw new MixlabError('option', '--output', `no folder '${dirname(path)}'`)
  if (kind(path)?.isDirectory()) throw new MixlabError('option', '--output', `'${path}' is a folder, expected a file`)
  return path
}

/** The workspace that a call names. */
export function workspaceOf({ options }: Arguments): string {
  return String(options.workspace ?? process.env.MIXLAB_WORKSPACE ?? process.cwd())
}
