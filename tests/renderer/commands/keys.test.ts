import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Host } from '../../../engine/host.ts'
import { COMMANDS } from '../../../renderer/commands/commands.ts'
import { handleCellKey, handlePageKey } from '../../../renderer/commands/keys.ts'
import { useConnection } from '../../../renderer/host/state.ts'
import { showText } from '../../../renderer/session/open.ts'
import { EMPTY, useNotebook } from '../../../renderer/session/state.ts'
import { NO_STEPS } from '../../../renderer/session/steps.ts'

vi.mock('../../../renderer/session/run.ts', () => ({ interrupt() {}, restart() {}, runAll() {}, runCells() {} }))
vi.mock('../../../renderer/ui/theme.ts', () => ({}))
vi.mock('../../../renderer/editor/monaco.ts', () => ({ monaco: {} }))
vi.stubGlobal('requestAnimationFrame', () => 0)
vi.stubGlobal('location', { hash: '#/notebook/n.ts' })

/** An element of the page, by the selectors that it matches. */
class Element {
  matched: string[]
  constructor(matched: string[]) {
    this.matched = matched
  }
  matches(selectors: string): boolean {
    return selectors.split(', ').some((selector) => this.matched.includes(selector))
  }
}
vi.stubGlobal('Element', Element)

let time = 0
const event = (name: string, after = 100) => {
  const modifiers = name.split('+')
  const key = modifiers.pop() ?? ''
  const shiftKey = modifiers.includes('Shift')
  const pressed = key.length === 1 && !shiftKey ? key.toLowerCase() : key
  time += after
  const has = (modifier: string) => modifiers.includes(modifier)
  return { key: pressed, shiftKey, ctrlKey: has('Mod'), metaKey: false, altKey: has('Alt'), timeStamp: time }
}
/** A key goes to the page first, as in the browser. */
const press = (...names: string[]) =>
  names.map((name) => {
    const pressed = event(name)
    return handlePageKey(pressed) || handleCellKey(pressed, false)
  })
const state = () => useNotebook.getState()
const ids = () => state().cells.map(({ id }) => id)
const selected = () => state().cells.find(({ key }) => key === state().selected)?.id

beforeEach(() => {
  time += 10_000
  useConnection.setState({ host: { writeNotebook: async () => 'r' } as unknown as Host })
  useNotebook.setState({ ...EMPTY, name: 'n.ts', revision: 'r' })
  showText('// %% a\n1\n\n// %% b\n2\n\n// %% c\n3\n')
  useNotebook.setState({ selected: state().cells[1]?.key ?? null, steps: NO_STEPS })
})

describe('the keys of a selected cell', () => {
  it('go from cell to cell', () => {
    press('ArrowDown')
    expect(selected()).toBe('c')
    press('K', 'ArrowUp', 'ArrowUp')
    expect(selected()).toBe('a')
    press('Mod+End')
    expect(selected()).toBe('c')
  })

  it('add cells above and below, and do not go into them', () => {
    press('A')
    expect(ids()).toEqual(['a', 'cell-2', 'b', 'c'])
    expect(state().editing).toBe(false)
    expect(press('D', 'A', 'D', 'Q')).toEqual([true, true, true, false]) // a sequence that breaks off
    expect(ids()).toHaveLength(5)
  })

  it('delete with two keys, and bring back', () => {
    expect(press('D')).toEqual([true])
    expect(ids()).toEqual(['a', 'b', 'c'])
    press('D')
    expect([ids(), selected()]).toEqual([['a', 'c'], 'c'])
    press('D', 'D', 'Z', 'Z', 'Z')
    expect(ids()).toEqual(['a', 'b', 'c'])
  })

  it('undo and redo whatever was done last', () => {
    press('Shift+M', 'M', 'Mod+Z', 'Mod+Z')
    expect([ids(), selected()]).toEqual([['a', 'b', 'c'], 'b'])
    press('Mod+Y', 'Shift+Z', 'Mod+Shift+Z')
    expect(state().cells[1]).toMatchObject({ id: 'b', source: '2\n3', kind: 'markdown' })
  })

  it('do not take two keys far apart for a sequence', () => {
    handleCellKey(event('D'), false)
    handleCellKey(event('D', 5000), false)
    expect(ids()).toEqual(['a', 'b', 'c'])
  })

  it('cut, copy and paste', () => {
    press('X', 'V')
    expect([ids(), selected()]).toEqual([['a', 'c', 'b'], 'b'])
    press('C', 'Shift+V')
    expect(ids()).toEqual(['a', 'c', 'cell-3', 'b'])
    expect(state().cells[2]?.source).toBe('2')
  })

  it('move, merge and change the kind of cells', () => {
    press('Alt+ArrowUp')
    expect(ids()).toEqual(['b', 'a', 'c'])
    press('Shift+M')
    expect(state().cells[0]).toMatchObject({ id: 'b', source: '2\n1' })
    press('M')
    expect(state().cells[0]?.kind).toBe('markdown')
    press('Y')
    expect(state().cells[0]?.kind).toBe('code')
  })

  it('leave alone what is none of them', () => {
    expect(press('Q', 'Mod+Q', 'Shift')).toEqual([false, false, false])
  })
})

describe('the keys while writing', () => {
  it('are those with modifiers only', () => {
    expect(handleCellKey(event('D'), true)).toBe(false)
    expect(handleCellKey(event('Alt+Enter'), true)).toBe(true)
    expect(ids()).toEqual(['a', 'b', 'cell-3', 'c'])
  })
})

describe('the keys of the page', () => {
  it('are those with Mod', () => {
    expect(handlePageKey(event('F'))).toBe(false)
    expect(handlePageKey(event('Mod+S'))).toBe(true)
    expect(handlePageKey(event('Shift+Enter'))).toBe(false)
  })
})

describe('undo', () => {
  const undoneIn = (...selectors: string[]) => {
    press('D', 'D')
    return handlePageKey({ ...event('Mod+Z'), target: new Element(selectors) as never })
  }

  it('is that of the notebook anywhere in it but in fields that undo what is typed in them', () => {
    expect(undoneIn('body')).toBe(true)
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(undoneIn('textarea', '.cell .monaco-editor .inputarea')).toBe(true)
    expect(undoneIn('input')).toBe(false)
    expect(ids()).toEqual(['a', 'c'])
  })

  it('leaves the notebook alone where another page is shown', () => {
    vi.stubGlobal('location', { hash: '#/runs' })
    expect(undoneIn('body')).toBe(false)
    vi.stubGlobal('location', { hash: '#/notebook/n.ts' })
  })
})

describe('the commands', () => {
  it('have names and keys of their own', () => {
    const names = COMMANDS.map(({ name }) => name)
    const keys = COMMANDS.flatMap((command) => command.keys)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('do nothing where no cell is', () => {
    showText('')
    useNotebook.setState({ steps: NO_STEPS })
    for (const { where, run } of COMMANDS) if (where !== 'page') run()
    expect(ids()).toEqual([])
  })
})
