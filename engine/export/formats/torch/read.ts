import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../../../errors.ts'
import type { NamedTensor } from '../../../weights/safetensors.ts'
import type { TrainedReader } from '../types.ts'
import { interpreter } from './python/run.ts'
import { readModule } from './python/statements.ts'
import { type Instance, type Slot, tensor } from './python/things.ts'

/**
 * Reads a PyTorch module of ours again: its source is parsed, `Model()` is made, and its `forward` is run by plain operations
 * of tfjs. Throws MixlabError `weights` for other Python, and where the tensors are not those of the module.
 */
export function readTorch(source: string, tensors: NamedTensor[]): TrainedReader {
  let masks: Parameters<TrainedReader['train']>[2] | null = null
  const running = {
    get training() {
      return masks !== null
    },
    mask: (shape: number[], rate: number) => {
      for (let next = masks?.shift(); next; next = masks?.shift()) {
        if (next.rate === rate && next.mask.shape.join() === shape.join()) return next.mask
      }
      throw new Error(`draws a mask [${shape}] with rate ${rate}, which the model has not`)
    },
  }
  const statements = readModule(source)
  const python = interpreter(statements, running)
  const made: Instance[] = []
  tf.tidy(() => {
    made.push(python.create('Model', { by: [], named: {} }))
  })
  const [model] = made as [Instance]
  const slots = slotsOf(model)
  const values = new Map(tensors.map((given) => [given.name, given]))
  const missing = [...slots.keys()].filter((name) => !values.has(name))
  const left = [...values.keys()].filter((name) => !slots.has(name))
  const wrong = [...slots].filter(([name, { shape }]) => values.get(name)?.shape.join() !== shape.join())
  const [name] = [...missing, ...left, ...wrong.map(([name]) => name)]
  if (name !== undefined) throw new MixlabError('weights', 'PyTorch', `the tensor '${name}' is not that of the module`)
  const inputs =
    model.type?.methods
      .get('forward')
      ?.parameters.slice(1)
      .map(({ name }) => name) ?? []

  const fromFile = (name: string) => {
    const { values: own, shape } = values.get(name) as NamedTensor
    return own instanceof Int32Array ? tf.tensor(own, shape, 'int32') : tf.tensor(own, shape)
  }
  const valuesNow = (given: tf.NamedTensorMap) => {
    for (const [name, slot] of slots) {
      slot.value = given[name] ?? fromFile(name)
      slot.given = null
    }
  }
  const forward = (read: Record<string, tf.Tensor | undefined>) =>
    tensor(python.method(model, 'forward', { by: inputs.map((name) => tensor(read[name])), named: {} }))

  return {
    tensors: [...slots].map(([name, { shape, trained, initial }]) => ({ name, shape, trained, initial })),
    values: fromFile,
    run: (read) =>
      tf.tidy(() => {
        valuesNow({})
        return forward(read)
      }),
    train: (read, given, drawn) => {
      masks = [...drawn]
      try {
        valuesNow(given)
        const logits = forward(read)
        const moved = [...slots].flatMap(([name, slot]) => (slot.given ? [[name, slot.given] as const] : []))
        return { logits, moved: Object.fromEntries(moved) }
      } finally {
        masks = null
      }
    },
  }
}

/** The tensors of a module by their names in its state_dict. */
function slotsOf(module: Instance, prefix = ''): Map<string, Slot> {
  const own = [...module.tensors].map(([name, slot]) => [prefix + name, slot] as const)
  const inner = [...module.modules].flatMap(([name, inside]) => [...slotsOf(inside, `${prefix}${name}.`)])
  return new Map([...own, ...inner])
}
