import type { FileSource } from '../data/files.ts'
import { specOf } from '../data/spec.ts'
import type { Dataset, FieldDataset, SeriesDataset } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { onData } from '../tasks/onData.ts'
import type { OwnTask, TaskSpec } from '../tasks/types.ts'
import { type Sort, sorts } from './sorts.ts'
import type { Subject } from './subject.ts'

/** Data that are open, with the sort and the task that suit them. */
interface Opened {
  subject: Subject
  opened: object
  /** What was found on the way. */
  notices: string[]
}

/**
 * Opens the data of a subject. A folder with pictures that cannot be decoded is opened without them, which is said. Throws
 * MixlabError as opening the data set does.
 */
export async function openOnce(subject: Subject, files: FileSource): Promise<Opened> {
  const { sort, data } = subject
  try {
    const opened = await sort.table.open(data, files)
    await (opened as Pick<Dataset<unknown>, 'check'>).check?.()
    return { ...(await suited(subject, opened, files)), notices: [] }
  } catch (error) {
    const isFolder = data.dataset === 'folder' && data.options.skipUnreadable !== true
    if (!isFolder || !(error instanceof MixlabError) || !error.message.includes('skipUnreadable')) throw error
    const opened = await sort.table.open(
      { dataset: data.dataset, options: { ...data.options, skipUnreadable: true } },
      files,
    )
    return {
      subject,
      opened,
      notices: ['Files cannot be read: training stops there, unless skipUnreadable: true leaves them out.'],
    }
  }
}

/** What suits a data set of a cell by the fields of its examples, and series that are short. */
async function suited(subject: Subject, opened: object, files: FileSource): Promise<Omit<Opened, 'notices'>> {
  const { data, sort, task } = subject
  const { dataset, defined } = data
  if (!defined || task.defined || sort !== sorts.at(-1)) return { subject: withWindow(subject, opened), opened }
  const name = taskOf((opened as FieldDataset).fields)
  if (name === null) return { subject: { ...subject, task: ownTask(data) }, opened }
  const own = sorts.find(({ tasks }) => tasks.includes(name)) as Sort
  const again = specOf(dataset, {}, { ...defined, open: async () => opened as FieldDataset })
  const suitable = { ...subject, sort: own, task: { kind: 'task', task: name, options: { data } } } as const
  const converted = await own.table.open(again, files)
  return { subject: withWindow(suitable, converted), opened: converted }
}

/** The built-in task that reads examples of such fields; null for none. */
function taskOf(fields: FieldDataset['fields']): string | null {
  const { image, label, target, points, series, text, second } = fields
  if (text?.dtype === 'text') return label?.classes ? (second ? 'pair' : 'sequence') : 'mlm'
  if (points) return 'points'
  if (series) return 'forecast'
  if (image?.shape.length !== 3) return null
  return label?.classes ? 'image' : target?.classes && target.shape.length === 2 ? 'segment' : null
}

/** What reads the first part of examples, and asks for the last. */
function ownTask(data: Subject['data']): TaskSpec {
  const defined: OwnTask = { ...onData({}, 'examples'), name: 'examples', decides: {} }
  return { kind: 'task', task: 'examples', options: { data }, defined }
}

/** Series that are shorter than the task expects are read to three quarters. */
function withWindow(subject: Subject, opened: object): Subject {
  const { task } = subject
  const { steps } = opened as Partial<SeriesDataset>
  if (task.task !== 'forecast' || steps === undefined || Object.keys(task.options).length > 1 || steps >= 120)
    return subject
  const window = Math.max(1, Math.floor(0.75 * steps))
  return { ...subject, task: { ...task, options: { ...task.options, window, horizon: steps - window } } }
}
