import { expect, it } from 'vitest'
import { imagePart, maskPart, pointsPart, seriesPart } from '../../../engine/datacard/parts.ts'
import type { DataBody } from '../../../engine/datacard/schema.ts'
import { dataPage } from '../../../engine/report/index.ts'
import { readOutput } from '../../../engine/report/output.ts'
import { valueHtml } from '../../../engine/report/values.ts'

const BODY: DataBody = {
  type: 'data',
  card: {
    name: 'd',
    expression: 'd()',
    kind: 'images',
    task: 'image',
    splits: [{ name: 'train', size: 1200, unit: 'examples' }],
    shape: 'image [1, 1, 1]',
    classes: { of: 'examples', list: [{ name: '<b>', counts: [1200], example: null }], left: 0 },
    source: 'a cell',
    licence: null,
    hash: 'abc',
    notices: ['<script>alert(1)</script>'],
    looked: 'All examples were read once.',
  },
  samples: {
    title: 'train',
    notes: [],
    samples: [
      {
        title: 'train 0',
        parts: [
          { name: 'image', part: imagePart([1], [1, 1, 1]) },
          { name: 'mask', part: maskPart([1], [1, 1], ['ground', '<i>']) },
          { name: 'points', part: pointsPart([0, 0, 1]) },
          { name: 'series', part: seriesPart([1, 2, 3], 1, 2) },
          {
            name: 'text',
            part: { type: 'tokens', left: 3, tokens: [{ text: '<u>', id: 7, is: 'masked', was: 'a & b' }] },
          },
        ],
      },
    ],
  },
  batch: null,
}

it('shows data in a report, each kind of part, and escapes what they hold', () => {
  const shown = { kind: 'data set', text: 'd', body: BODY }
  const stored = { version: 1, console: [], displays: [shown], value: null, studies: [] }
  const [read] = readOutput(stored)?.displays ?? []
  if (!read) throw new Error('it is not read')
  const { html } = valueHtml(read)
  for (const part of ['<img ', '<svg class="cloud"', '<svg class="series"', 'data-is="masked"', '1,200']) {
    expect(html).toContain(part)
  }
  expect(html).not.toMatch(/<script|<b>|<i>|<u>/)
  expect(html).toContain('a &#38; b')
})
it('leaves out data that are not of the form of data', () => {
  const wrong = { kind: 'data set', text: 'd', body: { ...BODY, samples: { title: 3 } } }
  const stored = { console: [], displays: [wrong], value: null, studies: [] }
  expect(readOutput(stored)?.displays[0]).toMatchObject({ text: 'd', body: undefined })
})
it('is a page by itself, which asks for nothing from elsewhere', () => {
  const page = dataPage(BODY)
  expect(page).toContain(`default-src 'none'; style-src 'unsafe-inline'; img-src data:`)
  expect(page).not.toMatch(/(src|href)="(?!data:)/)
})
