import { describe, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import { createScope, evaluateAll, evaluateEach, type FailedCell } from '../../../engine/notebook/evaluate.ts'
import { analyze } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'

const modules = {
  mixlab: {
    dense: (x: number) => x * 2,
    split: () => [1, 2],
    refuse: () => {
      throw new MixlabError('option', 'train.batch', 'must be at least 1, got 0')
    },
  },
  '@tensorflow/tfjs': { add: (a: number, b: number) => a + b, default: 'tf' },
}

/** A notebook with a scope of its own; `edit` changes its text and keeps the scope. */
function open(text: string) {
  const scope = createScope(modules)
  const console = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  let cells = parseNotebook(text)
  return {
    console,
    edit: (changed: string) => {
      cells = parseNotebook(changed)
    },
    run: (id: string) => scope.evaluate(cells, analyze(cells), id, { console }),
  }
}

const shown = async (source: string) => (await open(`// %% a\n${source}`).run('a')).value

describe('value', () => {
  const cases: [string, unknown][] = [
    ['1 + 1', 2],
    ['const a = 1\na // the value', 1],
    ['const a = [1]\n;[2, 3].at(0);', 2],
    ['1, 2', 2],
    ['(1, 2)', 2],
    ['{ 1 }', undefined],
    ['const a = 1', undefined],
    ['1\nconst a = 2', undefined],
    ["'text'", 'text'],
    ['await Promise.resolve(3)', 3],
    ['this', undefined],
    ['', undefined],
    ['// only a comment', undefined],
    ['let n = 0\nfor (const x of [1, 2]) n += x\nn', 3],
    ["import { dense } from 'mixlab'; dense(2)", 4],
    ["1\nimport { dense } from 'mixlab'\n[dense(2)].length", 1],
    ["import tf, * as all from '@tensorflow/tfjs'\n[tf, all.add(1, 2)].join()", 'tf,3'],
    ["import { add as plus } from '@tensorflow/tfjs'\nplus(1, 2)", 3],
    ['import(`mixlab`).then(({ dense }) => dense(3))', 6],
    ["(await import('mixlab')).dense(4)", 8],
    ['#!/usr/bin/env mixlab\n7', 7],
    ['const a: number = 1; export { a }\na', 1],
    ['export class A { static b = 2 }\nA.b', 2],
  ]
  for (const [source, expected] of cases) {
    it(source || 'nothing', async () => expect(await shown(source)).toEqual(expected))
  }

  it('may be any value, as it is', async () => {
    expect(await shown('() => 1')).toBeTypeOf('function')
    expect(await shown('({ a: [1] })')).toEqual({ a: [1] })
  })
})

describe('definitions', () => {
  it('are given to other cells, imports too', async () => {
    const { run } = open(
      "// %% a\nimport { dense } from 'mixlab'\nexport const { b, c: [d] } = { b: 1, c: [2] }\n// %% e\ndense(b + d)",
    )
    expect((await run('a')).defined).toEqual({ b: 1, d: 2 })
    expect((await run('e')).value).toBe(6)
  })

  it('are seen as they were when their cell ended', async () => {
    const { run } = open('// %% a\nlet n = 1\nn = 2\nconst later = () => { n = 3 }\n// %% b\nlater()\nn')
    await run('a')
    expect((await run('b')).value).toBe(2)
  })

  it('change with the next evaluation, and go when it fails', async () => {
    const notebook = open('// %% a\nconst n = 1\n// %% b\nn')
    await notebook.run('a')
    notebook.edit('// %% a\nconst n = 2\n// %% b\nn')
    await notebook.run('a')
    expect((await notebook.run('b')).value).toBe(2)
    notebook.edit("// %% a\nconst n = 3\nthrow new Error('no')\n// %% b\nn")
    await expect(notebook.run('a')).rejects.toThrow('a:2: no')
    await expect(notebook.run('b')).rejects.toThrow("b:1: 'n' is defined in cell a, which has not run")
  })

  it('win over globals', async () => {
    const { run } = open('// %% a\nconst Map = 1\n// %% b\nMap')
    await run('a')
    expect((await run('b')).value).toBe(1)
  })

  it('of the same import in two cells stay apart', async () => {
    const { run } = open("// %% a\nimport { dense } from 'mixlab'\n// %% b\nimport { dense } from 'mixlab'\ndense(1)")
    expect((await run('b')).value).toBe(2)
  })
})

describe('a cell', () => {
  it('writes to the console it is given, unless a cell defines another', async () => {
    const { run, console } = open('// %% a\nconsole.log(1, "two")')
    await run('a')
    expect(console.log).toHaveBeenCalledWith(1, 'two')
    const other = open('// %% a\nconst console = { log: (x) => x }\n// %% b\nconsole.log(5)')
    await other.run('a')
    expect((await other.run('b')).value).toBe(5)
  })

  it('is strict and sees nothing of the evaluator', async () => {
    await expect(shown('undeclared = 1')).rejects.toThrow('a:1: undeclared is not defined')
    expect(await shown('[typeof transpiled, typeof scope, typeof modules, typeof locate].join()')).toBe(
      'undefined,undefined,undefined,undefined',
    )
  })

  it('may have any name', async () => {
    const names = ['a b', "it's", '"x"', '(y)', 'é: 1', '100%', 'a/b#c?d', '*/']
    for (const name of names) {
      await expect(open(`// %% ${name}\n\nnull.x`).run(name), name).rejects.toMatchObject({ path: `${name}:2` })
    }
  })
})

describe('evaluateAll', () => {
  const console = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }

  it('runs all cells in the order of their dependencies', async () => {
    const text =
      "// %% b\nconst b = a + 1\n// %% [markdown]\n// c\n// %% a\nimport { dense } from 'mixlab'\nconst a = dense(1)"
    const all = await evaluateAll(text, modules, { console })
    expect([...all]).toEqual([
      ['a', { value: 2, cell: 'a' }],
      ['b', { value: 3, cell: 'b' }],
    ])
    expect(await evaluateAll(parseNotebook(text), modules, { console })).toEqual(all)
  })

  it('stops at the first error', async () => {
    const text = "// %% a\nconsole.warn(1)\n// %% b\nthrow new Error('no')\n// %% c\nconsole.warn(2)"
    await expect(evaluateAll(text, modules, { console })).rejects.toThrow('b:1: no')
    expect(console.warn.mock.calls).toEqual([[1]])
  })
})

