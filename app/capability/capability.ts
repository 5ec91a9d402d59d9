import { setImmediate } from 'node:timers/promises'
import type { Calls } from '../../engine/call.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { CapabilityRequest, Host, kernelCalls } from '../../engine/host.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import type { PlannedRun, StoredRunDetails } from '../../engine/records/run.ts'
import { floorsKeyOf, type KeyedSpec, keyOfFile, keyOfRun, trainedKeyOf } from '../../engine/study/key.ts'
import { type RecordedSpec, recordedSpec } from '../../engine/study/recreate/recorded.ts'
import { openUsage, QUOTA } from './quota.ts'
import { readText } from './text.ts'

/** Runs that one cell may ask for. */
const MAX_ADMITTED = 2 ** 20

/** Milliseconds of work on runs of one call before other work has its turn. */
const YIELD_EVERY_MS = 20

/** The calls of the host that a kernel may make. */
export type KernelHost = Calls<typeof kernelCalls>

/** What the user has started, and what its cells may do: the calls of their kernel, within that. */
export interface Capability {
  /** Another name for a notebook. */
  rename(from: string, to: string): void
  /** The calls of the kernel, made of a host within what is allowed. Throw MixlabError `permission` for what is not. */
  over(host: Host): KernelHost
}

/**
 * Lets the cells of a request train the runs that their text defines, for their notebook. The key of a run is computed here
 * from its spec; that names each block and metric by a fingerprint, which has to be that of a cell of the request. Events
 * go to runs that were begun here, or by the same notebook before the host was started again; weights are read of runs that
 * those start from, or that are the same.
 */
