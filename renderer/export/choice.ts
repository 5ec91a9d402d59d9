import { type FormatName, isFormat } from '../../engine/export/formats/known.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { KeptWeights, WhichWeights } from '../../engine/records/store.ts'
import { remember, remembered } from '../ui/remembered.ts'

const STORED = 'mixlab.export'

/** What the user took last. */
export function lastChoice(): { format: FormatName; card: boolean } {
  const { format, card } = Object(remembered(STORED)) as { format?: unknown; card?: unknown }
  return { format: isFormat(format) ? format : 'onnx', card: card === true }
}

export function rememberChoice({ format, card }: { format: FormatName; card: boolean }): void {
  remember(STORED, { format, card })
}

/** Why a run cannot leave now; null where it can. */
export function hindranceOf({ status, hasWeights }: Pick<StoredRunDetails, 'status' | 'hasWeights'>): string | null {
  if (status === 'running') return 'is in training; its model leaves when it has ended'
  return hasWeights ? null : 'keeps no weights'
}

/** The weights that all of some runs have, the last ones first, each in words. */
export function weightsOf(
  runs: readonly { run: Pick<StoredRunDetails, 'spec'>; kept: readonly KeptWeights[] }[],
): [WhichWeights, string][] {
  const [first, ...others] = runs
  const shared = (first?.kept ?? []).filter(({ which }) =>
    others.every(({ kept }) => kept.some((each) => each.which === which)),
  )
  const averaged = runs.length > 0 && runs.every(({ run }) => isAveraged(run.spec))
  const stepsOf = (which: WhichWeights) => {
    return new Set(runs.flatMap(({ kept }) => kept.filter((each) => each.which === which).map(({ step }) => step)))
  }
  return shared
    .map(({ which }): [WhichWeights, string] => {
      const [step, ...more] = stepsOf(which)
      const at = more.length === 0 ? `step ${step}` : 'each at its step'
      const words = typeof which === 'number' ? at : `${which}, ${at}`
      return [which, averaged ? `${words}, moving average` : words]
    })
    .sort(([a], [b]) => rank(a) - rank(b))
}

function rank(which: WhichWeights): number {
  return which === 'last' ? -2 : which === 'best' ? -1 : which
}

/** Whether the weights that a run keeps are moving averages: those that it was evaluated with. */
function isAveraged(spec: unknown): boolean {
  return typeof (spec as { train?: { ema?: unknown } }).train?.ema === 'number'
}

/** Whether the affine layers of a run can be folded: those of a ResMLP for images. */
export function folds({ spec }: Pick<StoredRunDetails, 'spec'>): boolean {
  const { model, task } = spec as { model?: { block?: unknown }; task?: { task?: unknown } }
  return model?.block === 'resmlp' && task?.task === 'image'
}
