import { type Calls, count, reads, text } from '../call.ts'

export const fileCalls = {
  /** Entries of a folder, sorted by name. Throws MixlabError `data` (missing) or `permission`. */
  list: reads<(path: string) => FileEntry[]>({ path: text }),
  /**
   * A file, or its bytes from `from` to `to` (not included), fewer where it ends before. Throws MixlabError `data`
   * (missing) or `permission`.
   */
  read: reads<(path: string, from?: number, to?: number) => Uint8Array>(
    { path: text },
    { from: count.optional() },
    { to: count.optional() },
  ),
}

/** Reads the user's data files. Paths are relative to the notebook's workspace, or absolute. */
export type FileSource = Calls<typeof fileCalls>

export interface FileEntry {
  name: string
  /** `other`: a link that leads nowhere or to a folder around it, a pipe or a device, none of which is data. */
  kind: 'file' | 'folder' | 'other'
  /** Bytes; 0 for what is no file. */
  size: number
}
