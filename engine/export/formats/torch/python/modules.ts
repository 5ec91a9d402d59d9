import { conv2d, embedding, layerNorm, linear } from './functions.ts'
import { ofLinear } from './initial.ts'
import { type Arguments, argument, Instance, numbers, Slot, type Thing, tensor } from './things.ts'

function slot(module: Instance, name: string, shape: number[], initial: Slot['initial']): Slot {
  const made = new Slot(shape, initial)
  made.trained = true
  module.tensors.set(name, made)
  return made
}

/** Weight and bias as torch.nn.Linear and its like start them. */
function weighted(module: Instance, shape: number[], given: Arguments, place: number) {
  const weight = slot(module, 'weight', shape, null)
  weight.initial = ofLinear(weight)
  if (argument(given, place, 'bias', true) !== false) slot(module, 'bias', [shape[0] as number], weight.initial)
  const bias = module.tensors.get('bias')
  return { weight: () => tensor(weight), bias: () => (bias ? tensor(bias) : null) }
}

/** The modules of torch.nn. */
export const MODULES: Record<string, (given: Arguments) => Instance> = {
  Module: () => new Instance(),
  ModuleList: ({ by: [modules] }) => {
    const made = new Instance()
    for (const [i, module] of (modules as Thing[]).entries()) made.modules.set(String(i), module as Instance)
    return made
  },
  Linear: (given) => {
    const module = new Instance()
    const [inputs, units] = given.by.map(Number) as [number, number]
    const { weight, bias } = weighted(module, [units, inputs], given, 2)
    module.run = (x) => linear(x, weight(), bias())
    return module
  },
  Embedding: ({ by }) => {
    const module = new Instance()
    const table = slot(module, 'weight', by.map(Number), { kind: 'normal', mean: 0, std: 1 })
    module.run = (places) => embedding(tensor(table), places)
    return module
  },
  LayerNorm: (given) => {
    const module = new Instance()
    const dim = [Number(given.by[0])]
    const weight = slot(module, 'weight', dim, { kind: 'constant', value: 1 })
    const bias = slot(module, 'bias', dim, { kind: 'constant', value: 0 })
    const eps = Number(argument(given, 1, 'eps', 1e-5))
    module.run = (x) => layerNorm(x, tensor(weight), tensor(bias), eps)
    return module
  },
  Conv1d: (given) => {
    const module = new Instance()
    const [inputs, units, length] = given.by.map(Number) as [number, number, number]
    const groups = Number(argument(given, 6, 'groups', 1))
    weighted(module, [units, inputs / groups, length], given, 7)
    return module
  },
  Conv2d: (given) => {
    const module = new Instance()
    const [inputs, units] = given.by.map(Number) as [number, number]
    const groups = Number(argument(given, 6, 'groups', 1))
    const { weight, bias } = weighted(module, [units, inputs / groups, ...numbers(given.by[2], 2)], given, 7)
    const how = {
      stride: numbers(argument(given, 3, 'stride', 1), 2),
      padding: numbers(argument(given, 4, 'padding', 0), 2),
      dilation: numbers(argument(given, 5, 'dilation', 1), 2),
      groups,
    }
    module.run = (x) => conv2d(x, weight(), bias(), how)
    return module
  },
}