describe('evaluateEach', () => {
  it('goes on after a cell that fails, but for those that depend on it, directly or not', async () => {
    const text =
      '// %% a\nconst a = none.x\n// %% b\nconst b = a + 1\n// %% c\nconst c = b\n// %% d\nconst = 1\n// %% e\nconst e = 5'
    const failed: FailedCell[] = []
    const silent = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const found = await evaluateEach(text, modules, { console: silent }, (each) => failed.push(each))
    expect([...found]).toEqual([['e', { value: 5, cell: 'e' }]])
    const depends = "depends on 'a', which failed"
    expect(failed.map(({ cell, because, error }) => [cell, because, error.message])).toEqual([
      ['a', null, 'a:1: none is not defined'],
      ['b', 'a', `b: ${depends}`],
      ['c', 'a', `c: ${depends}`],
      ['d', null, expect.stringMatching(/^d:1: /)],
    ])
  })
})

describe('mistakes', () => {
  /** Runs the cells in the order of the notebook; the last one fails. */
  async function failure(text: string): Promise<unknown> {
    const { run } = open(text)
    const ids = parseNotebook(text).map(({ id }) => id)
    for (const id of ids.slice(0, -1)) await run(id)
    return run(ids.at(-1) ?? '').then(
      () => 'nothing was thrown',
      (error: unknown) => error,
    )
  }

  const cases: [string, string, string, string][] = [
    ['a syntax error', '// %% a\n1\nfoo(1 2)', 'a:2', "unexpected '2', expected ','"],
    [
      'an unknown module',
      "// %% a\n\nimport { x } from 'mixlb'",
      'a:2',
      "unknown module 'mixlb' (did you mean 'mixlab'?)",
    ],
    [
      'a module that is far from all',
      "// %% a\nimport 'node:fs'",
      'a:1',
      "unknown module 'node:fs' (known: mixlab, @tensorflow/tfjs)",
    ],
    [
      'an unknown module at run time',
      "// %% a\n1\nawait import('lodash')",
      'a:2',
      "unknown module 'lodash' (known: mixlab, @tensorflow/tfjs)",
    ],
    [
      'a misspelt import',
      "// %% a\nimport { dens } from 'mixlab'\ndens(1)",
      'a:1',
      "module 'mixlab' has no export 'dens' (did you mean 'dense'?)",
    ],
    [
      'a type imported as a value',
      "// %% a\nimport { Layer } from 'mixlab'\nlet a: Layer",
      'a:1',
      "module 'mixlab' has no export 'Layer' (known: dense, split, refuse); a type is imported as 'type Layer'",
    ],
    [
      'a default import of nothing',
      "// %% a\nimport nn from 'mixlab'",
      'a:1',
      "module 'mixlab' has no default export; write import * as name from 'mixlab'",
    ],
    ['an unknown name', '// %% a\n\n\nmissing + 1', 'a:3', 'missing is not defined'],
    ['a thrown error', "// %% a\nconst f = () => {\n  throw new RangeError('too far')\n}\nf()", 'a:2', 'too far'],
    [
      'an error in a function of another cell',
      '// %% f\n\nconst f = (x) => x.y\n// %% a\nf()',
      'f:2',
      "Cannot read properties of undefined (reading 'y')",
    ],
    [
      'a use before the definition',
      '// %% a\nconst b = c\nconst c = 1',
      'a:1',
      "Cannot access 'c' before initialization",
    ],
    ['a rejected top-level await', "// %% a\nconst b = 1\nawait Promise.reject(new Error('lost'))", 'a:2', 'lost'],
    ['an error after an await', '// %% a\nawait null\n\nnull.x', 'a:3', "Cannot read properties of null (reading 'x')"],
    [
      'an assignment to a name of another cell',
      '// %% b\nlet n = 1\n// %% a\n1\nn += 1',
      'a:2',
      'Assignment to constant variable.',
    ],
    ['something thrown that is no error', "// %% a\nthrow 'text'", 'a', 'text'],
    ['import.meta', '// %% a\nimport.meta.url', 'a', "Cannot use 'import.meta' outside a module"],
    ['a markdown cell', '// %% [markdown] a\n// text', 'a', 'a markdown cell cannot be evaluated'],
  ]
  for (const [title, text, path, message] of cases) {
    it(title, async () => {
      const error = await failure(text)
      expect(error).toBeInstanceOf(MixlabError)
      expect(error).toMatchObject({ code: 'notebook', path, message: `${path}: ${message}` })
    })
  }

  it('an import of several lines moves no line', async () => {
    const text = "// %% a\nimport {\n  type Tensor,\n  dense,\n} from 'mixlab'\ninterface A {\n  b: 1\n}\nnull.x"
    expect(await failure(text)).toMatchObject({ path: 'a:8' })
  })

  it('an error keeps its cause, and the code of an error of the engine', async () => {
    const error = await failure("// %% a\nimport { refuse } from 'mixlab'\n\nrefuse()")
    expect(error).toMatchObject({
      code: 'option',
      path: 'a:3',
      message: 'a:3: train.batch: must be at least 1, got 0',
      cause: expect.objectContaining({ path: 'train.batch' }),
    })
    expect(await failure('// %% a\nnull.x')).toMatchObject({ cause: expect.any(TypeError) })
  })

  it('a use before the other cell has run', async () => {
    const { run } = open('// %% a\nconst x = 1\n// %% b\n1\nx')
    await expect(run('b')).rejects.toThrow(/^b:2: 'x' is defined in cell a, which has not run$/)
  })

  it('a name defined twice, and a cell that depends on it', async () => {
    const { run } = open('// %% a\nconst x = 1\n// %% b\nconst x = 2\n// %% c\nconst y = x\n// %% d\ny')
    await expect(run('b')).rejects.toThrow(/^b: 'x' is defined in cells a and b$/)
    await expect(run('c')).rejects.toThrow(/^c: depends on a, which has an error$/)
    await expect(run('d')).rejects.toThrow(/^d: depends on a, which has an error$/)
  })

  it('a cycle', async () => {
    const { run } = open('// %% a\nconst x = y\n// %% b\nconst y = x')
    await expect(run('a')).rejects.toThrow(/^a: cells depend on each other: a uses 'y' of b, b uses 'x' of a$/)
  })

  it('a cell that depends on a syntax error', async () => {
    const { run } = open('// %% a\nexport const x = (\n// %% b\nx')
    await expect(run('b')).rejects.toThrow(/^b: depends on a, which has an error$/)
  })

  it('an unknown cell', async () => {
    await expect(open('// %% a\n1').run('b')).rejects.toThrow('b: there is no such cell')
  })
})
