import { openHost } from '../../../../app/host.ts'
import { begun, metricEvents, sampleRun } from '../samples.ts'

/** Records three runs at the same time for ever, 5 points a batch, and says how many of a run are in the store: `1 25`. */
const [, , folder = ''] = process.argv
const host = openHost({ workspace: folder })

async function train(variant: string): Promise<void> {
  const id = begun(await host.beginRun(sampleRun({ variant })))
  for (let step = 0; ; step += 5) {
    await host.record(id, metricEvents('loss', step, step + 5))
    process.stdout.write(`${id} ${step + 5}\n`)
  }
}

await Promise.all(['a', 'b', 'c'].map(train))
