import { writeSync } from 'node:fs'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { begun, metricEvents, sampleRun, storeAt } from './samples.ts'

// Records `batches` batches of `size` points to one run and says after each commit how many points are in the store.
const [folder = '', batches = '1', size = '10', name = 'child'] = process.argv.slice(2)
const store = storeAt(folder)
const id = begun(store.beginRun(sampleRun({ variant: name })))
store.record(id, [{ type: 'start', steps: Number(batches) * Number(size), parameters: 7 }])
for (let done = 0; done < Number(batches) * Number(size); done += Number(size)) {
  const weights = new TextEncoder().encode(`weights of ${name} at ${done}`)
  const events: TrainEvent[] = [
    ...metricEvents('loss', done, done + Number(size)),
    { type: 'checkpoint', step: done, weights },
  ]
  store.record(id, events)
  writeSync(1, `${done + Number(size)}\n`)
}
store.record(id, [{ type: 'done', step: Number(batches) * Number(size) }])
store.close()
