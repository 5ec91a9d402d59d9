import { useAnswer } from '../host/useAnswer.ts'
import { type Family, familyOf } from './family.ts'
import type { ComparedGroup } from './groups.ts'

/** The study in which groups were planned together, null where there is none; undefined until that is known. */
export function useFamily(groups: readonly ComparedGroup[]): Family | null | undefined {
  const ids = groups.flatMap(({ runs }) => runs.map(({ id }) => id)).join()
  const { value } = useAnswer(ids, async () => ({ ids, family: ids ? await familyOf(groups) : null }))
  return value?.ids === ids ? value.family : undefined
}
