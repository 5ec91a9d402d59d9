import { CURVE_AXIS_WORDS } from '../../engine/charts/wall/groupCurves.ts'
import { CURVE_AXES } from '../../engine/records/series.ts'
import { BANDS, type BandKind, type Wall } from '../../engine/runs/wall.ts'
import { Choice } from '../ui/Choice.tsx'
import { groupChoices } from './groupChoices.ts'
import { change } from './state.ts'

const AXES = CURVE_AXES.map((axis) => [axis, CURVE_AXIS_WORDS[axis]] as const)
const BAND_WORDS: Record<BandKind, string> = {
  sd: 'standard deviation',
  interval: '95% interval',
  range: 'smallest to largest',
  none: 'none',
}
const BAND_CHOICES = BANDS.map((band) => [band, BAND_WORDS[band]] as const)

/** How all panels of a wall group runs, and draw curves; `differing` are the options in which the runs differ. */
export function WallSettings({ wall, differing }: { wall: Wall; differing: readonly string[] }) {
  const set = (changes: Partial<Wall>) => change((now) => ({ ...now, ...changes }))
  const [first = '', second = ''] = wall.by
  const columns = groupChoices(differing, wall.by)
  const by = (names: string[]) => set({ by: [...new Set(names.filter(Boolean))] })
  return (
    <section className="wall-choices" aria-label="How runs are drawn">
      <Choice
        label="group by"
        value={first}
        options={[['', 'nothing'], ...columns]}
        testId="wall-by"
        onChange={(next) => by(next ? [next, second] : [])}
      />
      {first && (
        <Choice
          label="and by"
          value={second}
          options={[['', 'nothing'], ...groupChoices(differing, wall.by, first)]}
          onChange={(next) => by([first, next])}
        />
      )}
      <Choice label="over" value={wall.x} options={AXES} testId="wall-x" onChange={(x) => set({ x })} />
      <label className="choice">
        <input type="checkbox" checked={wall.logX} onChange={({ target }) => set({ logX: target.checked })} />
        logarithmic
      </label>
      <Choice label="band" value={wall.band} options={BAND_CHOICES} onChange={(band) => set({ band })} />
      <label className="choice">
        <span className="muted">smoothing</span>
        <input
          type="range"
          min={0}
          max={0.98}
          step={0.02}
          value={wall.smoothing}
          data-testid="wall-smoothing"
          onChange={({ target }) => set({ smoothing: Number(target.value) })}
        />
        <output>{wall.smoothing}</output>
      </label>
    </section>
  )
}
