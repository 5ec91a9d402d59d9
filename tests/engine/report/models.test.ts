import { expect, it } from 'vitest'
import type { Diagram } from '../../../engine/diagram/diagram.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import { modelsHtml, reportModels } from '../../../engine/report/models.ts'

/** A model of these operations, one after the other. */
function diagram(...names: string[]): Diagram {
  const costs = { parameters: 1, macs: 2, bytes: 4 }
  const operations = names.map((name, i) => ({
    ...{ name, kernel: name, attributes: '{}', shapes: [[1, 2]], view: false, scopes: [], place: null, ...costs },
    inputs: [{ shape: [1, 2], ...(i > 0 && { operation: i - 1 }) }],
  }))
  const totals = { parameters: names.length, macs: 2 * names.length, bytes: 4 * names.length }
  return { name: 'run', input: [1, 2], operations, blockEnds: [], totals, peakBytes: 8, wrong: null }
}

const MODELS: Record<string, Diagram> = { plain: diagram('relu', 'add'), gated: diagram('relu', 'mul', 'add') }
const RUNS = ['gated', 'plain', 'lost <b>'].map((variant) => ({ variant }) as StoredRunDetails)
const read = () =>
  reportModels(RUNS, 'plain', async ({ variant }) => {
    const known = MODELS[variant]
    if (!known) throw new Error('its data are <gone>')
    return known
  })

it('the baseline comes first, the others are what differs from it', async () => {
  const [plain, gated, lost] = await read()
  expect([plain?.variant, plain?.text]).toEqual([
    'plain',
    '2 parameters, 4 multiply-adds forward, 8 B of activations, for a batch of one.',
  ])
  expect(gated?.text).toContain('gated against plain: 1 operations added, 0 removed, 0 changed. 3 parameters')
  expect([gated?.svg, plain?.svg].map((svg) => svg?.includes('+ mul'))).toEqual([true, false])
  expect(lost).toEqual({ variant: 'lost <b>', svg: null, text: 'No diagram: its data are <gone>' })
})

it('a page has them as pictures of their own, and nothing where there are none', async () => {
  const page = modelsHtml(await read())?.html ?? ''
  const pictures = [
    ...page.matchAll(/<img class="diagram" src="data:image\/svg\+xml;base64,([^"]+)" alt="Diagram of (\w+)">/g),
  ]
  expect(pictures.map(([, , variant]) => variant)).toEqual(['plain', 'gated'])
  expect(Buffer.from(pictures[0]?.[1] ?? '', 'base64').toString()).toMatch(/^<svg xmlns/)
  expect(page).not.toMatch(/<style|<b>|<gone>/)
  expect(modelsHtml([])).toBeNull()
})
