import { parseArgs } from 'node:util'

/** What a process of the desktop app is started with. */
export interface Launch {
  /** Absolute path of the workspace. */
  workspace: string
  /** The notebook to show first; null for the one last written. */
  notebook: string | null
}

/** Reads a launch from command-line arguments, among which Chromium's own may stand; `workspace` if they name none. */
export function parseLaunch(args: string[], workspace: string): Launch {
  const { values } = parseArgs({
    args,
    options: { workspace: { type: 'string' }, notebook: { type: 'string' } },
    strict: false,
  })
  return { workspace: textOf(values.workspace) ?? workspace, notebook: textOf(values.notebook) ?? null }
}

/** The arguments that `parseLaunch` reads back. */
export function launchArguments({ workspace, notebook }: Launch): string[] {
  return [`--workspace=${workspace}`, ...(notebook === null ? [] : [`--notebook=${notebook}`])]
}

/** A launch that came from another process, or null if it is none. */
export function asLaunch(value: unknown): Launch | null {
  if (typeof value !== 'object' || value === null) return null
  const { workspace, notebook = null } = value as { workspace?: unknown; notebook?: unknown }
  if (typeof workspace !== 'string' || (typeof notebook !== 'string' && notebook !== null)) return null
  return { workspace, notebook }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
