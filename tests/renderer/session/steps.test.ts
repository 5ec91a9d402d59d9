import { describe, expect, it } from 'vitest'
import type { PageCell } from '../../../renderer/session/edit.ts'
import { goesOn, placeOfChange, type TextChange } from '../../../renderer/session/steps.ts'

const put = (offset: number, text: string, length = 0): TextChange => ({ offset, length, text })
const cut = (offset: number, length = 1): TextChange => ({ offset, length, text: '' })
const joins = (last: TextChange[], next: TextChange[], key = 'a') =>
  goesOn({ key: 'a', changes: last }, { key, changes: next })

describe('a keystroke', () => {
  it.each<[string, TextChange[], TextChange[]]>([
    ['a letter behind the last', [put(4, 'a')], [put(5, 'b')]],
    ['a letter behind a blank', [put(4, ' ')], [put(5, 'b')]],
    ['a letter in the bracket that the editor closed', [put(4, '()')], [put(5, 'b')]],
    ['a letter on a new line', [put(4, '\n  ')], [put(7, 'b')]],
    ['a letter at each of two carets', [put(9, 'a'), put(4, 'a')], [put(11, 'b'), put(5, 'b')]],
    ['a word that an input method writes anew', [put(4, 'に')], [put(4, 'にほ', 1)]],
    ['Backspace', [cut(4)], [cut(3)]],
    ['Delete', [cut(4)], [cut(4)]],
  ])('goes on with the step before: %s', (_, last, next) => {
    expect(joins(last, next)).toBe(true)
  })

  it.each<[string, TextChange[], TextChange[]]>([
    ['a letter elsewhere', [put(4, 'a')], [put(2, 'b')]],
    ['a blank after a word', [put(4, 'a')], [put(5, ' ')]],
    ['a new line', [put(4, 'a')], [put(5, '\n')]],
    ['a paste', [put(4, 'a')], [put(5, 'pasted')]],
    ['a letter behind a paste', [put(4, 'pasted')], [put(10, 'b')]],
    ['a suggestion that replaces more', [put(6, 'n')], [put(4, 'dense', 3)]],
    ['Backspace after a letter', [put(4, 'a')], [cut(4)]],
    ['a letter after Backspace', [cut(4)], [put(4, 'a')]],
    ['another number of carets', [put(4, 'a')], [put(5, 'b'), put(9, 'b')]],
  ])('begins a step: %s', (_, last, next) => {
    expect(joins(last, next)).toBe(false)
  })

  it('begins a step in another cell, and where nothing was typed', () => {
    expect(joins([put(4, 'a')], [put(5, 'b')], 'b')).toBe(false)
    expect(goesOn(null, { key: 'a', changes: [put(0, 'a')] })).toBe(false)
  })
})

describe('the place of a change', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id): PageCell => ({ key: id, id, kind: 'code', source: '' })) as [
    PageCell,
    PageCell,
    PageCell,
  ]
  const place = (from: PageCell[], to: PageCell[]) => {
    const found = placeOfChange(from, to)
    return found && `${found.cell.id}${found.changed ? ' changed' : ''}`
  }
  it('is the cell that is new or another, that was moved, or that stands where one was', () => {
    expect(place([a, b], [a, { ...b, source: 'x' }])).toBe('b changed')
    expect(place([a, b], [a, c, b])).toBe('c changed')
    expect(place([a, b, c], [b, c, a])).toBe('a')
    expect(place([a, b, c], [c, a, b])).toBe('c')
    expect(place([a, b, c], [a, c])).toBe('c')
    expect(place([a, b], [a])).toBe('a')
    expect(place([a], [])).toBeNull()
  })
})
