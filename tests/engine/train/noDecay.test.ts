import { describe, expect, it } from 'vitest'
import { exemptFromDecay } from '../../../engine/train/noDecay.ts'
import { valuesOf, withParameters } from './parameters.ts'

const values = {
  pos_embed: [1],
  'stem.proj.weight': [1],
  'blocks.0.norm.weight': [1],
  'blocks.0.fc1.weight': [1],
  'blocks.1.fc1.weight': [1],
  'blocks.10.fc1.weight': [1],
}

const exempt = (names: string[]) =>
  withParameters(values, (parameters) => {
    const result = exemptFromDecay(parameters, names)
    expect(result.map(({ name }) => name)).toEqual(Object.keys(valuesOf(parameters)))
    expect(parameters.every(({ decay }) => decay)).toBe(true)
    return result.filter(({ decay }) => !decay).map(({ name }) => name)
  })

describe('exemptFromDecay', () => {
  it.each([
    [[], []],
    [['pos_embed'], ['pos_embed']],
    [['blocks.0.fc1.weight'], ['blocks.0.fc1.weight']],
    [['norm.weight'], ['blocks.0.norm.weight']],
    [['blocks.1'], ['blocks.1.fc1.weight']],
    [
      ['fc1', 'stem'],
      ['stem.proj.weight', 'blocks.0.fc1.weight', 'blocks.1.fc1.weight', 'blocks.10.fc1.weight'],
    ],
  ])('takes %j as whole segments of names', async (names, expected) => {
    expect(await exempt(names)).toEqual(expected)
  })
  it.each([
    [['pos_embd'], "train.noDecay: no parameter is called 'pos_embd' (did you mean 'pos_embed'?)"],
    [
      ['fc1', 'cls_token'],
      "train.noDecay: no parameter is called 'cls_token' (known: pos_embed, stem, proj, weight, blocks, norm, fc1)",
    ],
    [['embed'], "train.noDecay: no parameter is called 'embed' (known:"],
    [[''], "train.noDecay: no parameter is called '' (known:"],
  ])('refuses %j', async (names, message) => {
    await expect(exempt(names)).rejects.toThrow(message)
    await expect(exempt(names)).rejects.toMatchObject({ code: 'option', path: 'train.noDecay' })
  })
  it('knows words that begin with a number', async () => {
    const known = withParameters({ '3.2d.weight': [1] }, (parameters) => exemptFromDecay(parameters, ['missing']))
    await expect(known).rejects.toThrow('(known: 2d, weight)')
  })
})
