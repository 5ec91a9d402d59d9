import { useEffect, useMemo, useState } from 'react'
import { runsCount } from '../../engine/charts/wall/groups.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import { host } from '../host/state.ts'
import { firstPanel, firstWall } from './firstWall.ts'
import { Legend } from './Legend.tsx'
import { PanelView } from './PanelView.tsx'
import { freeId } from './panels.ts'
import { placesOf } from './places.ts'
import { countGroups } from './rows.ts'
import { change, openWalls, showWhole, useWall } from './state.ts'
import type { Drawn } from './types.ts'
import { useAsked } from './useAsked.ts'
import { useRows } from './useRows.ts'
import { WallSettings } from './WallSettings.tsx'
import { WallTools } from './WallTools.tsx'

const NONE: readonly string[] = []

interface WallViewProps {
  /** Which runs. */
  filter: string
  fields: RunFields
  /** Changes where the runs in the table do. */
  stamp: string
}

/** From this width of the window on, groups and settings are beside the panels at first. */
const WIDE = '(width >= 1100px)'

/** Charts of the runs that pass a filter, side by side. */
export function WallView({ filter, fields, stamp }: WallViewProps) {
  const { wall, whole, hidden, picked } = useWall()
  const [side, setSide] = useState(() => matchMedia(WIDE).matches)
  const [setting, setSetting] = useState<string | null>(null)
  useOpenWalls(fields)
  const rows = useRows(filter, wall, fields, stamp)
  const differing = useDiffering(filter, stamp, side || setting !== null)
  const groups = useMemo(() => countGroups(rows.rows ?? []), [rows])
  const looks = useMemo(() => {
    return {
      placeOf: placesOf(
        rows.by,
        groups.map(({ name }) => name),
      ),
      hidden,
    }
  }, [rows.by, groups, hidden])
  const alone = wall?.panels.find(({ id }) => id === whole) ?? null
  useEscape(alone !== null || (side && !matchMedia(WIDE).matches), () => {
    if (alone) showWhole(null)
    else setSide(false)
  })
  if (!wall) return <section className="wall" aria-busy="true" />
  const add = () => {
    const id = freeId(wall)
    setSetting(id)
    showWhole(null)
    change((now) => ({ ...now, panels: [...now.panels, firstPanel('curves', id, fields)] }))
    requestAnimationFrame(() => {
      const panel = document.querySelector(`[data-panel="${id}"]`)
      panel?.scrollIntoView({ block: 'nearest' })
      panel?.querySelector<HTMLElement>('.wall-settings select')?.focus()
    })
  }
  const drawn: Drawn = { filter, rows, groups, looks, picked, stamp }
  const left = rows.rows ? rows.total - rows.rows.length : 0
  return (
    <section className="wall" aria-label="Wall of charts" data-testid="wall">
      <WallTools wall={wall} fields={fields} side={side} toggleSide={() => setSide(!side)} add={add} />
      <div className="wall-body">
        {side && (
          <div className="wall-side">
            <WallSettings wall={wall} differing={differing} />
            <Legend groups={groups} looks={looks} picked={picked} rows={rows.rows ?? []} />
            {left > 0 && (
              <p className="muted">{`${runsCount(left)} before the newest ${rows.rows?.length} left out.`}</p>
            )}
          </div>
        )}
        <div className="wall-scroll" data-whole={alone ? '' : undefined}>
          <div className="wall-panels">
            {(alone ? [alone] : wall.panels).map((panel) => (
              <PanelView
                key={panel.id}
                panel={panel}
                place={wall.panels.indexOf(panel) + 1}
                wall={wall}
                fields={fields}
                differing={differing}
                drawn={drawn}
                whole={panel === alone}
                setting={panel.id === setting}
                set={(open) => setSetting(open ? panel.id : null)}
              />
            ))}
          </div>
          {wall.panels.length === 0 && <p className="empty-state">No panels yet.</p>}
        </div>
      </div>
    </section>
  )
}

/** Reads the walls of the workspace, and again when the user comes back to the page, which may be from another tab. */
function useOpenWalls(fields: RunFields): void {
  useEffect(() => {
    const read = () => void openWalls(() => firstWall(fields))
    read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [fields])
}

/** The options in which the runs that pass a filter differ, where they are wanted; none before the first answer. */
function useDiffering(filter: string, stamp: string, wanted: boolean): readonly string[] {
  const question = wanted ? JSON.stringify([filter, stamp]) : null
  const { value } = useAsked(
    question,
    () => host().differingOptions(filter),
    () => false,
  )
  return value ?? NONE
}

function useEscape(wanted: boolean, act: () => void): void {
  useEffect(() => {
    if (!wanted) return
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) act()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
}
