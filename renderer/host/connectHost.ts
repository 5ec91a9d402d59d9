import { callsOf, make } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import { type Host, hostCalls } from '../../engine/host.ts'
import { type Link, openLink } from './link.ts'
import { useConnection } from './state.ts'

const SHORTEST_WAIT = 400 // ms
const LONGEST_WAIT = 5000 // ms

/**
 * Connects to the host and stays connected. While there is no connection, calls wait for the next one; a call that the
 * break caught under way rejects, unless it is declared `repeatable`.
 */
export async function connectHost(open: () => Promise<Link> = openLink): Promise<Host> {
  let generation = 0
  let remote = dial()

  async function dial(): Promise<Host> {
    for (let wait = SHORTEST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 2)) {
      try {
        return join(await open())
      } catch {
        if (generation > 0) useConnection.setState({ phase: 'lost' })
        else useConnection.setState({ phase: 'absent' })
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  }

  function join({ channel, closed }: Link): Host {
    const connection = connect<Host>({}, channel)
    generation++
    useConnection.setState({ phase: 'open' })
    void closed.then(() => {
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
      const made = generation
      try {
        return await make(calls, name, given)
      } catch (error) {
        if (generation === made || !hostCalls[name].repeatable(given)) throw error
      }
    }
  })
}
