// Answers questions to a store in a thread of its own, with a connection of its own that cannot write.
import { parentPort, workerData } from 'node:worker_threads'
import { connect, pack } from '../../../engine/channel.ts'
import { bind } from '../../bind.ts'
import { connectToRead } from '../database.ts'
import { openObjects } from '../objects.ts'
import { type QuestionName, questions } from './questions.ts'
import { type ReaderCalls, type ReaderPaths, threadChannel } from './reader.ts'

/** What reads a file that a row names looks at the row again where the file has been replaced meanwhile. */
const FILES: ReadonlySet<QuestionName> = new Set(['readState', 'readWeights', 'readOutcomes'])

if (parentPort) {
  const { database, objects } = workerData as ReaderPaths
  const store = { ...connectToRead(database), objects: openObjects(objects) }
  const asked = bind(questions, store) as Record<QuestionName, (...given: unknown[]) => unknown>
  const calls: ReaderCalls = {
    answer(name, ...given) {
      const answer = () => asked[name](...given)
      // all that a question reads is of one state of the store, though others write
      return pack(FILES.has(name) ? answer() : store.read(answer))
    },
  }
  connect(calls, threadChannel(parentPort))
}
