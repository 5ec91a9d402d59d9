import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { torch } from '../../../engine/export/formats/torch.ts'
import { exportGraph } from '../../../engine/export/graph/graph.ts'
import { trainingGraph } from '../../../engine/export/graph/training.ts'
import { proveTraining } from '../../../engine/export/proveTraining.ts'
import { fault } from '../../../engine/export/trainingProof.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { ALL, LONG, sample } from '../../long.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { pythonWith } from './python.ts'
import { startOf } from './start.ts'
import { CATALOGUE, DROPPED, exported, files, modules, TRAINABLE, type Trained, trained } from './trained.ts'

onSimd()

const root = mkdtempSync(join(tmpdir(), 'mixlab-training-'))
const notebooks = [TRAINABLE, ...(LONG ? [DROPPED] : []), ...(ALL ? [CATALOGUE] : [])]
const runs: Trained[] = []
beforeAll(async () => {
  for (const notebook of notebooks) runs.push(...(await trained(notebook)))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = (variant: string) => runs.find(({ run }) => run.variant === variant) as Trained
const source = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const moduleOf = async (variant: string) => source((await exported(run(variant), 'torch')).files['.py'])

it('an exported module does in training what the model does, with the same masks, and leaves no tensors', async () => {
  for (const each of sample(runs, 1, 2)) {
    const before = tf.memory().numTensors
    const { training, warnings } = await exported(each, 'torch')
    expect(tf.memory().numTensors).toBe(before)
    const { variant } = each.run
    if (variant === 'assigns') continue
    expect(training, variant).toMatchObject({ examples: 8, initial: { others: [] } })
    expect(training?.differences, variant).toMatchObject({ wrong: null, unjudged: null })
    expect(training?.differences.difference, variant).toBeLessThan(1e-4)
    expect(training?.output, variant).toBeLessThan(1e-5)
    expect(training?.gradient?.share, variant).toBeLessThan(5e-4)
    expect(training?.statistic?.share ?? 0, variant).toBeLessThan(1e-4)
    expect(warnings.join(), variant).toMatch(variant === 'starts' ? /blocks\.0\.d\.weight/ : /^$/)
  }
  expect((await exported(run('vit'), 'torch')).training?.masks).toBeGreaterThan(10)
  expect((await exported(run('resnet'), 'torch')).training?.statistic?.share).toBeGreaterThan(0)
})

describe('the source', () => {
  it('has a class for the blocks, and a loop with the rates of stochastic depth', async () => {
    const code = await moduleOf('vit')
    expect(code).toContain('class Block(nn.Module):')
    expect(code).toContain('self.blocks = nn.ModuleList([Block(rate) for rate in [0.0, 0.15, 0.3]])')
    expect(code).toContain('        for block in self.blocks:\n            x = block(x)')
    expect(code).toContain('F.dropout(z.softmax(-1), 0.3, self.training)')
    expect(code).toContain('drop_path(F.dropout(y, 0.2, self.training), self.drop_path, self.training)')
    expect(code).toContain('self.patch_embed.proj = nn.Conv2d(3, 8, 4, stride=4)')
  })
  it('has batch normalisation as a module whose statistics are buffers', async () => {
    const code = await moduleOf('resnet')
    expect(code).toContain('self.bn1 = BatchNorm(4)')
    expect(code).toContain("self.register_buffer('running_mean', torch.zeros(dim))")
    expect(code).not.toContain('rsqrt')
  })
  it('has what code of a cell does in training alone behind that', async () => {
    const code = await moduleOf('asks')
    expect(code).toMatch(/ if self\.training else /)
  })
  it('draws initial values by the names of torch, also those that a cell wraps, and says where it cannot', async () => {
    const code = await moduleOf('starts')
    expect(code).toContain('nn.init.normal_(self.a.weight, std=0.3)')
    expect(code).toContain('nn.init.eye_(self.b.weight)')
    expect(code).toContain('nn.init.uniform_(self.c.weight, 1.0, 3.0)')
    expect(code).toMatch(/nn\.init\.normal_\(self\.d\.weight, mean=.*\) {2}# a cell draws these otherwise/)
  })
  it('of a model whose training cannot be written is for evaluation, and says so', async () => {
    const { files, training, warnings, proof } = await exported(run('assigns'), 'torch')
    expect(proof.difference).toBeLessThan(1e-5)
    expect(training).toBeNull()
    expect(warnings.join()).toContain('for evaluation alone')
    expect(source(files['.py'])).toMatch(
      /def train\(self, mode=True\):\n {8}if mode:\n {12}raise RuntimeError\(".*gives values/,
    )
  })
})

describe('a module that is wrong in training', () => {
  it.each<[string, string, RegExp | string, string, string | RegExp]>([
    [
      'moves its statistics otherwise',
      'resnet',
      'momentum=0.1):',
      'momentum=0.2):',
      /^the statistic \S+ differs .* by \d/,
    ],
    [
      'has parameters for statistics',
      'resnet',
      "self.register_buffer('running_mean', torch.zeros(dim))",
      'self.running_mean = nn.Parameter(torch.zeros(dim))',
      'start from other values',
    ],
    ['drops with another rate', 'vit', ', 0.3, self.training)', ', 0.35, self.training)', 'draws a mask'],
    ['leaves a dropout out', 'vit', /F\.dropout\((z\.softmax\(-1\)), 0\.3, self\.training\)/, '$1', 'a logit differs'],
    ['starts otherwise', 'vit', 'self.pos_embed, std=0.02', 'self.pos_embed, std=0.03', 'start from other values'],
    ['does not start something', 'vit', /\n *nn\.init\.zeros_\(self\.head\.bias\)/, '', 'start from other values'],
    [
      'stops a gradient',
      'resnet',
      'return self.linear(x)',
      'return self.linear(x.detach())',
      /^the gradient of \S+ differs .* by \d/,
    ],
  ])('%s: %s', async (_, variant, wrong, instead, message) => {
    const found = await faultOf(run(variant), (code) => code.replace(wrong, instead))
    expect(found).toMatch(message)
  })
  it('is none, as it is written', async () => {
    await expect(faultOf(run('vit'), (code) => `${code} `)).resolves.toBe('none')
  })
  it.each([
    ['calls what it may not', 'x = block(x)', 'x = open(x)', "'open' is not known"],
    ['is no Python of ours', 'class Block(nn.Module):', 'class Block(nn.Module) -> 3:', 'cannot read this line'],
    ['has another tensor', 'self.norm = nn', 'self.other = nn', "the tensor 'other.weight' is not that of the module"],
    ['says nothing', /class Model[\s\S]*/, '', "has no class 'Model'"],
  ] as const)('%s', async (_, wrong, instead, message) => {
    const found = await faultOf(run('vit'), (code) => code.replace(wrong, instead))
    expect(found).toContain(message)
  })
})

/** How many steps PyTorch trains with ours; `npm test` a few, in each of which all that a step does is compared. */
const STEPS = LONG ? 50 : 15

/** What the proof has against a module that was changed; `none` where it has nothing. */
async function faultOf({ run, weights }: Trained, change: (code: string) => string): Promise<string> {
  const { model, task, dispose } = await rebuild(run, weights, files, modules)
  try {
    const { tensors } = readSafetensors(weights)
    const inputs = { input: { shape: task.input.shape, dtype: task.input.dtype ?? 'float32' } } as const
    const graph = await trainingGraph(model, inputs, tensors, 'run')
    const evaluation = () => exportGraph(model, inputs, tensors, 'run')
    const written = await torch.write(
      {
        ...{ tensors, metadata: {}, graph: evaluation },
        ...{ training: async () => graph, demo: async () => ({ player: null, beside: '' }) },
      },
      'model',
    )
    const before = source(written['.py'])
    const after = change(before)
    expect(after).not.toBe(before)
    const read = torch.readTrained?.({ ...written, '.py': new TextEncoder().encode(after) })
    return fault(await proveTraining(model, task, run.seed, read as NonNullable<typeof read>, graph)) ?? 'none'
  } catch (error) {
    return (error as Error).message
  } finally {
    dispose()
  }
}

it(`PyTorch trains it from the start of the model, on its batches, for ${STEPS} steps alike; its own masks have their rates`, async ({
  skip,
}) => {
  const python = pythonWith('torch') ?? skip('there is no Python with torch')
  const able = sample(
    runs.filter(({ run }) => run.variant !== 'assigns' && run.variant !== 'starts'),
    0,
    2,
  )
  for (const [i, each] of able.entries()) {
    const folder = join(root, `${each.run.study}-${each.run.variant}-${i}`)
    mkdirSync(folder)
    for (const [end, bytes] of Object.entries((await exported(each, 'torch')).files)) {
      writeFileSync(join(folder, `model${end}`), bytes)
    }
    const { json, bytes } = await startOf(each, STEPS)
    writeFileSync(join(folder, 'start.json'), JSON.stringify(json))
    writeFileSync(join(folder, 'tensors.bin'), bytes)
  }
  const output = execFileSync(python, [join(import.meta.dirname, 'trainer.py'), root], {
    encoding: 'utf8',
    env: { ...process.env, OMP_NUM_THREADS: '1' }, // two threads that wait for each other take minutes on a busy machine
  })
  const found = JSON.parse(output) as Record<string, Record<string, number | string>>
  expect(Object.keys(found)).toHaveLength(able.length)
  const wrong = Object.entries(found).flatMap(([name, { error, ...numbers }]) => {
    const far = Object.entries(numbers).filter(([what, value]) => !(Number(value) <= (MOST[what] ?? 0)))
    return error === undefined && far.length === 0 ? [] : [{ name, error, ...Object.fromEntries(far) }]
  })
  expect(wrong).toEqual([])
})

/**
 * The largest differences from PyTorch: `gradient` as a share of the largest entry of all, `each` of that of its tensor or of
 * a hundredth of the former, as the bias of a sum that cancels is mostly rounded off in both; `loss` of all steps from those
 * in double precision, `single` in single, from which PyTorch itself is as far.
 */
const MOST: Record<string, number> = {
  ...{ gradient: 1e-5, each: 1e-4, loss: 1e-3, single: 1e-2, moved: 1e-3, rates: 0.03, scales: 1e-5, traced: 1e-5 },
  ...{ double: 1e-4, count: 0 },
}
