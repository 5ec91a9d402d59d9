import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { BACKENDS } from '../../../engine/backends/types.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { MachineOrder, QueueView } from '../../../engine/records/workspace.ts'
import { openWorkspace } from '../../workspace/index.ts'
import { leftOut, shownAddress } from '../address.ts'
import { openRedis } from '../connect.ts'
import { openSigner } from '../keys.ts'
import { listMachines, tellMachine } from '../machines.ts'
import { namesOf, PREFIX, queueName } from '../names.ts'

/** How many runs are in the queue, by what becomes of them. */
type Jobs = QueueView['jobs']

/** The queue of a workspace, looked at. */
export interface Watch {
  /** The public key that workers are given, and where they reach the queue. */
  key: string
  address: string
  /** The command by which a machine joins, and what is left out of it, in words. */
  join: string
  leftOut: string | null
  machines(): ReturnType<typeof listMachines>
  /** Tells a machine something, by its id. Throws MixlabError `option` where none has that id. */
  tell(machine: string, order: MachineOrder): Promise<void>
  jobs(): Promise<Jobs>
  /** Both; throws MixlabError `backend` where the queue does not answer. */
  look(): Promise<[Awaited<ReturnType<typeof listMachines>>, Jobs]>
  /** Takes all runs out of the queue and has those in training ended; returns how many there were. */
  empty(): Promise<number>
  close(): void
}

/** Milliseconds within which a queue that is there answers. */
const ANSWER_MS = 3000

/** Looks at the queue of the workspace in a folder. Throws MixlabError `backend` where it does not answer. */
export async function openWatch(address: string, workspace: string): Promise<Watch> {
  const signer = openSigner(openWorkspace(workspace).inner)
  const names = namesOf(signer.workspace)
  const redis = await openRedis(address)
  const queues = BACKENDS.map((backend) => {
    const queue = new Queue(queueName(signer.workspace, backend), {
      connection: redis,
      prefix: PREFIX,
      skipMetasUpdate: true,
    })
    queue.on('error', () => {})
    return queue
  })
  const machines = () => listMachines(redis, names)
  const jobs = async (): Promise<Jobs> => {
    const counts = await Promise.all(queues.map((queue) => queue.getJobCounts('wait', 'active', 'completed')))
    const sum = (state: string) => counts.reduce((total, count) => total + (count[state] ?? 0), 0)
    return { waiting: sum('wait'), active: sum('active'), done: sum('completed') }
  }
  return {
    key: signer.text,
    address: shownAddress(address),
    leftOut: leftOut(address),
    join: `mixlab work ${shownAddress(address)} --key ${signer.text}`,
    machines,
    jobs,
    async look() {
      const late = sleep(ANSWER_MS, null, { ref: false })
      const found = await Promise.race([Promise.all([machines(), jobs()]), late])
      if (!found) throw new MixlabError('backend', shownAddress(address), 'the queue does not answer')
      return found
    },
    async tell(machine, order) {
      const known = (await machines()).map(({ id }) => id)
      if (!known.includes(machine)) {
        const others = known.join(', ') || 'none'
        throw new MixlabError('option', 'machine', `'${machine}' is at the queue no more (known: ${others})`)
      }
      await tellMachine(redis, names, machine, order)
    },
    async empty() {
      let all = 0
      for (const queue of queues) {
        for (const job of await queue.getJobs()) {
          const { id: run } = job
          if (run === undefined) continue
          all += 1
          const gone = await job.remove().then(
            () => true,
            () => false,
          )
          if (gone) await redis.del(names.frames(run), names.objects(run), names.resume(run))
          else await redis.hset(names.cancelled, run, 'gone')
        }
      }
      return all
    },
    close: () => redis.disconnect(),
  }
}
