import { isBlock } from '../../nn/block.ts'
import type { QuickSpec, StudySpec, Variant, VariantParts } from '../compare.ts'

export function partsOf(variant: Variant): VariantParts {
  return isBlock(variant) ? { block: variant } : variant
}

/** The study with this variant alone, whose own parts override the shared ones. */
export function withParts(spec: StudySpec, parts: VariantParts): StudySpec {
  const { block, model, train, task, from } = parts
  const own = block ?? spec.block
  return {
    ...spec,
    ...(own && { block: own }),
    model: { ...spec.model, ...model },
    train: { ...spec.train, ...train },
    task: task ?? spec.task,
    ...(from && { from }),
    ...(spec.quick && { quick: quickWith(spec.quick, parts) }),
  }
}

/** What the quick mode changes for all does not undo what a variant sets, but for the number of steps. */
function quickWith({ task: shared, ...quick }: QuickSpec, { model, train, task }: VariantParts): QuickSpec {
  const { steps: _, ...own } = train ?? {}
  return {
    ...quick,
    ...(shared && !task && { task: shared }),
    model: { ...quick.model, ...model },
    train: { ...quick.train, ...own },
  }
}

/** The parts of a spec that a variant sets itself, by path, e.g. `train.batch`: in these a difference is intended. */
export function intendedBy({ model, train, task, from }: VariantParts): string[] {
  return [
    ...Object.keys(model ?? {}).map((name) => `model.${name}`),
    ...Object.keys(train ?? {}).map((name) => `train.${name}`),
    ...(task ? ['task', 'data'] : []),
    ...(from ? ['from'] : []),
  ]
}
