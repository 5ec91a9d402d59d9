import { useEffect, useState } from 'react'
import type { Design } from '../../engine/study/source/designs.ts'
import { designsOf } from '../analysis/analysis.ts'
import type { StudyView } from '../protocol/study.ts'
import { useNotebook } from '../session/state.ts'
import { Prospect } from './Prospect.tsx'
import { seedCount } from './table/values.ts'

const NONE: readonly StudyView[] = []

/** What the studies of a cell will be able to show, for studies that are not shown in this size yet. */
export function Designs({ cell, source }: { cell: string; source: string }) {
  const shown = useNotebook((state) => state.states[cell]?.output?.studies ?? NONE)
  const designs = useDesigns(source)
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

/** Those of the text as it was a moment ago, until those of the text now are known. */
function useDesigns(source: string): Design[] {
  const [designs, setDesigns] = useState<Design[]>([])
  useEffect(() => {
    let wanted = true
    void designsOf(source).then((found) => wanted && setDesigns(found))
    return () => {
      wanted = false
    }
  }, [source])
  return designs
}
