import * as tf from '@tensorflow/tfjs'
import { describe, expect, it, vi } from 'vitest'
import { display } from '../../../engine/display/display.ts'
import { createScope } from '../../../engine/notebook/evaluate.ts'
import { createEvaluations } from '../../../engine/notebook/evaluations.ts'
import { analyze } from '../../../engine/notebook/graph.ts'
import { parseNotebook } from '../../../engine/notebook/parse.ts'
import { watchTensors } from '../../../engine/notebook/tensors.ts'

const alive = () => tf.memory().numTensors

/** A notebook on tfjs; `clear` puts an empty cell in place of all others. */
function open(text: string) {
  const scope = createScope({ tfjs: tf as unknown as Record<string, unknown>, mixlab: { display } })
  const console = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  let cells = parseNotebook(`// %% imports\nimport * as tf from 'tfjs'\n\n${text}`)
  const run = (id: string) => scope.evaluate(cells, analyze(cells), id, { console })
  return {
    async run(...ids: string[]) {
      for (const id of ['imports', ...ids]) await run(id)
    },
    edit(changed: string) {
      cells = parseNotebook(`// %% imports\nimport * as tf from 'tfjs'\n\n${changed}`)
    },
    forget: scope.forget,
    async clear() {
      cells = parseNotebook('// %% empty\n')
      await run('empty')
    },
  }
}

describe('tensors that a cell leaves', () => {
  it('are as many after ten runs as after one', async () => {
    const before = alive()
    const { run, clear } = open(
      '// %% a\nconst x = tf.ones([4]).mul(2)\nawait null\nconst y = x.add(1)\nconst v = tf.variable(y, true, "v")',
    )
    await run('a')
    const once = alive()
    expect(once).toBeGreaterThan(before)
    for (let i = 0; i < 10; i++) await run('a')
    expect(alive()).toBe(once)
    await clear()
    expect(alive()).toBe(before)
  })

  it('go when the cell fails', async () => {
    const before = alive()
    const { run } = open(
      '// %% a\nconst x = tf.ones([4])\ntf.engine().startScope()\nconst y = tf.ones([2])\nthrow new Error("no")',
    )
    await expect(run('a')).rejects.toThrow('no')
    expect(alive()).toBe(before)
  })

  it('stay while a cell that was given them is there, and go when it runs again', async () => {
    const { run, clear } = open(
      '// %% a\nconst x = tf.ones([1])\n\n// %% b\nconst f = () => x.dataSync()[0]\n\n// %% c\nf()\n',
    )
    await run('a', 'b')
    const both = alive()
    await run('a')
    expect(alive()).toBe(both + 1)
    await run('a', 'a', 'c')
    expect(alive()).toBe(both + 1)
    await run('b')
    expect(alive()).toBe(both + 1) // c was given f, which reads the first x
    await run('c')
    expect(alive()).toBe(both)
    await clear()
  })

  it('go with a cell that is deleted', async () => {
    const before = alive()
    const notebook = open('// %% a\nconst x = tf.ones([1])\n\n// %% b\nconst y = x.add(1)\n')
    await notebook.run('a', 'b')
    notebook.edit('// %% b\nconst y = 1\n')
    await notebook.run('b')
    expect(alive()).toBe(before)
  })

  it('go with the scope', async () => {
    const before = alive()
    const { run, forget } = open('// %% a\nconst x = tf.ones([1])\n\n// %% b\nconst y = x.add(1)\n')
    await run('a', 'b', 'a')
    expect(alive()).toBe(before + 3)
    forget()
    expect(alive()).toBe(before)
  })

  it('are not those of other cells, nor a variable that has the name of one that is gone', async () => {
    const before = alive()
    const { run, forget } = open(
      "// %% a\nconst v = tf.variable(tf.ones([1]), true, 'v')\n\n// %% b\nconst w = tf.ones([1])\n\n// %% c\nv.dispose()\nglobalThis.w = tf.variable(tf.ones([1]), true, 'v')\n",
    )
    await run('a', 'b')
    const both = alive()
    await run('b')
    expect(alive()).toBe(both)
    await run('c')
    await run('a').catch(() => {}) // its variable has the name of another
    const { w } = globalThis as unknown as { w: tf.Variable }
    expect(tf.engine().registeredVariables.v).toBe(w)
    expect(w.dataSync()[0]).toBe(1)
    forget()
    expect(alive()).toBe(before)
  })

  it('are not those that tf.keep took', async () => {
    const before = alive()
    const { run } = open('// %% a\nglobalThis.kept = [...(globalThis.kept ?? []), tf.keep(tf.ones([1]))]')
    await run('a', 'a')
    expect(alive()).toBe(before + 2)
    for (const tensor of (globalThis as unknown as { kept: tf.Tensor[] }).kept) tensor.dispose()
  })
})

describe('what evaluations left', () => {
  it('is disposed once, and found through any number of cells', () => {
    let looked = 0
    const tensor = {
      get isDisposed() {
        looked++
        return true
      },
    } as tf.Tensor
    const { add, forget } = createEvaluations()
    add('gone', [tensor], [])
    forget('gone')
    expect(looked).toBe(1)
    for (let i = 0; i < 60; i++) add(`${i}`, [], [`${i - 1}`, `${i - 2}`])
    forget('0')
    forget('59')
    expect(looked).toBe(1)
  })

  it('has nothing that was disposed', () => {
    const watch = watchTensors()
    const [one, other] = [tf.ones([1]), tf.ones([1])]
    one.dispose()
    expect(watch.end()).toEqual([other])
    other.dispose()
  })
})

describe('display', () => {
  it('is that of the cell, however it is imported', async () => {
    const scope = createScope({ mixlab: { display, other: 1 } })
    const cells = parseNotebook(
      "// %% a\nimport { display } from 'mixlab'\ndisplay(1, 2)\n\n// %% b\nimport * as mixlab from 'mixlab'\ndisplay(3)\nmixlab.display(4)\n;(await import('mixlab')).display(5)\n",
    )
    const shown: [string, unknown[]][] = []
    const console = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    for (const id of ['a', 'b']) {
      await scope.evaluate(cells, analyze(cells), id, {
        console,
        display: (...values) => void shown.push([id, values]),
      })
    }
    expect(shown).toEqual([
      ['a', [1, 2]],
      ['b', [3]],
      ['b', [4]],
      ['b', [5]],
    ])
  })

  it('logs where nothing shows', async () => {
    const scope = createScope({ mixlab: { display } })
    const cells = parseNotebook("// %% a\nimport { display } from 'mixlab'\ndisplay(1)\n")
    const console = { debug: vi.fn(), log: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    await scope.evaluate(cells, analyze(cells), 'a', { console })
    expect(console.log.mock.calls).toEqual([[1]])
  })

  it('throws outside of a notebook', () => {
    expect(() => display(1)).toThrow(expect.objectContaining({ code: 'notebook' }))
  })
})
