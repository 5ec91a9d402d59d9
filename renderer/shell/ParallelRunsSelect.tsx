import { shareCores } from '../kernel/shareCores.ts'
import { setParallelRuns, useParallelRuns } from '../session/kernel/parallelRunsSetting.ts'
import { useKernel } from '../session/kernel/state.ts'
import { Choice } from '../ui/Choice.tsx'

const COUNTS = [1, 2, 4, 8, 16]

const EXPLAINED =
  'Runs of a study that are trained at a time, from the next study on. They share the cores; the results are the same.'
const ALONE = 'Only the simd backend trains several runs at a time.'

/** How many runs of a study are trained side by side. */
export function ParallelRunsSelect() {
  const wanted = useParallelRuns((state) => state.wanted)
  const backend = useKernel((state) => state.report?.chosen.name)
  const cores = navigator.hardwareConcurrency
  const counts = COUNTS.filter((count) => count <= Math.max(2, cores) || count === wanted)
  const able = backend === 'simd'
  const automatic = `auto (${able ? shareCores(null, Number.POSITIVE_INFINITY, cores).runs : 1})`
  return (
    <Choice
      label="runs at a time"
      options={[['', automatic], ...counts.map(String)]}
      value={String(wanted ?? '')}
      onChange={(count) => setParallelRuns(count ? Number(count) : null)}
      className="backend short"
      title={able ? EXPLAINED : ALONE}
      disabled={!able}
      testId="at-once"
    />
  )
}
