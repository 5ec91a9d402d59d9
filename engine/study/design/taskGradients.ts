import { recordableCode } from '../../compile/model.ts'
import { recordGraph } from '../../compile/record.ts'
import { asFormerly } from '../../gradients/register.ts'
import type { Model } from '../../nn/model.ts'
import { provenanceOf } from '../../notebook/provenance.ts'
import { gradientCode } from '../../train/differentiate.ts'
import type { Study } from '../compare.ts'
import type { OpenVariant } from '../opened.ts'
import { lossOf, trainingBatch } from './checkTask.ts'
import { parameterSpecs, recordedModel } from './codeDigest.ts'
import { usesCorrected } from './identityDigest.ts'

/**
 * Whether a variant with the loss or the head of a task of a cell has other gradients than before they were corrected:
 * recorded in both ways, where the code of the study names an operation that was. True where it cannot be recorded, too.
 */
export async function isTaskCorrected(
  study: Study,
  variant: Pick<OpenVariant, 'task' | 'opened' | 'recipe' | 'block' | 'size'>,
): Promise<boolean> {
  const { task, opened, block, size } = variant
  if (!task.defined || !usesCorrected(provenanceOf(study)?.code ?? '')) return false
  try {
    const { model } = await recordedModel(opened.model(block, size), opened.input)
    const specs = { ...(await trainingBatch(variant)), ...parameterSpecs(model) }
    const step = gradientCode(model, lossOf(opened, model as Model))
    const recorded = async (around: <Result>(run: () => Result) => Result) => {
      const code = recordableCode(model, true, (...given) => around(() => step(...given)))
      return JSON.stringify((await recordGraph(specs, code)).operations)
    }
    return (await recorded((run) => run())) !== (await recorded((run) => asFormerly('engine', run)))
  } catch {
    return true
  }
}
