import { catalogue } from '../data/catalogue/index.ts'
import { dataNamed } from '../data/dataNamed.ts'
import type { FileEntry, FileSource } from '../data/files.ts'
import { partNamed } from '../data/partNames.ts'
import { isSystemEntry } from '../data/passedOver.ts'
import { join } from '../data/paths.ts'
import { mnli } from '../data/text/sets.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError } from '../errors.ts'
import { sorts } from './sorts.ts'
import { expressionOf } from './words.ts'

/** A data set that can be looked at. */
export interface FoundData {
  /** As a cell names it. */
  expression: string
  task: string
  /** What it holds. */
  kind: string
}

/** The generated data sets, each for the first task that reads it. */
export function generatedData(): FoundData[] {
  const downloaded = new Set(catalogue.map(({ name }) => name))
  return sorts.flatMap(({ kind, tasks, table }) =>
    table.names
      .filter((name) => !downloaded.has(name) && resolves(() => table.resolve(name)))
      .map((name) => ({ expression: `${name}()`, task: tasks[0] as string, kind })),
  )
}

/** The tasks that read data which are named as a cell does; none for what is no such name. */
export function tasksReading(expression: string): string[] {
  return sorts
    .filter(({ table }) => resolves(() => table.resolve(dataNamed(expression, ''))))
    .flatMap(({ tasks }) => tasks)
}

function resolves(resolve: () => unknown): boolean {
  try {
    resolve()
    return true
  } catch {
    return false
  }
}

/** The folder of a workspace in which data lie. */
const FOLDER = 'data'

/**
 * What lies in the folder `data` of the workspace, each as it would be read by what its files look like, or '' where that is
 * not to be seen: how it is read is then for the user to say.
 */
export async function dataInWorkspace(files: FileSource): Promise<(FoundData & { path: string })[]> {
  const entries = (await entriesOf(FOLDER, files)) ?? []
  const found: (FoundData & { path: string })[] = []
  for (const { name, kind } of entries.filter((each) => each.kind !== 'other' && !isSystemEntry(each))) {
    const path = join(FOLDER, name)
    const isKnown = catalogue.some((entry) => entry.name === name)
    const spec = isKnown
      ? { dataset: name, options: {} }
      : kind === 'folder'
        ? await specIn(path, files)
        : specOfFile(path)
    const sort = spec && sorts.find(({ table }) => resolves(() => table.resolve(spec)))
    found.push({
      path,
      expression: spec ? expressionOf(spec) : '',
      task: sort?.tasks[0] ?? '',
      kind: sort?.kind ?? 'unknown',
    })
  }
  return found
}

/** How the files of a folder would be read; null where that is not to be seen. */
export async function specIn(path: string, files: FileSource): Promise<DataSpec | null> {
  const entries = (await entriesOf(path, files)) ?? []
  const has = (pattern: RegExp) => entries.some(({ name }) => pattern.test(name))
  const read = (dataset: string, options: Record<string, unknown> = {}): DataSpec => ({
    dataset,
    options: { path, ...options },
  })
  if (has(/idx3-ubyte(\.gz)?$/)) return read('idx')
  if (has(/^(data_batch.*|train)\.bin$/)) return read('cifar')
  if (has(/^train-v.*\.json$/)) return read('squad')
  const table = entries.find(({ name }) => /\.tsv$/i.test(name) && partNamed(name.slice(0, -4)) === 'train')
  if (table) return tableIn(path, table.name, files)
  const loader = await loaderOf(path, files)
  if (loader) return read(loader)
  return has(/\.(txt|tokens|raw)$/) ? read('textFiles') : null
}

const specOfFile = (path: string): DataSpec | null =>
  /\.(txt|tokens|raw)$/.test(path) ? { dataset: 'textFiles', options: { path } } : null

/** Bytes of a table in which the names of its columns are. */
const HEAD = 2000

/** A table by the names of its columns. */
async function tableIn(path: string, name: string, files: FileSource): Promise<DataSpec | null> {
  const head = new TextDecoder().decode(await files.read(join(path, name), 0, HEAD))
  const names = (head.split('\n')[0] ?? '').replace('\ufeff', '').trim().split('\t')
  if (names.includes('gold_label') && names.includes('sentence2')) return mnli({ path })
  const first = names.find((name) => /^(text|sentence1?|premise|first|question1?)$/i.test(name))
  const second = names.find((name) => /^(sentence2|hypothesis|second|question2)$/i.test(name))
  const label = names.find((name) => /^(label|class|gold_label)$/i.test(name))
  if (!first || !label) return null
  return { dataset: 'tsv', options: { path, columns: { first, ...(second && { second }), label } } }
}

/** Folders of one folder that are looked into. */
const MOST = 5

/** What the first files in the folders below look like: pictures or clouds, each a class by its folder. */
async function loaderOf(path: string, files: FileSource, depth = 3): Promise<'folder' | 'pointFiles' | null> {
  const entries = ((await entriesOf(path, files)) ?? []).filter((entry) => !isSystemEntry(entry))
  const names = depth < 3 ? entries.filter(({ kind }) => kind === 'file').map(({ name }) => name) : []
  if (names.some((name) => /\.(png|jpe?g)$/i.test(name))) return 'folder'
  if (names.some((name) => /\.(off|xyz)$/i.test(name))) return 'pointFiles'
  if (depth === 0) return null
  for (const { name } of entries.filter(({ kind }) => kind === 'folder').slice(0, MOST)) {
    const found = await loaderOf(join(path, name), files, depth - 1)
    if (found) return found
  }
  return null
}

/** What is in a folder; null where there is none. */
async function entriesOf(path: string, files: FileSource): Promise<FileEntry[] | null> {
  try {
    return await files.list(path)
  } catch (error) {
    if (error instanceof MixlabError && error.code === 'data') return null
    throw error
  }
}
