import { Suspense, useState } from 'react'
import { DiffView } from '../editor/load.ts'
import { Choice } from '../ui/Choice.tsx'
import { blockCode } from './blockCode.ts'
import type { ComparedGroup } from './groups.ts'

type What = 'block' | 'study'

const WHAT: [What, string][] = [
  ['block', 'block'],
  ['study', 'cells of the study'],
]

/** The code of two groups side by side. */
export function CodeDiff({ groups }: { groups: readonly ComparedGroup[] }) {
  const names = groups.map(({ name }) => name)
  const [chosen, setChosen] = useState<[string | null, string | null]>([null, null])
  const [what, setWhat] = useState<What>('block')
  if (groups.length < 2) return null
  const [before, after] = chosen.map((name, side) => groups.find((group) => group.name === name) ?? groups[side]) as [
    ComparedGroup,
    ComparedGroup,
  ]
  const [left, right] = [textOf(before, what), textOf(after, what)]
  return (
    <section aria-labelledby="compare-code" data-testid="compare-code">
      <h2 id="compare-code">Code</h2>
      <div className="diff-choice">
        <Choice
          label="left"
          testId="code-left"
          options={names}
          value={before.name}
          onChange={(name) => setChosen([name, chosen[1]])}
        />
        <Choice
          label="right"
          testId="code-right"
          options={names}
          value={after.name}
          onChange={(name) => setChosen([chosen[0], name])}
        />
        <Choice label="what" options={WHAT} value={what} onChange={setWhat} />
      </div>
      {left === right ? (
        <p className="muted">No difference.</p>
      ) : (
        <Suspense>
          <DiffView before={left} after={right} />
        </Suspense>
      )}
    </section>
  )
}

function textOf({ runs: [run] }: ComparedGroup, what: What): string {
  return what === 'block' ? blockCode(run.code) : (run.origin?.source ?? '// not kept\n')
}
