import { useState } from 'react'
import { FACTS, factNames } from '../../engine/runs/facts.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import { MAX_SPAN, PANEL_KINDS, type Panel } from '../../engine/runs/wall.ts'
import { Button } from '../ui/Button.tsx'
import { Choice, type ChoiceGroup } from '../ui/Choice.tsx'
import { firstPanel } from './firstWall.ts'
import { optionColumns } from './groupChoices.ts'
import { KIND_WORDS, withPanel } from './panels.ts'
import { columnOf } from './rows.ts'
import { change } from './state.ts'

interface PanelSettingsProps {
  panel: Panel
  fields: RunFields
  /** The options in which the runs differ. */
  differing: readonly string[]
  close(): void
}

const KINDS = PANEL_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const)
const SIZES = Array.from({ length: MAX_SPAN }, (_, i) => String(i + 1))

/** What a panel shows, and how large. */
export function PanelSettings({ panel, fields, differing, close }: PanelSettingsProps) {
  const { id, kind, metric, x = '', logX = false, logY = false, joined = false, width, height } = panel
  const set = (changes: Partial<Panel>) => change((wall) => withPanel(wall, id, changes))
  const numbers = numberColumns(fields, differing)
  const metrics = kind === 'curves' ? fields.metrics : numbers
  return (
    <section
      className="wall-settings"
      aria-label="Settings of the panel"
      data-testid="panel-settings"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <Choice
        label="shows"
        value={kind}
        options={KINDS}
        onChange={(next) => {
          const first = firstPanel(next, id, fields)
          // curves have metrics over training, the others what runs came to
          const other = (next === 'curves') !== (kind === 'curves') || metric === ''
          set({ ...first, metric: other ? first.metric : metric, width: Math.max(first.width, width), height })
        }}
      />
      <Choice
        label="metric"
        value={metric}
        options={withOwn(metrics, metric)}
        onChange={(next) => set({ metric: next })}
      />
      {kind === 'scatter' && (
        <Choice label="against" value={x} options={withOwn(numbers, x)} onChange={(next) => set({ x: next })} />
      )}
      {(kind === 'parallel' || kind === 'best') && <ColumnsBox panel={panel} fields={fields} />}
      {kind === 'scatter' && <Check label="means joined" value={joined} set={(next) => set({ joined: next })} />}
      {kind === 'scatter' && <Check label="x logarithmic" value={logX} set={(next) => set({ logX: next })} />}
      {kind !== 'parallel' && kind !== 'best' && (
        <Check
          label={`${kind === 'values' ? 'axis' : 'y'} logarithmic`}
          value={logY}
          set={(next) => set({ logY: next })}
        />
      )}
      <Choice label="wide" value={String(width)} options={SIZES} onChange={(next) => set({ width: Number(next) })} />
      <Choice label="high" value={String(height)} options={SIZES} onChange={(next) => set({ height: Number(next) })} />
      <Button look="small" onClick={close}>
        Done
      </Button>
    </section>
  )
}

function Check({ label, value, set }: { label: string; value: boolean; set(value: boolean): void }) {
  return (
    <label className="choice">
      <input type="checkbox" checked={value} onChange={({ target }) => set(target.checked)} />
      {label}
    </label>
  )
}

/** Columns by name, joined by commas; none for those that the panel finds itself. */
function ColumnsBox({ panel, fields }: { panel: Panel; fields: RunFields }) {
  const [text, setText] = useState(panel.columns?.join(', ') ?? '')
  const names = text.split(',').flatMap((name) => name.trim() || [])
  const unknown = names.filter((name) => !columnOf(name, fields))
  const apply = () => {
    if (unknown.length > 0) return
    const { columns: _, ...rest } = panel
    change((wall) => ({
      ...wall,
      panels: wall.panels.map((each) => {
        if (each.id !== panel.id) return each
        return names.length > 0 ? { ...each, columns: names } : rest
      }),
    }))
  }
  return (
    <label className="choice wall-columns">
      <span className="muted">columns</span>
      <input
        value={text}
        placeholder={panel.kind === 'best' ? 'parameters, time' : 'those that differ'}
        aria-invalid={unknown.length > 0}
        title={unknown.length > 0 ? `No run has ${unknown.join(', ')}` : 'Names of columns, joined by commas'}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
      {unknown.length > 0 && <span className="bad">no run has {unknown[0]}</span>}
    </label>
  )
}

/** The columns that hold numbers, or may: metrics, also at their best, options that differ, and facts. */
function numberColumns({ metrics }: RunFields, differing: readonly string[]): ChoiceGroup<string>[] {
  const facts = factNames.filter((name) => FACTS[name] === 'number' || FACTS[name] === 'span')
  return [
    { heading: 'last value', options: metrics },
    { heading: 'best value', options: metrics.map((name) => `best:${name}`) },
    { heading: 'what differs', options: optionColumns(differing) },
    { heading: 'facts of runs', options: facts },
  ]
}

/** Choices with the one that is made, which may be none of them any more. */
function withOwn(options: readonly (string | ChoiceGroup<string>)[], own: string): (string | ChoiceGroup<string>)[] {
  const has = options.some((each) => (typeof each === 'string' ? each === own : each.options.includes(own)))
  return has ? [...options] : [own, ...options]
}
