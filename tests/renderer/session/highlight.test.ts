import { expect, it, vi } from 'vitest'
import { highlightedPieces } from '../../../renderer/notebook/StaticCode.tsx'

vi.mock('../../../renderer/editor/monaco.ts', () => ({ monaco: {} }))

it('cuts a line where its tokens begin', () => {
  const tokens = [
    { offset: 0, type: 'keyword.ts' },
    { offset: 5, type: '' },
    { offset: 8, type: 'number.float.ts' },
  ]
  expect(highlightedPieces('const a 1', tokens)).toEqual([
    { text: 'const', type: 'keyword' },
    { text: ' a ', type: '' },
    { text: '1', type: 'number' },
  ])
  expect(highlightedPieces('', [])).toEqual([{ text: '', type: '' }])
})
