import { flushCompileCache } from 'node:module'
import type { BackendName } from '../../engine/backends/types.ts'
import { type Channel, connect } from '../../engine/channel.ts'
import type { SpawnAugmenter } from '../../engine/data/augment/thread.ts'
import type { FileSource } from '../../engine/data/files.ts'
import { openLook } from '../../engine/datacard/look.ts'
import { diagramOfModel, studyDiagrams, withRunModel } from '../../engine/diagram/study.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { knownExamples, outcomesAgain } from '../../engine/examples/again.ts'
import { ablateOn } from '../../engine/explain/ablation.ts'
import { attentionOf } from '../../engine/explain/attention.ts'
import { classNamed, explain } from '../../engine/explain/explain.ts'
import { sentAttention } from '../../engine/explain/sentAttention.ts'
import type { exportRun } from '../../engine/export/export.ts'
import { preflight } from '../../engine/export/preflight.ts'
import { type ExportProgress, progressText } from '../../engine/export/progress.ts'
import { isBlock } from '../../engine/nn/block.ts'
import { askAll } from '../../engine/predict/ask.ts'
import { dataFor } from '../../engine/predict/dataFor.ts'
import { besideOf } from '../../engine/predict/demo.ts'
import { evaluateOn } from '../../engine/predict/evaluateOn.ts'
import type { modelOfFile } from '../../engine/predict/file.ts'
import { generate } from '../../engine/predict/generate.ts'
import { type TrainedModel, trainedOf, withFacts } from '../../engine/predict/trained.ts'
import type { StudyEvent } from '../../engine/records/run.ts'
import type { Study } from '../../engine/study/compare.ts'
import { executeStudy } from '../../engine/study/execute.ts'
import { serveJob } from '../../engine/study/jobs/job.ts'
import { only } from '../../engine/study/only.ts'
import { rebuild } from '../../engine/study/recreate/rebuild.ts'
import { startingStudy } from '../../engine/study/start/weightsOf.ts'
import { tuningName } from '../../engine/study/tuning/names.ts'
import type { Task } from '../../engine/tasks/types.ts'
import { keepAugmenters, spawnFrom } from '../augmenter.ts'
import { candidatesHere, cardNote, chooseCard, lossOf, useBackend as startBackend } from '../backends.ts'
import { confine } from '../confine.ts'
import { modules } from '../modules.ts'
import { studiesIn } from '../studies.ts'
import type { AskedCalls, CellsCalls, CellsStart, FailedNames, ModelSource, StudyNames } from './calls.ts'
import { retryOnDeviceLoss, type TrainedOn } from './deviceLoss.ts'
import { reportLateErrors } from './lateErrors.ts'
import { openPlaces } from './places.ts'
import { createQueue } from './queue.ts'
import { queueRunner } from './queued.ts'

/** What a process of cells has once it has given up its rights. */
interface Opened extends CellsStart {
  on: Pick<TrainedOn, 'backend' | 'candidates'>
  spawnAugmenter: SpawnAugmenter
  /** Null where studies are trained: the formats are a sixth of all that would be loaded. */
  exportRun: typeof exportRun | null
  modelOfFile: typeof modelOfFile | null
  /** Where runs are trained elsewhere. */
  elsewhere: ReturnType<typeof openPlaces> | null
}

