import { shareCores } from '../kernel/shareCores.ts'
import { setParallelRuns, useParallelRuns } from '../session/kernel/parallelRunsSetting.ts'
import { useKernel } from '../session/kernel/state.ts'

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
  return (
    <label className="backend" title={able ? EXPLAINED : ALONE}>
      <span className="muted">runs at a time</span>
      <select
        className="short"
        value={wanted ?? ''}
        data-testid="at-once"
        disabled={!able}
        onChange={({ target }) => setParallelRuns(target.value ? Number(target.value) : null)}
      >
        <option value="">auto ({able ? shareCores(null, Number.POSITIVE_INFINITY, cores).runs : 1})</option>
        {counts.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </select>
    </label>
  )
}
