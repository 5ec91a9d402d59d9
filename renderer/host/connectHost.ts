import { connect } from '../../engine/channel.ts'
import type { Host } from '../../engine/host.ts'
import { type Link, openLink } from './link.ts'
import { useConnection } from './state.ts'

/** Calls that may be made again when the connection breaks under them. */
const REPEATABLE = new Set([
  'describe',
  'list',
  'read',
  'findDone',
  'findResumable',
  'readState',
  'listNotebooks',
  'readNotebook',
  'listVersions',
  'readVersion',
  'readOutputs',
  'listRuns',
  'queryRuns',
  'groupRuns',
  'runFields',
  'baselines',
  'showRun',
  'showRuns',
  'readSeries',
  'readBands',
  'readReport',
  'readWeights',
  'listWeights',
  'listHistograms',
  'readHistograms',
  'querySql',
])

const SHORTEST_WAIT = 400 // ms
const LONGEST_WAIT = 5000 // ms

type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>

/**
 * Connects to the host and stays connected. While there is no connection, calls wait for the next one; a call that the
 * break caught under way rejects, unless it only reads.
 */
export async function connectHost(open: () => Promise<Link> = openLink): Promise<Host> {
  let generation = 0
  let remote = dial()

  async function dial(): Promise<Calls> {
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

  function join({ channel, closed }: Link): Calls {
    const connection = connect<Calls>({}, channel)
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

  async function call(method: string, args: unknown[]): Promise<unknown> {
    for (;;) {
      const calls = await remote
      const made = generation
      try {
        return await calls[method]?.(...args)
      } catch (error) {
        if (generation === made || !REPEATABLE.has(method)) throw error
      }
    }
  }

  await remote
  return new Proxy({} as Host, {
    get: (_, method) =>
      typeof method === 'string' && method !== 'then' ? (...args: unknown[]) => call(method, args) : undefined,
  })
}