export function openCapability(asked: CapabilityRequest, quota = QUOTA): Capability {
  const { notebook, cells, writtenAt = Date.now() } = asked
  const text = readText(cells)
  const usage = openUsage(quota)
  /** The keys of runs that the cells define. */
  const admitted = new Set<string>()
  /** What tells how these are trained, whatever they measure. */
  const trained = new Set<string>()
  /** Digests that stand for the data and tasks of these runs. */
  const data = new Set<string>()
  /** The ids of runs that they train. */
  const training = new Set<number>()
  let owner = notebook

  /** A run of the cells, with its code as the host has it. Throws MixlabError `permission` for any other. */
  function own({ key, study, variant, seed, from, teacher, spec: given }: PlannedRun): PlannedRun {
    const path = `${study}/${variant}/${seed}`
    const refused = (why: string) => new MixlabError('permission', path, why)
    const spec = recordedSpec(given, path)
    if (keyOfRun(given as unknown as KeyedSpec) !== key) throw refused('its key is not that of its spec')
    if (spec.seed !== seed || spec.from?.key !== from?.key || spec.teacher?.key !== teacher?.key)
      throw refused('its spec is of another run')
    if (spec.numerics !== NUMERICS) throw refused(`its numerics are ${spec.numerics}, expected ${NUMERICS}`)
    const code = text.codeOf(spec.model)
    if (code === null) throw refused('its block is of no cell that was run')
    const metrics = Object.entries(spec.metrics ?? {}).map(([name, each]) => [`metric '${name}'`, each] as const)
    const read = Object.entries(spec.readouts ?? {}).map(([name, each]) => [`read-out '${name}'`, each] as const)
    const defined = [...metrics, ...read, ...Object.entries(spec.definitions ?? {})]
    const foreign = defined.find(([, each]) => !text.has(typeof each === 'string' ? each : each.code))
    if (foreign) throw refused(`its ${foreign[0]} is of no cell that was run`)
    if (spec.from && !startsRight(spec.from)) throw refused('it starts from what is of no cell that was run')
    if (spec.teacher && !admitted.has(spec.teacher.key)) throw refused('its teacher is of no cell that was run')
    return { key, study, variant, seed, from, ...(teacher && { teacher }), spec: given, code }
  }

  function startsRight(from: NonNullable<RecordedSpec['from']>): boolean {
    if (!('path' in from)) return admitted.has(from.key)
    return from.key === keyOfFile(from)
  }

  const foreign = (path: string) => new MixlabError('permission', path, 'is of no cell that was run')

  function checkKeys(keys: string[], known = admitted): void {
    const other = keys.find((key) => !known.has(key))
    if (other !== undefined) throw foreign(`run ${other.slice(0, 8)}`)
  }

  /** A run of the cells by its id, whoever trained it. Throws MixlabError `permission` for any other. */
  async function runOf(host: Host, id: number): Promise<StoredRunDetails> {
    const [run] = await host.showRuns([id]).catch(() => [])
    if (!run || !admitted.has(run.key)) throw foreign(`run ${id}`)
    return run
  }

  /** Throws MixlabError `permission` unless the cells train a run, or did before the host was started again. */
  async function checkTraining(host: Host, id: number): Promise<void> {
    if (training.has(id)) return
    const { origin } = await runOf(host, id)
    if (!origin || origin.notebook !== owner) throw foreign(`run ${id}`)
    training.add(id)
  }

  return {
    rename(from, to) {
      if (owner === from) owner = to
    },
    over: (host) => ({
      list: host.list,
      read: host.read,
      lookAtPictures: host.lookAtPictures,
      decodePictures: host.decodePictures,
      async admitRuns(runs) {
        if (owner === null || cells.length === 0) throw new MixlabError('permission', 'admitRuns', 'no cell is run')
        if (admitted.size + runs.length > MAX_ADMITTED) {
          throw new MixlabError('permission', 'admitRuns', `more than ${MAX_ADMITTED} runs of one cell`)
        }
        let breath = performance.now()
        for (const run of runs) {
          admitted.add(own(run).key)
          trained.add(trainedKeyOf(run.spec as unknown as KeyedSpec))
          data.add(floorsKeyOf(run.spec))
          if (performance.now() - breath < YIELD_EVERY_MS) continue
          await setImmediate() // signals, and what others ask
          breath = performance.now()
        }
      },
      async findDone(keys) {
        checkKeys(keys)
        return host.findDone(keys)
      },
      async findResumable(keys, backend) {
        checkKeys(keys)
        return host.findResumable(keys, backend)
      },
      async lookAt(keys) {
        checkKeys(keys)
        return host.lookAt(keys)
      },
      async doubtRuns(keys) {
        checkKeys(keys)
        await host.doubtRuns(keys)
      },
      async recordDesign(design) {
        checkKeys(design.runs.map(({ key }) => key))
        checkKeys(
          design.runs.flatMap((run) => run.trained ?? []),
          trained,
        )
        usage.addText(design)
        await host.recordDesign(design, owner ?? '', Math.min(writtenAt, Date.now()))
      },
      async earlierDesigns(keys) {
        const other = keys.filter((key) => !trained.has(key))
        checkKeys(other)
        return host.earlierDesigns(keys)
      },
      async standingOf(design) {
        checkKeys(design.runs.map(({ key }) => key))
        return host.standingOf(design)
      },
      async showReadouts(keys, readouts) {
        checkKeys(keys)
        return host.showReadouts(keys, readouts, owner ?? '')
      },
      async keepReadout(id, readout) {
        await runOf(host, id)
        usage.addText(readout)
        return host.keepReadout(id, readout, owner ?? '')
      },
      async findFloors(key) {
        checkKeys([key], data)
        return host.findFloors(key)
      },
      async keepFloors(key, floors) {
        checkKeys([key], data)
        usage.addText(floors)
        await host.keepFloors(key, floors)
      },
      async beginRun(run) {
        const { backend, device, environment, attempt, origin } = run
        checkKeys([run.key])
        const planned = own(run)
        usage.addRun()
        usage.addText([planned, environment])
        const { name = null, quick = false } = origin ?? {}
        const begun = await host.beginRun({
          ...{ ...planned, backend, device, origin: { notebook: owner, name, quick, ...text.originOf(origin?.cell) } },
          ...(environment && { environment }),
          ...(attempt && { attempt }),
        })
        if (begun) training.add(begun.id)
        return begun
      },
      async readState(id) {
        await checkTraining(host, id)
        return host.readState(id)
      },
      async record(id, events, by) {
        await checkTraining(host, id)
        usage.addEvents(id, events)
        return host.record(id, events, by)
      },
      async readSeries(ids, ...asked) {
        for (const id of ids) await runOf(host, id)
        return host.readSeries(ids, ...asked)
      },
      async readWeights(id, which) {
        await runOf(host, id)
        return host.readWeights(id, which)
      },
    }),
  }
}
