// A thread that answers what it is asked with the name of the question and its own number, and `slow` once it is let.
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { type ReaderCalls, threadChannel } from '../../../../app/store/readers/reader.ts'
import { connect, pack } from '../../../../engine/channel.ts'

const released = new Int32Array(workerData as SharedArrayBuffer)
if (parentPort) {
  const calls: ReaderCalls = {
    answer(name, ...given) {
      if (given[0] === 'end') process.exit(1)
      if (given[0] === 'slow') Atomics.wait(released, 0, 0)
      return pack([name, threadId])
    },
  }
  connect(calls, threadChannel(parentPort))
}
