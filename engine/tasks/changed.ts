import type { Metric } from '../evaluate/index.ts'
import { TEST } from '../records/splits.ts'
import { keyedData } from './keyedData.ts'
import { kindOf } from './kinds.ts'
import { lossBy } from './ownLoss.ts'
import type { OwnLoss, Task, TaskKind, TaskSpec } from './types.ts'

/** What a cell changes of a task. */
interface Change {
  loss?: OwnLoss | undefined
  metrics?: Metric[] | undefined
  metric?: string | undefined
}

/** A task with another loss, or other metrics; its options are those of `base`. */
export function changedTask(base: TaskSpec, change: Change, name: string): TaskKind {
  const kind = kindOf(base)
  return {
    ...kind,
    open: async (options, files, tokenizer) => {
      const opened = await kind.open(options, files, tokenizer)
      return {
        ...opened,
        ...changes(change, name),
        hash: keyedData({ ...base, options }, opened),
        hashed: true,
      }
    },
  }
}

function changes({ loss, metrics, metric }: Change, name: string): Partial<Task> {
  const compared = metric ?? metrics?.[0]?.name
  return {
    ...(loss && lossBy(loss, name)),
    ...(metrics && { metrics, evaluators: () => [] }),
    ...(compared !== undefined && { metric: `${TEST}/${compared}` }),
  }
}
