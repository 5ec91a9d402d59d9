import { digest } from '../../../engine/data/digest.ts'
import { isTiming } from '../../../engine/train/timings.ts'
import { storeAt } from './samples.ts'

/** What a store has of each run, wherever and however it was trained: of what the clock says only the steps. */
export function resultsIn(workspace: string) {
  const store = storeAt(workspace)
  try {
    const runs = store.listRuns().map(({ id, study, key, variant, seed, status, step, error, metrics, notebook }) => {
      const series = Object.keys(metrics).map((name) => {
        const [line] = store.readSeries([id], name, 10_000)
        return { name, steps: line?.steps, values: isTiming(name) ? null : line?.values }
      })
      const weights = store
        .listWeights(id)
        .map((each) => ({ ...each, sha256: digest(store.readWeights(id, each.which)) }))
      return { study, key, variant, seed, status, step, error, notebook, series, weights }
    })
    const place = ({ study, variant, seed }: (typeof runs)[number]) => `${study} ${variant} ${seed}`
    return runs.sort((a, b) => (place(a) < place(b) ? -1 : 1))
  } finally {
    store.close()
  }
}
