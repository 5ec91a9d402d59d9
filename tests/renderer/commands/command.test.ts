import { describe, expect, it } from 'vitest'
import { type Command, keyName, matching, shownKeys } from '../../../renderer/commands/command.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const command = (name: string, ...keys: string[]): Command => ({ name, group: 'Cells', keys, where: 'cell', run() {} })

describe('keyName', () => {
  it.each([
    [{ key: 'd' }, 'D'],
    [{ key: 'D', shiftKey: true }, 'Shift+D'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'Enter', ctrlKey: true }, 'Mod+Enter'],
    [{ key: 'P', metaKey: true, shiftKey: true }, 'Mod+Shift+P'],
    [{ key: 'ArrowUp', altKey: true }, 'Alt+ArrowUp'],
    [{ key: 'Shift', shiftKey: true }, null],
  ])('of %j is %j', (event, name) => {
    expect(keyName({ ...none, ...event })).toBe(name)
  })
})

describe('matching', () => {
  const commands = ['Run cell', 'Copy cell', 'Cut cell', 'Run all cells'].map((name) => command(name))
  const names = (query: string) => matching(commands, query).map(({ name }) => name)

  it('finds by all words, in any order and case', () => {
    expect(names('cell RUN')).toEqual(['Run cell', 'Run all cells'])
    expect(names('')).toHaveLength(4)
    expect(names('walk')).toEqual([])
  })

  it('puts names that begin so first', () => {
    expect(names('c')).toEqual(['Copy cell', 'Cut cell', 'Run cell', 'Run all cells'])
  })
})

describe('shownKeys', () => {
  it('uses the names of the machine', () => {
    expect(shownKeys('Mod+Shift+P', false)).toBe('Ctrl+Shift+P')
    expect(shownKeys('Mod+Shift+P', true)).toBe('⌘⇧P')
    expect(shownKeys('Alt+ArrowUp', false)).toBe('Alt+Up')
  })
})
