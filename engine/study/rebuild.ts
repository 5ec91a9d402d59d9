import { z } from 'zod'
import { MixlabError } from '../errors.ts'
import type { FileSource } from '../host.ts'
import * as models from '../models/index.ts'
import { isBlock } from '../nn/block.ts'
import { createModel, type Model } from '../nn/model.ts'
import type { Size } from '../nn/size.ts'
import { taskKind } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import { loadWeights } from '../weights/model.ts'

const schema = z.object({
  model: z.looseObject({ block: z.string(), code: z.string() }),
  task: z.object({ task: z.string(), options: z.record(z.string(), z.unknown()) }),
  seed: z.int(),
})

/**
 * The model of a stored run with such weights, and its task with the data open. Only for blocks of the engine: the code of
 * others is in a notebook. Throws MixlabError `option` for these, and for a spec of another version.
 */
export async function rebuild(
  spec: unknown,
  weights: Uint8Array,
  files: FileSource,
): Promise<{ model: Model; task: Task }> {
  const known = schema.safeParse(spec)
  if (!known.success) throw new MixlabError('option', 'spec', 'the run was recorded by another version')
  const { model: sizes, task: planned, seed } = known.data
  const { block: name, code, ...size } = sizes
  const block = Object.values(models).find((value) => isBlock(value) && value.blockName === name)
  if (code !== 'built in' || !isBlock(block)) {
    throw new MixlabError('option', name, 'its code is in a cell; only models of built-in blocks are made again')
  }
  const task = await taskKind(planned.task).open(planned.options, files)
  const model = createModel(task.model(block, size as unknown as Size), task.input, seed)
  try {
    loadWeights(model.parameters, weights)
  } catch (error) {
    model.dispose()
    throw error
  }
  return { model, task }
}
