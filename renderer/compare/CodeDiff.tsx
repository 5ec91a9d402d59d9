import { useState } from 'react'
import { DiffView } from '../history/DiffView.tsx'
import { blockCode } from './blockCode.ts'
import type { ComparedGroup } from './groups.ts'

const SOURCES = {
  block: { label: 'block', textOf: ({ runs: [run] }: ComparedGroup) => blockCode(run.code) },
  study: {
    label: 'cells of the study',
    textOf: ({ runs: [run] }: ComparedGroup) => run.origin?.source ?? '// not kept\n',
  },
} as const

/** The code of two groups side by side. */
export function CodeDiff({ groups }: { groups: readonly ComparedGroup[] }) {
  const names = groups.map(({ name }) => name)
  const [chosen, setChosen] = useState<[string | null, string | null]>([null, null])
  const [what, setWhat] = useState<keyof typeof SOURCES>('block')
  if (groups.length < 2) return null
  const [before, after] = chosen.map((name, side) => groups.find((group) => group.name === name) ?? groups[side]) as [
    ComparedGroup,
    ComparedGroup,
  ]
  const { textOf } = SOURCES[what]
  const [left, right] = [textOf(before), textOf(after)]
  return (
    <section aria-labelledby="compare-code" data-testid="compare-code">
      <h2 id="compare-code">Code</h2>
      <div className="diff-choice">
        <Choice label="left" names={names} value={before.name} onChange={(name) => setChosen([name, chosen[1]])} />
        <Choice label="right" names={names} value={after.name} onChange={(name) => setChosen([chosen[0], name])} />
        <label>
          <span className="muted">what</span>
          <select value={what} onChange={({ target }) => setWhat(target.value as keyof typeof SOURCES)}>
            {Object.entries(SOURCES).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {left === right ? <p className="muted">No difference.</p> : <DiffView before={left} after={right} />}
    </section>
  )
}

interface ChoiceProps {
  label: string
  names: string[]
  value: string
  onChange(name: string): void
}

function Choice({ label, names, value, onChange }: ChoiceProps) {
  return (
    <label>
      <span className="muted">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)} data-testid={`code-${label}`}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
