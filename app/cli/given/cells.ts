import { availableParallelism } from 'node:os'
import { isAbsolute, relative } from 'node:path'
import { type Cells, openCells } from '../../cells/cells.ts'
import { type LocalHost, openHost } from '../../host.ts'
import { type Arguments, cardOf, type Terminal, workspaceOf } from '../command.ts'

/** Opens a process of cells, or gives the one that is open. Throws as `openCells`. */
export type OpenCells = () => Promise<Cells>

interface CellsOptions {
  /** Folders whose data may be read beside those of the workspace; the one of `--data` if left out. */
  data?: readonly string[]
  /** The notebook whose cells they are; without it, those of stored runs and files. */
  notebook?: { text: string; path: string }
}

/**
 * Does something with the host of the workspace that a call names, and with cells, which have a process of their own once
 * they are asked for; both are closed at the end.
 */
export async function withCells<Done>(
  given: Arguments,
  output: Terminal,
  act: (host: LocalHost, cells: OpenCells) => Promise<Done>,
  { data = dataOf(given), notebook }: CellsOptions = {},
): Promise<Done> {
  const cardName = cardOf(given)
  const backend = String(given.options.backend ?? (cardName === undefined ? 'simd' : 'webgpu'))
  const trusted = given.options.trust === true
  const host = openHost({ workspace: workspaceOf(given), data: [...data], unrestricted: trusted, reads: true })
  let opened: Promise<Cells> | null = null
  const open = async () => {
    const name = notebook ? nameIn((await host.describe()).workspace, notebook.path) : null
    const threads = availableParallelism()
    const start = { notebook: notebook?.text ?? '', backend, cardName, threads, places: 1, trusted }
    return openCells(start, { host, name, print: output.err, stop: output.signal, end: output.end() })
  }
  try {
    return await act(host, () => {
      opened ??= open()
      return opened
    })
  } finally {
    const cells = await (opened as Promise<Cells> | null)?.catch(() => null)
    cells?.close()
    host.close()
  }
}

function dataOf({ options: { data } }: Arguments): string[] {
  return data === undefined ? [] : [String(data)]
}

/** What the host calls a notebook: its path in the workspace, or as it is for one elsewhere. */
function nameIn(workspace: string, path: string): string {
  const below = relative(workspace, path)
  return below.startsWith('..') || isAbsolute(below) ? path : below
}
