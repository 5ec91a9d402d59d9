import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { unpack } from '../../engine/channel.ts'
import type { PictureCalls } from '../../engine/data/files.ts'
import { join } from '../../engine/data/paths.ts'
import { MixlabError } from '../../engine/errors.ts'
import { openReaders, type Readers } from '../store/index.ts'

export interface PicturesOptions {
  /** The folder in which decoded pictures are kept. */
  cache: string
  /** The real path of a file. Throws MixlabError `permission` for one that may not be read. */
  locate(path: string): string
  /** What the threads run: pictureThread.ts, or what was built of it. */
  script?: string | URL | undefined
}

/** Threads that read and decode; on a small machine training shares its cores with them. */
const MOST = Math.min(8, availableParallelism())

const SCRIPT = new URL('./pictureThread.ts', import.meta.url)

/** Looks at pictures and decodes them in threads, which start with the first call. */
export function openPictures({ cache, locate, script = SCRIPT }: PicturesOptions): PictureCalls & { close(): void } {
  let threads: Readers<keyof PictureCalls> | null = null

  async function ask(name: keyof PictureCalls, folder: string, paths: string[], given: unknown[]): Promise<unknown> {
    threads ??= openReaders(() => new Worker(script, { workerData: { cache }, execArgv: [] }), MOST)
    const places = Object.fromEntries(
      paths.map((each) => {
        const path = join(folder, each)
        return [path, locate(path)]
      }),
    )
    const answer = await threads.ask(name, [places, folder, ...given])
    if (!answer) throw new MixlabError('backend', folder, 'the thread that decodes its pictures has ended')
    return unpack(answer.bytes)
  }

  return {
    lookAtPictures: async (folder, paths, part) =>
      (await ask('lookAtPictures', folder, paths, [paths, part])) as Awaited<
        ReturnType<PictureCalls['lookAtPictures']>
      >,
    decodePictures: async (folder, wanted, shape) => {
      const paths = wanted.map(({ path }) => path)
      const answer = await ask('decodePictures', folder, paths, [wanted, shape])
      return answer as Awaited<ReturnType<PictureCalls['decodePictures']>>
    },
    close: () => threads?.close(),
  }
}
