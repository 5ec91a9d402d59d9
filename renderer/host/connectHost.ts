import { callByName, callsOf } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { type Host, hostCalls } from '../../engine/host.ts'
import { type Link, openLink } from './link.ts'
import { useConnection } from './state.ts'
import { untilToken } from './token.ts'

const SHORTEST_WAIT = 400 // ms
const LONGEST_WAIT = 5000 // ms
const ENDED = 'the connection to the workspace has ended'

/**
 * Connects to the host and stays connected, until `signal` ends that. While there is no connection, calls wait for the
 * next one; a call that the break caught under way rejects, unless it is declared `repeatable`.
 */
export async function connectHost(
  open: () => Promise<Link> = openLink,
  signal = new AbortController().signal,
): Promise<Host> {
  let generation = 0
  let remote = dial()

  async function dial(): Promise<Host> {
    for (let wait = SHORTEST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 2)) {
      try {
        return join(await open())
      } catch (error) {
        if (signal.aborted) throw error
        const refused = error instanceof MixlabError && error.code === 'permission'
        useConnection.setState({ phase: refused ? 'refused' : generation > 0 ? 'lost' : 'absent' })
        await untilToken(wait)
      }
    }
  }

  function join({ channel, closed, close }: Link): Host {
    const connection = connect<Host>({}, channel)
    const end = () => {
      close()
      connection.close(ENDED)
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    generation++
    useConnection.setState({ phase: 'open' })
    void closed.then(() => {
      if (signal.aborted) return
      useConnection.setState({ phase: 'lost' })
      generation++
      remote = dial()
      connection.close('the connection to the workspace was lost')
    })
    return connection.remote
  }

  await remote
  return callsOf(hostCalls, async (name, given) => {
    for (;;) {
      const calls = await remote
      if (signal.aborted) throw new MixlabError('backend', '', ENDED)
      const made = generation
      try {
        return await callByName(calls, name, given)
      } catch (error) {
        if (generation === made || !hostCalls[name].repeatable(given)) throw error
      }
    }
  })
}
