import { MixlabError } from '../errors.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'

type Run = Pick<StoredRunDetails, 'id' | 'spec'>

/** Tasks whose tests have the same examples whatever their other options are, on the same data. */
const BY_DATA = ['image', 'points', 'sequence', 'pair', 'span', 'segment']

/** Throws MixlabError `option` where two runs were not tested on the same examples. */
export function checkSameTest(first: Run, second: Run): void {
  const [a, b] = [first, second].map(({ id, spec }) => recordedSpec(spec, `run ${id}`)) as [Spec, Spec]
  if (a.data === b.data) return
  const [own, other] = [a, b].map(({ task }) => ({ task: task.base ?? task.task, data: task.options.data }))
  const isSameData = own?.task === other?.task && JSON.stringify(own?.data) === JSON.stringify(other?.data)
  if (isSameData && BY_DATA.includes(own?.task ?? '')) return
  const names = `runs ${first.id} and ${second.id}`
  throw new MixlabError(
    'option',
    names,
    'were tested on other examples: their data or the options of their tasks differ',
  )
}

type Spec = ReturnType<typeof recordedSpec>
