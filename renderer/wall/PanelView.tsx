import { useRef } from 'react'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Panel, Wall } from '../../engine/runs/wall.ts'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { notify } from '../ui/notices.ts'
import { PanelBody } from './PanelBody.tsx'
import { PanelSettings } from './PanelSettings.tsx'
import { panelTitle } from './panels.ts'
import { change, showWhole } from './state.ts'
import type { Drawn } from './types.ts'
import { useMove, useSize } from './useArrange.ts'
import { useSeen } from './useSeen.ts'
import './panel.css'

interface PanelViewProps {
  panel: Panel
  /** Its place among the panels, from 1. */
  place: number
  wall: Wall
  fields: RunFields
  /** The options in which the runs differ, for its settings. */
  differing: readonly string[]
  drawn: Drawn
  whole: boolean
  /** Whether its settings are open, and how that changes. */
  setting: boolean
  set(open: boolean): void
}

/** A panel of the wall: a chart that is moved, sized, set, shown alone and removed. */
export function PanelView({ panel, place, wall, fields, differing, drawn, whole, setting, set }: PanelViewProps) {
  const { id } = panel
  const title = panelTitle(panel)
  const element = useRef<HTMLElement>(null)
  const due = useSeen(element)
  const { dragged, handle } = useMove(id)
  const grip = useSize(panel)
  const remove = () => {
    change((now) => ({ ...now, panels: now.panels.filter((each) => each.id !== id) }))
    const back = () => change((now) => ({ ...now, panels: now.panels.toSpliced(place - 1, 0, panel) }))
    notify({ text: `${title} was removed from the wall`, action: { label: 'Undo', run: back } })
  }
  return (
    <article
      ref={element}
      className="wall-panel"
      aria-label={title}
      data-panel={id}
      data-width={panel.width}
      data-height={panel.height}
      data-whole={whole || undefined}
      data-dragged={dragged || undefined}
      data-testid="wall-panel"
    >
      <header>
        {!whole && (
          <button
            type="button"
            className="icon-button wall-handle"
            aria-label={`Move ${title}, panel ${place} of ${wall.panels.length}`}
            title="Drag, or move by arrow keys"
            {...handle}
          >
            <Icon name="drag" />
          </button>
        )}
        <h2 title={title}>{title}</h2>
        <IconButton icon="settings" label={`Settings of ${title}`} onClick={() => set(!setting)} />
        <IconButton
          icon={whole ? 'close' : 'whole'}
          label={whole ? 'All panels' : `Show ${title} alone`}
          {...(whole ? { keys: 'Escape' } : {})}
          onClick={() => showWhole(whole ? null : id)}
        />
        {!whole && <IconButton icon="remove" label={`Remove ${title}`} onClick={remove} />}
      </header>
      {setting && <PanelSettings panel={panel} fields={fields} differing={differing} close={() => set(false)} />}
      <PanelBody panel={panel} wall={wall} fields={fields} drawn={drawn} whole={whole} due={due} />
      {!whole && (
        <button
          type="button"
          className="wall-grip"
          aria-label={`Size of ${title}: ${panel.width} wide, ${panel.height} high`}
          title="Drag, or size by arrow keys"
          {...grip}
        />
      )}
    </article>
  )
}
