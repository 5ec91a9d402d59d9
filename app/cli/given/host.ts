import { type LocalHost, openHost } from '../../host.ts'
import { type Arguments, workspaceOf } from '../command.ts'

/** Does something with the host of the workspace that a call names, which is closed at the end. */
export async function withHost<Done>(given: Arguments, act: (host: LocalHost) => Promise<Done>): Promise<Done> {
  const host = openHost({ workspace: workspaceOf(given), reads: true })
  try {
    return await act(host)
  } finally {
    host.close()
  }
}
