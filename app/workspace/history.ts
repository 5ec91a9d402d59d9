import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import type { NotebookVersion } from '../../engine/host.ts'
import { writeAtomic } from './atomic.ts'
import { fileErrorReason } from './file-error.ts'
import { ensureFolder } from './folder.ts'
import { checkName } from './notebook-name.ts'
import { PRIVATE } from './private.ts'
import { readRegularFile } from './regular-file.ts'
import type { Workspace } from './workspace.ts'

const HOUR = 3_600_000 // ms
const DAY = 24 * HOUR

/** Keeps a text that is about to be replaced; `written` is when it was written, in ms. Throws MixlabError `store`. */
export function keepVersion(workspace: Workspace, name: string, text: string, written: number): void {
  const folder = join(workspace.history, name)
  ensureFolder(folder)
  let time = Math.floor(written)
  while (existsSync(pathOf(folder, time))) time++
  writeAtomic(pathOf(folder, time), text, PRIVATE)
  for (const old of superfluous(timesIn(folder), Date.now())) rmSync(pathOf(folder, old), { force: true })
}

/** The earlier texts of a notebook, newest first. Throws MixlabError `notebook`. */
export function listVersions(workspace: Workspace, name: string): NotebookVersion[] {
  checkName(name)
  return timesIn(join(workspace.history, name)).map((at) => ({ at }))
}

/** The text of a notebook as it was written at a time of `listVersions`. Throws MixlabError `notebook`. */
export function readVersion(workspace: Workspace, name: string, at: number): string {
  checkName(name)
  const folder = join(workspace.history, name)
  if (!timesIn(folder).includes(at)) throw new MixlabError('notebook', name, `has no version of ${at}`)
  try {
    return readRegularFile(pathOf(folder, at)).toString()
  } catch (error) {
    throw new MixlabError('notebook', name, `its version cannot be read: ${fileErrorReason(error)}`)
  }
}

/** Gives the history of a notebook to its new name, beside what is there. */
export function moveHistory(workspace: Workspace, from: string, to: string): void {
  const [source, target] = [join(workspace.history, from), join(workspace.history, to)]
  const times = timesIn(source)
  if (times.length === 0) return
  ensureFolder(target)
  for (const at of times) if (!existsSync(pathOf(target, at))) renameSync(pathOf(source, at), pathOf(target, at))
  rmSync(source, { recursive: true })
}

/**
 * Of versions at `times`, newest first, those to let go: all of the last hour stay, the last of each hour for a week,
 * and the last of each day.
 */
export function superfluous(times: number[], now: number): number[] {
  const bucket = (at: number) => {
    const age = now - at
    if (age < HOUR) return `version ${at}`
    return age < 7 * DAY ? `hour ${Math.floor(at / HOUR)}` : `day ${Math.floor(at / DAY)}`
  }
  return times.filter((at, index) => index > 0 && bucket(at) === bucket(times[index - 1] ?? at))
}

/** The times of the versions in a folder, newest first. */
function timesIn(folder: string): number[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => timeOf(name) ?? [])
    .sort((a, b) => b - a)
}

function pathOf(folder: string, at: number): string {
  return join(folder, `${new Date(at).toISOString().replaceAll(':', '-')}.ts`)
}

function timeOf(name: string): number | null {
  const [, day, hour, minute, second] = /^(.{10}T)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.ts$/.exec(name) ?? []
  const time = Date.parse(`${day}${hour}:${minute}:${second}`)
  return Number.isNaN(time) ? null : time
}
