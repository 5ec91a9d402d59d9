import { MixlabError } from '../../../engine/errors.ts'
import type { CapabilityRequest, Host } from '../../../engine/host.ts'
import type { PageCalls } from '../../protocol/kernel.ts'
import type { SentEvent } from '../../protocol/runPoints.ts'

/** The calls of one kernel, each made with the capability of what the user has started. */
export interface GrantedCalls extends Pick<PageCalls, 'askHost'> {
  /**
   * Whether the kernel may report such an event: the runs in training are interrupted with the kernel, so it has to be a run
   * that this kernel has begun.
   */
  mayTell(event: SentEvent): boolean
  /** Does `work` with a capability, which ends with it. */
  during<Result>(asked: CapabilityRequest, work: () => Promise<Result>): Promise<Result>
}

/** A capability, and what it takes to have one like it from a host that was started again. */
interface Granted {
  asked: CapabilityRequest
  id: string
  /** The arguments of its calls of `admitRuns`. */
  admitted: Uint8Array[]
}

/** Nothing is granted yet. */
export function grantedCalls(host: () => Host): GrantedCalls {
  const held: Granted[] = []
  const begun = new Set<number>()

  async function askHost(name: string, given: Uint8Array): Promise<unknown> {
    // The kernel reads data for other than cells, too; at most one cell runs.
    const granted = held.find(({ asked }) => asked.cells.length > 0) ?? held[0]
    if (!granted) throw new MixlabError('permission', name, 'no cell is run')
    const call = () => host().callWith(granted.id, name, given)
    const answer = await call().catch(async (error) => {
      if (!(error instanceof MixlabError && error.code === 'permission' && error.path === 'capability')) throw error
      granted.id = await host().issueCapability(granted.asked)
      for (const runs of granted.admitted) await host().callWith(granted.id, 'admitRuns', runs)
      return call()
    })
    if (name === 'admitRuns') granted.admitted.push(given)
    if (name === 'beginRun' && answer) begun.add((answer as { id: number }).id)
    return answer
  }

  return {
    askHost,
    mayTell(event) {
      if (event.type === 'begin') return begun.has(event.id)
      if (event.type === 'ended') return event.run.status !== 'running'
      return event.type !== 'plan' || event.runs.every(({ done }) => done?.status !== 'running')
    },
    async during(asked, work) {
      const granted = { asked, id: await host().issueCapability(asked), admitted: [] }
      held.push(granted)
      try {
        return await work()
      } finally {
        held.splice(held.indexOf(granted), 1)
        void host()
          .endCapability(granted.id)
          .catch(() => {}) // a host that is closed has ended it
      }
    },
  }
}
