import { CURVE_AXIS_WORDS } from '../../engine/charts/wall/groupCurves.ts'
import { CURVE_AXES } from '../../engine/records/series.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import { BANDS, type BandKind, type Wall } from '../../engine/runs/wall.ts'
import { Choice } from '../ui/Choice.tsx'
import { optionColumns } from './PanelSettings.tsx'
import { columnOf } from './rows.ts'
import { change } from './state.ts'

const AXES = CURVE_AXES.map((axis) => [axis, CURVE_AXIS_WORDS[axis]] as const)
const BAND_WORDS: Record<BandKind, string> = {
  sd: 'standard deviation',
  interval: '95% interval',
  range: 'smallest to largest',
  none: 'none',
}
const BAND_CHOICES = BANDS.map((band) => [band, BAND_WORDS[band]] as const)

/** Columns by which runs are mostly grouped come first. */
const FIRST = ['variant', 'model.block', 'data', 'study']
const FACTS = ['id', 'seed', 'status', 'backend', 'device', 'notebook', 'cell', 'tags', 'parameters']
const WORDS: Readonly<Record<string, string>> = { 'model.block': 'block', data: 'data set', id: 'run' }

/** How all panels of a wall group runs, and draw curves. */
export function WallSettings({ wall, fields }: { wall: Wall; fields: RunFields }) {
  const set = (changes: Partial<Wall>) => change((now) => ({ ...now, ...changes }))
  const [first = '', second = ''] = wall.by
  const columns = groupColumns(fields, wall.by)
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
          options={[['', 'nothing'], ...columns.filter(([name]) => name !== first)]}
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

/** The columns by which runs can be grouped, each with what is said for it. */
function groupColumns(fields: RunFields, chosen: readonly string[]): (readonly [name: string, words: string])[] {
  const known = [
    ...FIRST.filter((name) => columnOf(name, fields)),
    ...FACTS,
    ...optionColumns(fields.options),
    ...chosen,
  ]
  return [...new Set(known)].map((name) => [name, WORDS[name] ?? name])
}
