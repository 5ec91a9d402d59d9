import { describe, expect, it } from 'vitest'
import { ffOnly, gmlp, headedMixer, mixer, resmlp, vit } from '../../../engine/models/index.ts'
import { block, dense, residual, tokenDense } from '../../../engine/nn/index.ts'
import { toFile } from '../../../engine/nn/layout.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { filtersOf, mixingMatrices } from '../../../engine/weights/mixing.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { readSafetensors, writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { tinyModel } from '../models/tiny.ts'

/** The file of a tiny model, and what of it mixes tokens. */
async function written(block: Block, modality: 'image' | 'text' = 'image') {
  const model = tinyModel(block, modality)
  const file = await writeWeights(model.parameters, { 'tokenizer.json': '{}' })
  const values = new Map(
    model.parameters.map(({ name, shape, layout, variable }) => {
      return [name, toFile(variable.dataSync().slice() as Float32Array, shape, layout)]
    }),
  )
  model.dispose()
  return { file, values, found: mixingMatrices(readSafetensors(file)) }
}

const describeAll = (found: Awaited<ReturnType<typeof written>>['found']) =>
  found.map(({ name, rows, columns, grid }) => `${name} ${rows}x${columns} ${grid?.join('x') ?? 'line'}`)

describe('mixingMatrices', () => {
  it.each<[string, Block, string[]]>([
    ['gmlp', gmlp, ['mlp_channels.gate.proj.weight 16x16 4x4']],
    ['gmlp of patches 4 x 2', gmlp({ patch: [4, 2] }), ['mlp_channels.gate.proj.weight 32x32 4x8']],
    ['mixer', mixer, ['mlp_tokens.fc1.weight 4x16 4x4', 'mlp_tokens.fc2.weight 16x4 line']],
    ['resmlp', resmlp, ['linear_tokens.weight 16x16 4x4']],
    [
      'headedMixer',
      headedMixer({ heads: 2 }),
      ['heads.0.fc1', 'heads.0.fc2', 'heads.1.fc1', 'heads.1.fc2'].map((name) =>
        name.endsWith('1') ? `${name}.weight 4x16 4x4` : `${name}.weight 16x4 line`,
      ),
    ],
    [
      'mixer with as many hidden units as tokens',
      mixer({ tokenRatio: 2 }),
      ['mlp_tokens.fc1.weight 16x16 4x4', 'mlp_tokens.fc2.weight 16x16 line'],
    ],
    ['ffOnly, which has a class token', ffOnly, ['mlp2.fc1.weight 68x17 line', 'mlp2.fc2.weight 17x68 line']],
    ['vit', vit({ heads: 2 }), []],
  ])('finds those of %s, block after block', async (_, block, names) => {
    const { found, values } = await written(block)
    expect(describeAll(found)).toEqual([0, 1].flatMap((i) => names.map((name) => `blocks.${i}.${name}`)))
    for (const { name, values: own } of found) expect([...own]).toEqual([...(values.get(name) ?? [])])
  })

  it('finds those of a block from a cell, and takes no matrix of channels for one', async () => {
    const own = block('own', (x, { dim }) => residual(x, dense(tokenDense(x, { name: 'across' }), dim)))
    const { found } = await written(own({ dim: 16 })) // as many channels as tokens
    expect(describeAll(found)).toEqual(['blocks.0.across.weight 16x16 4x4', 'blocks.1.across.weight 16x16 4x4'])
  })

  it('comes with patches as PyTorch has them, height before width', async () => {
    const { file } = await written(gmlp({ patch: [4, 2] }))
    const stem = readSafetensors(file).tensors.find(({ name }) => name === 'stem.proj.weight')
    expect(stem?.shape).toEqual([8, 3, 4, 2])
  })

  it('writes Toeplitz matrices out', async () => {
    const { found, values } = await written(gmlp, 'text')
    expect(describeAll(found)[0]).toBe('blocks.0.mlp_channels.gate.proj.toeplitz 12x12 line')
    const [first] = found
    const diagonals = values.get(first?.name ?? '')
    for (const [row, column] of [
      [0, 0],
      [0, 11],
      [11, 0],
      [3, 7],
    ] as const)
      expect(first?.values[row * 12 + column]).toBe(diagonals?.[11 + column - row])
  })

  it('finds nothing in files of others, and its notes are no file that goes with the weights', async () => {
    const { file } = await written(mixer)
    expect(readSafetensors(file).metadata).toMatchObject({ 'tokenizer.json': '{}' })
    const tensors = [{ name: 'a', shape: [2, 2], values: new Float32Array(4) }]
    for (const metadata of [{}, { token_mixing: '{' }, { token_mixing: '[]' }, { token_mixing: '{"a": 3}' }]) {
      expect(mixingMatrices(readSafetensors(writeSafetensors(tensors, metadata)))).toEqual([])
    }
  })
})

it('filters are what reads patches; of a text, square matrices', () => {
  const values = new Float32Array()
  const patches = { name: 'a', rows: 3, columns: 4, values, grid: [2, 2] as [number, number] }
  const hidden = { name: 'b', rows: 4, columns: 4, values, grid: null }
  const wide = { name: 'c', rows: 4, columns: 8, values, grid: null }
  expect(filtersOf([patches, hidden])).toEqual([patches])
  expect(filtersOf([hidden, wide])).toEqual([hidden])
})
