import { useState } from 'react'
import { columnName, SUMMARISED } from '../../engine/runs/column.ts'
import { columnTitle } from '../../engine/runs/format.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { setColumns } from './state.ts'
import type { Shown } from './useListing.ts'

/** Chooses the columns of the table, and their order. */
export function ColumnChooser({ shown, close }: { shown: Shown; close(): void }) {
  const { fields } = shown
  const [search, setSearch] = useState('')
  const names = shown.columns.map(({ column }) => columnName(column))
  const toggle = (name: string) =>
    setColumns(names.includes(name) ? names.filter((each) => each !== name) : [...names, name])
  const found = (list: string[]) => list.filter((name) => name.toLowerCase().includes(search.toLowerCase()))
  const options = fields.options.map((name) => columnName({ kind: 'option', name }))
  return (
    <section
      className="columns-panel"
      aria-label="Columns"
      onKeyDown={(event) => event.key === 'Escape' && close()}
      data-testid="columns-panel"
    >
      <ol className="columns-chosen">
        {shown.columns.map(({ column }, i) => {
          const title = columnTitle(column)
          const move = (by: number) => setColumns(moved(names, i, i + by))
          return (
            <li key={columnName(column)}>
              <button type="button" disabled={i === 0} aria-label={`Move ${title} left`} onClick={() => move(-1)}>
                ◂
              </button>
              {title}
              <button
                type="button"
                disabled={i === names.length - 1}
                aria-label={`Move ${title} right`}
                onClick={() => move(1)}
              >
                ▸
              </button>
              <button type="button" aria-label={`Remove ${title}`} onClick={() => toggle(names[i] ?? '')}>
                ×
              </button>
            </li>
          )
        })}
      </ol>
      <div className="columns-head">
        <input
          type="search"
          value={search}
          placeholder="Find a column"
          aria-label="Find a column"
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="spacer" />
        <Button look="small" onClick={() => setColumns(null)}>
          Reset
        </Button>
        <IconButton icon="close" label="Close" onClick={close} />
      </div>
      <div className="columns-lists">
        <fieldset>
          <legend>Metrics</legend>
          {found(fields.metrics).map((name) => (
            <Metric key={name} name={name} chosen={names} toggle={toggle} />
          ))}
        </fieldset>
        <Names title="Facts" names={found(fields.facts)} chosen={names} toggle={toggle} />
        <Names title="Options" names={found(options)} chosen={names} toggle={toggle} />
      </div>
    </section>
  )
}

interface NamesProps {
  title: string
  names: string[]
  chosen: string[]
  toggle(name: string): void
}

function Names({ title, names, chosen, toggle }: NamesProps) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {names.map((name) => (
        <label key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> {name}
        </label>
      ))}
    </fieldset>
  )
}

/** The values of a metric that can be shown: those of its summary, and that at a step. */
function Metric({ name, chosen, toggle }: { name: string; chosen: string[]; toggle(name: string): void }) {
  const [step, setStep] = useState('')
  const at = `${name}@${step}`
  return (
    <form
      className="columns-metric"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault()
        if (/^\d{1,15}$/.test(step) && !chosen.includes(at)) toggle(at)
        setStep('')
      }}
    >
      <span>{name}</span>
      {SUMMARISED.map((value) => {
        const column = columnName({ kind: 'metric', name, value })
        return (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(column)} onChange={() => toggle(column)} /> {value}
          </label>
        )
      })}
      <input
        type="number"
        min={0}
        step={1}
        value={step}
        placeholder="at step"
        aria-label={`Show ${name} at a step`}
        onChange={(event) => setStep(event.target.value)}
      />
    </form>
  )
}

function moved(names: string[], from: number, to: number): string[] {
  const name = names[from]
  return name === undefined ? names : names.toSpliced(from, 1).toSpliced(to, 0, name)
}
