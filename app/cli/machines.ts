import { MixlabError } from '../../engine/errors.ts'
import { MACHINE_ORDERS } from '../../engine/records/workspace.ts'
import type { Machine } from '../queue/machines.ts'
import { addressSet } from '../queue/owner/setting.ts'
import { openWatch } from '../queue/owner/watch.ts'
import { openWorkspace } from '../workspace/index.ts'
import { type CliCommand, workspaceOf } from './command.ts'
import { maybeQueueOf, queueOf } from './given/queue.ts'

export const machines: CliCommand = {
  name: 'machines',
  synopsis: '',
  summary: 'who trains what out of the queue of this workspace, and how a machine joins',
  words: [0, 0],
  options: {
    queue: { value: 'ADDRESS', help: 'redis://host of the queue (default: MIXLAB_QUEUE, or what the page has set)' },
    pause: { value: 'M', help: 'let a machine take no more runs' },
    resume: { value: 'M', help: 'let it take some again' },
    stop: { value: 'M', help: 'let it leave after the runs that it has' },
    remove: { value: 'M', help: 'let it hand its runs back and leave at once' },
    empty: { help: 'take all runs out of the queue; those in training end' },
  },
  run: async (given, output) => {
    const workspace = workspaceOf(given)
    const address = maybeQueueOf(given) ?? addressSet(openWorkspace(workspace).inner) ?? queueOf(given)
    const watch = await openWatch(address, workspace)
    try {
      const all = await watch.machines()
      for (const order of MACHINE_ORDERS) {
        const name = given.options[order]
        if (name !== undefined) await watch.tell(machineNamed(String(name), all), order)
      }
      if (given.options.empty) output.err(`${await watch.empty()} runs taken out of the queue`)
      const jobs = await watch.jobs()
      if (given.options.json) {
        output.out(JSON.stringify({ key: watch.key, jobs, machines: all }))
        return 0
      }
      for (const line of linesOf(all)) output.out(line)
      output.out(
        `queue: ${jobs.waiting} wait, ${jobs.active} in training, ${jobs.done} done and not taken over yet${left(all, jobs.waiting)}`,
      )
      output.out(`a machine joins by: ${watch.join}`)
      if (watch.leftOut) output.out(`  ${watch.leftOut}`)
      return 0
    } finally {
      watch.close()
    }
  },
}

/** The machine of a name, or of the beginning of one. Throws MixlabError `option`. */
function machineNamed(name: string, all: readonly Machine[]): string {
  const found = all.filter(({ id }) => id.startsWith(name))
  const [first] = found
  if (first && found.length === 1) return first.id
  const known = all.map(({ id }) => id).join(', ') || 'none'
  throw new MixlabError('option', 'machine', `'${name}' names ${found.length} machines (known: ${known})`)
}

const STATES = { works: '', pauses: ', pauses', leaves: ', leaves' }
const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`

function linesOf(all: readonly Machine[]): string[] {
  if (all.length === 0) return ['no machine works for this workspace']
  return all.flatMap(({ id, backend, device, cores, jobs, threads, free, state, runs }) => [
    `${id}: ${backend} on ${device}, ${cores} cores, ${jobs} at a time with ${threads} threads, ${gigabytes(free)} free${STATES[state]}`,
    ...runs.map(
      ({ study, variant, seed, step, steps, stepsPerSecond, attempt }) =>
        `  ${study}: ${variant}, seed ${seed}, step ${step} of ${steps}, ${stepsPerSecond.toFixed(1)} steps/s${attempt > 1 ? `, attempt ${attempt}` : ''}`,
    ),
  ])
}

/** About how long the queue takes from here on, where anything is in training; in words. */
function left(all: readonly Machine[], waiting: number): string {
  const runs = all.flatMap((machine) => machine.runs)
  const rate = runs.reduce((sum, { stepsPerSecond }) => sum + stepsPerSecond, 0)
  if (rate === 0) return ''
  const begun = runs.reduce((sum, { steps, step }) => sum + steps - step, 0)
  const each = runs.reduce((sum, { steps }) => sum + steps, 0) / runs.length
  const seconds = (begun + waiting * each) / rate
  return `, about ${seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`} left`
}
