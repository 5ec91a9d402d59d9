import type { FileSource } from '../../../engine/data/files.ts'
import type { DataSpec } from '../../../engine/data/types.ts'
import { type OpenedData, openData } from '../../../engine/datacard/open.ts'
import { type Subject, subjectOf } from '../../../engine/datacard/subject.ts'
import { memoryFiles } from '../data/memory-files.ts'

/** The data of a value of a cell, opened. */
export function opened(value: unknown, files: FileSource = memoryFiles({}), task?: string): Promise<OpenedData> {
  return openData(subjectOf(value, task) as Subject, files)
}

/** A file source that counts how often each file is read. */
export function counted(files: FileSource): { files: FileSource; reads: Map<string, number> } {
  const reads = new Map<string, number>()
  const read: FileSource['read'] = (path, ...range) => {
    reads.set(path, (reads.get(path) ?? 0) + 1)
    return files.read(path, ...range)
  }
  return { files: { list: files.list, read }, reads }
}

export const named = (dataset: string, options: Record<string, unknown> = {}): DataSpec => ({ dataset, options })
