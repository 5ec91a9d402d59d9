import { z } from 'zod'
import { type Calls, count, list, reads, text, texts } from '../call.ts'

/** A picture that is to be decoded: its file below a folder, the size of the file, and SHA-256 where that is known. */
const wanted = z.strictObject({ path: text, bytes: count, digest: text.nullable() })
export type WantedPicture = z.output<typeof wanted>

/** What it is decoded to: `[size, size, channels]`; `check` asks only whether it can be. */
const shape = z.strictObject({ size: z.int().min(1).max(1024), channels: z.literal([1, 3]), check: z.boolean() })
export type PictureShape = z.output<typeof shape>

/** Which bytes of a picture are digested: all, the first 256 KB, or none. */
const part = z.enum(['all', 'start', 'none'])
export type PicturePart = z.output<typeof part>

/** What enters a hash of a picture beside its name: its digest, and how its bytes are decoded; or why it cannot be read. */
export type PictureLook = { bytes: number; digest: string; about: string[] } | { failed: string }

/** Pixels of pictures, one picture behind the other; zeros where one has `failed`, for this reason. None with `check`. */
export interface DecodedPictures {
  pixels: Uint8Array
  failed: (string | null)[]
}

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
  /** Looks at pictures below a folder, in their order. Throws MixlabError `permission`. */
  lookAtPictures: reads<(folder: string, paths: string[], part: PicturePart) => PictureLook[]>(
    { folder: text },
    { paths: texts },
    { part },
  ),
  /** Decodes pictures below a folder, in their order. Throws MixlabError `permission`. */
  decodePictures: reads<(folder: string, wanted: WantedPicture[], shape: PictureShape) => DecodedPictures>(
    { folder: text },
    { wanted: list(wanted) },
    { shape },
  ),
}

type FileCalls = Calls<typeof fileCalls>

/** Looks at pictures and decodes them. */
export type PictureCalls = Pick<FileCalls, 'lookAtPictures' | 'decodePictures'>

/**
 * Reads the user's data files. Paths are relative to the notebook's workspace, or absolute. Where the environment does not
 * decode pictures, whoever reads them does.
 */
export type FileSource = Omit<FileCalls, keyof PictureCalls> & Partial<PictureCalls>

/** What watches data while they are opened. */
export interface Watch {
  /** Stops it. */
  signal?: AbortSignal | undefined
  /** Shows how far it is, in one line; '' takes the line away. */
  progress?: ((line: string) => void) | undefined
}

const watches = new WeakMap<object, Watch>()

/** The same files, whose calls throw once `signal` is aborted, until `end`. */
export function watchedFiles(files: FileSource, { signal, progress }: Watch): { files: FileSource; end(): void } {
  let over = false
  const checked =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (signal?.aborted && !over) throw new Error('reading was stopped') // no fault of the file, which is left out for one
      return call(...given)
    }
  const { list, read, lookAtPictures, decodePictures } = files
  const own: FileSource = {
    list: checked(list),
    read: checked(read),
    ...(lookAtPictures && { lookAtPictures: checked(lookAtPictures) }),
    ...(decodePictures && { decodePictures: checked(decodePictures) }),
  }
  watches.set(own, { progress: (line) => over || progress?.(line) })
  return {
    files: own,
    end() {
      progress?.('')
      over = true
    },
  }
}

/** Shows how far the reading of watched files is. */
export function showProgress(files: FileSource, line: string): void {
  watches.get(files)?.progress?.(line)
}

export interface FileEntry {
  name: string
  /** `other`: a link that leads nowhere or to a folder around it, a pipe or a device, none of which is data. */
  kind: 'file' | 'folder' | 'other'
  /** Bytes; 0 for what is no file. */
  size: number
}
