import '@tensorflow/tfjs'
import { traceSize } from '/work/wt/repmlp/engine/cost/published.ts'
import { sizes } from '/work/wt/repmlp/engine/models/sizes.ts'
import { counts } from '/work/wt/repmlp/tests/engine/models/counts.ts'
for (const name of Object.keys(sizes).filter((n) => n.startsWith('repmlp'))) {
  const t = await traceSize(name)
  console.log(name, t.parameters, counts[name]?.[0] === t.parameters, (t.macs/1e9).toFixed(4), t.dispatches)
}
