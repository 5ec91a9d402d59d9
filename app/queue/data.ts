import { z } from 'zod'
import { count, list, text } from '../../engine/call.ts'
import type { FileSource } from '../../engine/data/files.ts'
import { picturesBy } from '../../engine/data/images/pictures.ts'
import { MixlabError } from '../../engine/errors.ts'
import { valueOfJson } from '../bounded.ts'
import type { UsedFiles } from '../cells/calls.ts'
import { type ObjectName, objectName } from './job.ts'
import { nameOf } from './objects.ts'

const entry = z.strictObject({ name: text, kind: z.enum(['file', 'folder', 'other']), size: count })
const usedData = z.strictObject({ files: z.record(text, objectName), folders: z.record(text, list(entry)) })

/** The data that a notebook reads: its files, and what is in the folders that it lists, by their paths. */
export type UsedData = z.output<typeof usedData>

/** Keeps an object for the workers, under its name. */
type Keep = (name: ObjectName, bytes: Uint8Array) => Promise<void>

/** A function that keeps the data of a notebook and says under which name; each file is read once. */
export function dataKeeper(source: FileSource, keep: Keep): (used: UsedFiles) => Promise<ObjectName> {
  const known: UsedData = { files: {}, folders: {} }
  return async ({ read, listed }) => {
    for (const path of read) known.files[path] ??= await kept(await source.read(path))
    for (const path of listed) known.folders[path] ??= await source.list(path)
    const { files, folders } = known
    const used: UsedData = { files: chosen(files, read), folders: chosen(folders, listed) }
    return kept(Buffer.from(JSON.stringify(used)))
  }

  async function kept(bytes: Uint8Array): Promise<ObjectName> {
    const name = nameOf(bytes)
    await keep(name, bytes)
    return name
  }
}

function chosen<Value>(all: Record<string, Value>, paths: Set<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([path]) => paths.has(path)))
}

/** The data of a job as its notebook reads it. `get` gives the bytes of an object. Throws MixlabError `data` for other files. */
export function dataSource(used: UsedData, get: (name: ObjectName) => Promise<Uint8Array>): FileSource {
  const unknown = (path: string) => new MixlabError('data', path, 'did not come with the job: it was not read before')
  return {
    async list(path) {
      const entries = Object.hasOwn(used.folders, path) ? used.folders[path] : undefined
      if (!entries) throw unknown(path)
      return entries
    },
    read,
    ...picturesBy({ read }),
  }

  async function read(path: string, from = 0, to?: number): Promise<Uint8Array> {
    const name = Object.hasOwn(used.files, path) ? used.files[path] : undefined
    if (!name) throw unknown(path)
    return (await get(name)).subarray(from, to)
  }
}

/** Throws MixlabError `data` for bytes that say no such thing. */
export function parseUsedData(bytes: Uint8Array): UsedData {
  const found = usedData.safeParse(valueOfJson(new TextDecoder().decode(bytes)))
  if (found.success) return found.data
  throw new MixlabError('data', 'job', 'says of its data what this version of Mixlab does not know')
}
