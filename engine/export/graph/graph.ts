import type { Spec } from '../../compile/record.ts'
import type { Model } from '../../nn/model.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import { needed } from './build.ts'
import { linear } from './linear.ts'
import { nodesFor } from './nodes.ts'
import { recordModel } from './record.ts'
import type { ExportGraph, Value } from './types.ts'

/**
 * The graph of a model for inference, from what its code does: for any number of examples, with the parameters of `weights`,
 * which has each of them in the layout of files. `inputs` are those of a batch of its task. Throws MixlabError `weights` for
 * a model that cannot be recorded, and for operations that are not in operations.ts; `source` names it.
 */
export async function exportGraph(
  model: Model,
  inputs: Record<string, Spec>,
  weights: NamedTensor[],
  source: string,
): Promise<ExportGraph> {
  const recorded = await recordModel(model, inputs, source)
  const all = nodesFor(model, weights, source)
  const logits = all.add(recorded).output
  const { nodes, outputs } = linear(needed(all.build.nodes, logits), logits)
  const used = new Set(nodes.flatMap((node) => node.inputs.map(({ name }) => name)))
  return {
    inputs: Object.entries(recorded.inputs)
      .filter(([name]) => name === 'input' || used.has(name))
      .map(([name, use]) => ({ ...use, name }) as Value),
    weights,
    constants: all.constants.filter(({ name }) => used.has(name)),
    nodes,
    output: outputs[0] as Value,
  }
}
