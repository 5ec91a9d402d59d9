import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Confusion } from '../../../renderer/study/Confusion.tsx'

const html = (classes: string[], confusion: number[][], accuracy: (number | null)[]) =>
  renderToStaticMarkup(
    <Confusion split="eval" report={{ kind: 'classification', classes, confusion, accuracy, wrong: [] }} />,
  )

describe('Confusion', () => {
  it('has a row a class, its counts darker by their share, and the share that is right', () => {
    const matrix = [
      [3, 1],
      [0, 0],
    ]
    const text = html(['cat', 'dog'], matrix, [0.75, null])
    expect([...text.matchAll(/<th scope="row">(\w+)/g)].map(([, name]) => name)).toEqual(['cat', 'dog'])
    const cells = [...text.matchAll(/<td class="number"(?: style="[^"]*accent\) ([\d.]+)%[^"]*")?>([^<]*)/g)]
    expect(cells.map(([, share, content]) => [share, content])).toEqual([
      ['37.5', '3'],
      ['12.5', '1'],
      [undefined, '75.0 %'],
      ['0', '·'],
      ['0', '·'],
      [undefined, '–'],
    ])
  })

  it('says so where there are too many classes', () => {
    const many = Array.from({ length: 21 }, (_, i) => `c${i}`)
    expect(html(many, [], [])).toContain('eval: 21 classes, too many for a matrix')
  })
})
