import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { isBlock } from '../../../engine/nn/block.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { BUILTINS, forkedFrom } from '../../../renderer/editor/builtins.ts'
import { freed } from '../../../renderer/editor/language/service/freed.ts'
import { namesInText } from '../../../renderer/editor/language/service/names.ts'

const modules = { mixlab: { ...mixlab }, '@tensorflow/tfjs': { ...tf } }
const silent = { console: { debug() {}, log() {}, info() {}, warn() {}, error() {} } }

const ownNames = (text: string) => {
  const { defines, imported } = namesInText(text)
  return [...defines.keys()].filter((name) => !imported.has(name))
}

describe('forks', () => {
  it('are there of every built-in block', () => {
    const blocks = Object.entries(mixlab).filter(([, value]) => isBlock(value))
    expect(BUILTINS.map(({ name }) => name).sort()).toEqual(blocks.map(([name]) => name).sort())
  })

  it('know what they were forked from', () => {
    for (const builtin of BUILTINS) expect(forkedFrom(`${builtin.source}\nmore`)).toBe(builtin)
    expect(forkedFrom('const x = 1')).toBeNull()
    expect(forkedFrom('// Forked from the built-in nothing\n')).toBeNull()
  })

  it.each(BUILTINS.map(({ name, source }) => [name, source]))(
    'evaluate where all names are taken: %s',
    async (name, source) => {
      const names = ownNames(source)
      const text = freed(source, names)
      expect(ownNames(text).filter((own) => names.includes(own))).toEqual([])
      const values = await evaluateAll(`// %% fork\n${text}`, modules, silent)
      expect(isBlock(values.get(`my${name.charAt(0).toUpperCase()}${name.slice(1)}`)?.value)).toBe(true)
    },
  )
})

describe('a text with free names', () => {
  it('changes nothing but definitions that are taken', () => {
    const text = "import { add } from 'mixlab'\nconst weight = 1\nexport const all = { weight, add }"
    expect(freed(text, ['add', 'other'])).toBe(text)
    expect(freed(text, ['weight', 'myWeight'])).toBe(
      "import { add } from 'mixlab'\nconst myWeight2 = 1\nexport const all = { weight: myWeight2, add }",
    )
  })
})