/** The work of a process of cells: it evaluates a notebook and trains its runs, and asks for all else. */
export function serveCells(channel: Channel): void {
  let opened: Opened | null = null
  let studies: Study[] = []
  let model: TrainedModel | null = null
  let task: Task | null = null
  let events = createQueue<StudyEvent>()
  let toJob: ((message: Uint8Array) => void) | null = null
  const abort = new AbortController()

  const inHand = (): Opened => {
    if (!opened) throw new Error('not open')
    return opened
  }

  const calls: CellsCalls = {
    async open(start) {
      opened = await open(start, asked)
      return opened.on.backend.name
    },
    async studies() {
      const failed: FailedNames[] = []
      studies = await studiesIn(inHand().notebook, print, ({ error, ...rest }) => {
        failed.push({ ...rest, message: messageOf(error) })
      })
      return { studies: studies.map((study) => namesOf(study, studies)), failed }
    },
    diagrams: (number) => studyDiagrams(studies[number] as Study, asked),
    diagramOfRun: (run) => withRunModel(run, asked, modules, diagramOfModel),
    async begin(number, { move, tuning, ...choice }) {
      const { on, spawnAugmenter, elsewhere, queued, places } = inHand()
      const whole = studies[number] as Study
      const study = tuning ? only(whole, { studies: [tuningName(whole.name)] }) : whole
      events = createQueue()
      const { put, end } = events
      const { name } = whole // a job knows the runs that choose its values by the same name
      const runner = queued ? queueRunner(name, on.backend.name, choice, asked) : elsewhere?.jobs.runnerOf(name, choice)
      const calls = { runs: asked, files: asked, admit: asked.admitRuns }
      const shared = {
        ...calls,
        lost: lossOf,
        preflight,
        spawnAugmenter,
        seedsAtOnce: places,
        signal: abort.signal,
        progress: (line: string) => void asked.showProgress(line).catch(() => {}),
        ...choice,
      }
      const say = (message: string) => put({ type: 'warning', message })
      const trained = retryOnDeviceLoss(
        { ...on, move },
        startBackend,
        say,
        async ({ move: moving, ...own }, losses) => {
          const environment = {
            ...shared,
            ...own,
            ...(runner && { runner }),
            ...(losses === 0 && { planned: (runs: NamedRun[]) => asked.planned(study.name, runs.map(nameOf)) }),
            starting: (runs: NamedRun[], backend: BackendName) =>
              asked.starting(study.name, runs.map(nameOf), backend, moving),
          }
          for await (const event of executeStudy(study, environment)) put(event)
        },
      )
      trained.then(() => end(), end)
    },
    next: () => events.take(),
    interrupt: async () => abort.abort(),
    async openModel(of) {
      model?.dispose()
      const made = await modelFrom(of, asked, inHand().modelOfFile)
      model = made.model
      task = made.task
      const { source, task: own, preparation, classes, notes } = model
      return { source, task: own, preparation, classes, notes }
    },
    askAll: (questions, top) => askAll(model as TrainedModel, questions, top),
    async explain(question, className) {
      const own = model as TrainedModel
      const wanted = className === null ? null : classNamed(className, own)
      const { drops, mixing: _, gradient: __, ...plain } = await explain(own, question, wanted, async () => {})
      return { ...plain, drops: Array.from(drops) }
    },
    async ablate(examples) {
      const own = model as TrainedModel
      if (task) return ablateOn(own.model, task, examples, async () => {})
      throw new MixlabError('option', own.source, 'is a file, its parts are left out on the data of a run; name a run')
    },
    generate: (options) => generate(model as TrainedModel, options),
    async evaluateOn(text, part, examples) {
      const own = model as TrainedModel
      const data = text === null ? undefined : await dataFor(text, own, asked, '--data')
      return evaluateOn(own, { data, part: part ?? undefined, examples: examples ?? undefined }, asked, async () => {})
    },
    async attention(run, weights, example) {
      return sentAttention(await attentionOf(run, weights, example, asked, modules))
    },
    outcomesAgain: (run, weights) => outcomesAgain(run, weights, asked, modules, async () => {}),
    knownExamples: (run, test, indices) => knownExamples(run, test, indices, asked, modules),
    lookAtData: (...given) => look(...given),
    async exportRun(run, weights, options) {
      const { exportRun: write } = inHand()
      if (!write) throw new Error('opened for training')
      const onProgress = (progress: ExportProgress) => void asked.showProgress(progressText(progress)).catch(() => {})
      return write(run, weights, asked, modules, { ...options, besideOf, onProgress })
    },
    fromPlace: async (place, message) => inHand().elsewhere?.heard.fromPlace(place, message),
    placeEnded: async (place, why) => inHand().elsewhere?.heard.placeEnded(place, why),
    async toJob(message) {
      toJob ??= startJob(inHand(), asked)
      toJob(message)
    },
  }
  const { remote: asked } = connect<AskedCalls, CellsCalls>(calls, channel)
  const look = openLook(asked, modules, (work) => work())
  const print = (line: string) => void asked.print(line).catch(() => {})
  reportLateErrors(print)
}

type NamedRun = Parameters<AskedCalls['planned']>[1][number]

