import { type LocalHost, openHost } from '../host.ts'
import { type Arguments, workspaceOf } from './command.ts'

/**
 * Does something with the host of the workspace that a call names, which is closed at the end. It reads data there and in
 * the folders that were allowed, or with `unrestricted` anywhere.
 */
export async function withHost<Done>(
  given: Arguments,
  act: (host: LocalHost) => Promise<Done>,
  unrestricted = false,
): Promise<Done> {
  const host = openHost({ workspace: workspaceOf(given), unrestricted })
  try {
    return await act(host)
  } finally {
    host.close()
  }
}
