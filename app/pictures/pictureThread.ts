// Reads, digests and decodes pictures in a thread of its own.
import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { connect, pack } from '../../engine/channel.ts'
import type { PictureCalls } from '../../engine/data/files.ts'
import { picturesBy } from '../../engine/data/images/pictures.ts'
import { type ReaderCalls, threadChannel } from '../store/readers/reader.ts'
import { readDataNow } from '../workspace/data-files.ts'
import { openPictureCache } from './pictureCache.ts'

if (parentPort) {
  let places: Record<string, string> = {} // of one call, which has the thread to itself
  const pictures = picturesBy({
    read: (path, from, to) => readDataNow(places[path] as string, path, from, to),
    digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    kept: openPictureCache(String(workerData.cache)),
  })
  const calls: ReaderCalls<keyof PictureCalls> = {
    async answer(name, own, ...given) {
      places = own as Record<string, string>
      const call = pictures[name] as (...given: unknown[]) => Promise<unknown>
      return pack(await call(...given))
    },
  }
  connect(calls, threadChannel(parentPort))
}