const namesOf = ({ name, spec }: Study, all: Study[]): StudyNames => {
  const variants = Object.values(spec.variants).map((variant) => (isBlock(variant) ? undefined : variant.from))
  const from = [spec.from, ...variants].flatMap((start) => {
    const study = startingStudy(start)
    return study ? [all.indexOf(study)] : []
  })
  return { name, variants: Object.keys(spec.variants), from: from.filter((number) => number >= 0) }
}

const nameOf = ({ key, variant }: NamedRun): NamedRun => ({ key, variant })

/** Starts all that needs rights, threads and devices, then gives these up unless the cells are trusted. */
async function open(start: CellsStart, asked: AskedCalls): Promise<Opened> {
  const { backend: wanted, card, cardName, places, trusted } = start
  chooseCard(cardName ?? null)
  const others = wanted === 'webgpu' ? 1 : places // a card trains several seeds here
  const threads = others > 1 ? 1 : start.threads // with several, this one only plans
  if (wanted === 'webgpu') await startBackend('simd', threads) // takes over where the card is lost
  const candidates = wanted === null && places === 1 && !start.queued ? await candidatesHere(threads, card) : []
  const trains = start.notebook !== '' && !start.queued // or makes examples for those that do
  const [backend, spawnAugmenter] = await Promise.all([
    start.queued && wanted === 'webgpu'
      ? { ...(await startBackend('simd', threads)), name: 'webgpu' as const } // it plans, and has no need of a card
      : startBackend(wanted ?? undefined, threads),
    trains ? keepAugmenters(augmentersFor(start), spawnTrainThread) : augmentNothing,
  ])
  if (cardNote) void asked.print(cardNote)
  const elsewhere = others > 1 ? openPlaces(others, backend.name, asked, spawnAugmenter) : null
  const { exportRun = null } = start.notebook === '' ? await import('../../engine/export/export.ts') : {}
  const { modelOfFile = null } = start.notebook === '' ? await import('../../engine/predict/file.ts') : {}
  flushCompileCache() // it is killed in the end
  if (!trusted) confine()
  return {
    ...start,
    on: { backend, ...(candidates.length > 1 && { candidates }) },
    spawnAugmenter,
    elsewhere,
    exportRun,
    modelOfFile,
  }
}

/** Threads that augment, at most. */
const MOST_AUGMENTERS = 8
/** Words that the text of a notebook with augmentation has. */
const AUGMENTS = /augment|mixup|cutmix|recipes/i

/** How many threads to start that augment or make generated examples, as none can be started later. */
function augmentersFor({ notebook, threads, places, place }: CellsStart): number {
  if (places > 1 || AUGMENTS.test(notebook)) return Math.min(threads, MOST_AUGMENTERS)
  return place ? 0 : 1
}

const spawnTrainThread = () => spawnFrom(new URL('./trainThread.ts', import.meta.url))

const augmentNothing: SpawnAugmenter = () => Promise.reject(new Error('this process does not train'))

/** The model of a source; of a run with its task. */
async function modelFrom(
  of: ModelSource,
  files: FileSource,
  read: Opened['modelOfFile'],
): Promise<{ model: TrainedModel; task: Task | null }> {
  if ('parts' in of) {
    if (!read) throw new Error('opened for training')
    return { model: await read(of.parts, of.name, modules, of.beside), task: null }
  }
  const rebuilt = await rebuild(of.run, of.weights, files, modules)
  return { model: withFacts(trainedOf(of.run, rebuilt), of.beside.facts ?? {}), task: rebuilt.task }
}

/** Trains runs for the process that plans; returns what takes its messages. */
function startJob({ notebook, spawnAugmenter, place }: Opened, asked: AskedCalls): (message: Uint8Array) => void {
  let receive: (message: Uint8Array) => void = () => {}
  const channel: Channel = {
    post: (message) => void asked.fromJob(message).catch(() => {}),
    listen: (heard) => {
      receive = heard
    },
  }
  // what the cells print, the process that plans has shown
  serveJob(channel, {
    spawnAugmenter,
    shared: place,
    evaluate: () =>
      studiesIn(
        notebook,
        () => {},
        () => {},
      ),
  })
  return (message) => receive(message)
}
