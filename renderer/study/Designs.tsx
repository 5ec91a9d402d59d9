import { useMemo } from 'react'
import { designsIn } from '../../engine/study/source/designs.ts'
import type { StudyView } from '../protocol/study.ts'
import { useNotebook } from '../session/state.ts'
import { Prospect } from './Prospect.tsx'
import { seedCount } from './table/values.ts'

const NONE: readonly StudyView[] = []

/** What the studies that a cell defines will be able to show, for those that it does not show in this size yet. */
export function Designs({ cell, source }: { cell: string; source: string }) {
  const shown = useNotebook((state) => state.states[cell]?.output?.studies ?? NONE)
  const designs = useMemo(() => designsIn(source, cell), [source, cell])
  const open = designs.filter(({ study, variants, seeds }) => {
    const known = shown.find((each) => each.study === study)
    return known?.variants.length !== variants || seedCount(known) !== seeds
  })
  if (open.length === 0) return null
  return (
    <div className="designs">
      {open.map(({ study, ...size }) => (
        <Prospect key={study} {...size} study={study} />
      ))}
    </div>
  )
}
