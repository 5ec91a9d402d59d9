import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { mixlab, NOTEBOOK, sharedFolder, writeNotebook } from './recorder.ts'

/** A workspace with the trained runs of a notebook, one of its models with attention. */
const folder = sharedFolder()
beforeAll(async () => {
  const text = NOTEBOOK.replaceAll('mixer: mixer()', 'vit: vit({ heads: 2 })').replace('mixer, shapes', 'shapes, vit')
  await mixlab(['run', writeNotebook(folder, text), '--workspace', folder])
})

describe('mixlab figure', () => {
  const figure = (...options: string[]) => mixlab(['figure', ...options, '--workspace', folder])
  const files = () => readdirSync(folder).filter((name) => name.startsWith('fig'))

  it('lists what there is, and saves it in every format', async () => {
    expect((await figure('tiny')).out).toContain('curves       the metric over steps')
    for (const format of ['pdf', 'svg', 'tex', 'csv']) {
      const path = join(folder, `figure.${format}`)
      const { code, out } = await figure('tiny', '--chart', 'variants,parameters', '-o', path, '--width', '175mm')
      expect([code, out[0]]).toEqual([0, expect.stringMatching(/figure\.\w+: [\d,]+ bytes$/)])
    }
    expect(readFileSync(join(folder, 'figure.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(readFileSync(join(folder, 'figure.svg'), 'utf8')).toMatch(/width="496.06pt"[\s\S]*>\(b\)<\/text>/)
    expect(readFileSync(join(folder, 'figure.csv'), 'utf8')).toContain('# (a) test/accuracy by variant')
  })

  it('saves some layers of what is inside of models', async () => {
    const path = join(folder, 'layers.csv')
    const { out } = await figure('1', '--chart', 'histograms,norms', '-o', path, '--layers', 'blocks.0')
    expect(out.slice(1).map((line) => line.split('. ')[0])).toEqual([
      '(a) Weights of blocks.0.dense.bias',
      '(b) Weights of blocks.0.dense.weight',
      '(c) Gradient norm by layer',
      '(d) Update ratio by layer',
    ])
  })

  it('saves many panels on pages of paper, and says how a figure without pages comes to fewer', async () => {
    const all = (ending: string) => figure('1', '--chart', 'histograms', '-o', join(folder, `all.${ending}`))
    expect((await all('pdf')).out.at(-1)).toMatch(/^\d+ pages, as one would be more than 22 cm high$/)
    expect((await all('svg')).out.at(-1)).toMatch(
      /^[\d.]+ cm high, more than a page has: choose --layers, or put more of them side by side/,
    )
  })

  it.each([
    ['tiny --chart curvs', "unknown chart 'curvs' (did you mean 'curves'?)"],
    ['tini --chart curves', "tini: no such study (did you mean 'tiny'?)"],
    ['99 --chart curves', '99'],
    ['tiny --chart curves --width 2cm', '--width: 2 cm, expected 4 to 60 cm'],
    ['tiny --chart curves --width wide', "--width: 'wide', expected a width"],
    ['tiny --chart curves --font 6', '--font: 6 pt, expected 7 to 24 pt'],
    ['tiny --chart curves -o /nowhere/a.pdf', "no folder '/nowhere'"],
    ['tiny --chart curves -o figure2.doc', 'expected a path that ends in .pdf'],
    ['tiny --chart grid', "'grid' has nothing to show of 'tiny'"],
    ['tiny --chart curves --metric test/acc', "unknown metric 'test/acc'"],
    ['tiny --chart histograms,gradients --layers block.0', "--layers: unknown layer 'block.0' (known: blocks.0, "],
    ['tiny --chart curves --layers blocks.0', "--layers: 'curves' shows no layers; mixing, filters, "],
    ['tiny --chart norms --example 1', "--example: 'norms' shows no validation example; attention does"],
    ['no.ts --chart curves', 'no such file'],
  ])('says what is wrong with %s, and leaves nothing half-written', async (words, message) => {
    const before = files()
    const { code, err } = await figure('-o', join(folder, 'figure2.pdf'), ...words.split(' '))
    expect([code === 1 || code === 2, err.join(' ')]).toEqual([true, expect.stringContaining(message)])
    expect(files()).toEqual(before)
  })

  it('draws what a validation example attends to, of the model made again', async () => {
    const path = join(folder, 'attention.csv')
    const attention = (...more: string[]) => figure('tiny', '--chart', 'attention', '-o', path, ...more)
    expect((await attention()).out[1]).toMatch(/^The token that asks down, what it attends to across/)
    const [head, ...rows] = readFileSync(path, 'utf8').trim().split('\r\n')
    expect(head).toBe('head,token,0,1,2,3,4')
    for (const row of rows) {
      const [name, , ...shares] = row.split(/,(?=\d)/)
      expect(name).toContain('blocks.0.attn, head')
      expect(shares.reduce((sum, share) => sum + Number(share), 0)).toBeCloseTo(1, 4)
    }
    const first = readFileSync(path, 'utf8')
    await attention('--example', '1')
    expect(readFileSync(path, 'utf8')).not.toBe(first)
    expect((await attention('--example', '100000')).err[0]).toContain(
      "'attention' has nothing to show of 'tiny' at --example 100000",
    )
  })
})
