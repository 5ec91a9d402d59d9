import { useState } from 'react'
import type { Dash } from '../../engine/charts/figure/figure.ts'
import { LINE_DASHES } from '../../engine/charts/wall/groupCurves.ts'
import { type GroupedRun, type GroupLooks, groupLook, runName } from '../../engine/charts/wall/groups.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { runHash } from '../ui/route.ts'
import { pick, setHidden } from './state.ts'

/** Of more groups the first are listed; a search finds the others. */
const MOST = 200

interface LegendProps {
  groups: { name: string; runs: number }[]
  looks: GroupLooks
  picked: readonly number[]
  /** Runs of which the names of picked ones are known. */
  rows: GroupedRun[]
}

/** The groups of the wall, which can be searched and hidden, and the runs on top of them. */
export function Legend({ groups, looks, picked, rows }: LegendProps) {
  const { hidden } = looks
  const style = useFigureStyle()
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = groups.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  const names = found.map(({ name }) => name)
  const toggle = (name: string) => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    setHidden(next)
  }
  const only = (kept: string[]) => setHidden(groups.flatMap(({ name }) => (kept.includes(name) ? [] : [name])))
  const shown = groups.filter(({ name }) => !hidden.has(name)).length
  return (
    <section className="wall-legend" aria-label="Groups">
      <input
        type="search"
        value={search}
        placeholder="Find a group"
        aria-label="Find a group"
        data-testid="find-group"
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="wall-legend-head">
        <span className="muted" role="status">
          {words.length > 0 ? `${found.length} found` : `${shown} of ${groups.length} shown`}
        </span>
        <span className="spacer" />
        {words.length > 0 && (
          <Button look="small quiet" disabled={found.length === 0} onClick={() => only(names)}>
            Only these
          </Button>
        )}
        <Button look="small quiet" onClick={() => setHidden(words.length > 0 ? minus(hidden, names) : [])}>
          Show
        </Button>
        <Button look="small quiet" onClick={() => setHidden([...hidden, ...names])}>
          Hide
        </Button>
      </div>
      {picked.length > 0 && <Picked picked={picked} rows={rows} />}
      <ul data-testid="wall-groups">
        {found.slice(0, MOST).map(({ name, runs }) => {
          const look = groupLook(name, looks, style)
          return (
            <li key={name}>
              <button
                type="button"
                className="wall-group"
                aria-pressed={!hidden.has(name)}
                title={`${name}: a click hides or shows it, a double click shows it alone`}
                onClick={() => toggle(name)}
                onDoubleClick={() => only([name])}
              >
                <Swatch color={look.color} dash={look.dash} />
                <span>{name}</span>
                <small className="muted">{runs}</small>
              </button>
            </li>
          )
        })}
      </ul>
      {found.length > MOST && <p className="muted">{`and ${found.length - MOST} more`}</p>}
    </section>
  )
}

function Picked({ picked, rows }: { picked: readonly number[]; rows: GroupedRun[] }) {
  const { text } = useFigureStyle()
  return (
    <ul aria-label="Runs on top" data-testid="wall-picked">
      {picked.map((run, i) => {
        const known = rows.find((row) => row.run === run)
        return (
          <li key={run}>
            <Swatch color={text} dash={LINE_DASHES[i % LINE_DASHES.length] ?? 'solid'} />
            <a href={runHash(run)} title={known ? runName(known) : 'does not pass the filter'}>
              {known ? `${run}: ${known.variant}, seed ${known.seed}` : `run ${run}`}
            </a>
            <IconButton icon="close" label={`Draw run ${run} no longer on top`} onClick={() => pick(run, false)} />
          </li>
        )
      })}
    </ul>
  )
}

const DASHES: Record<Dash, string | undefined> = {
  solid: undefined,
  dash: '5 3',
  dot: '1.5 2.5',
  dashdot: '5 2.5 1.5 2.5',
}

/** A line as the charts draw it. */
function Swatch({ color, dash }: { color: string; dash: Dash }) {
  return (
    <svg className="wall-swatch" viewBox="0 0 22 8" aria-hidden="true">
      <path d="M0 4h22" stroke={color} strokeWidth={2.4} strokeDasharray={DASHES[dash]} />
    </svg>
  )
}

function minus(names: ReadonlySet<string>, others: string[]): string[] {
  return [...names].filter((name) => !others.includes(name))
}
