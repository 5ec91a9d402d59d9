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

  it('says what is wrong, and leaves nothing half-written', async () => {
    const before = files()
    const path = join(folder, 'figure2.pdf')
    const said = async (...options: string[]) => {
      const { code, err } = await figure(...options)
      return `${code} ${err.join(' ')}`
    }
    expect(await said('tiny', '--chart', 'curvs', '-o', path)).toContain(
      "unknown chart 'curvs' (did you mean 'curves'?)",
    )
    expect(await said('tini', '--chart', 'curves', '-o', path)).toContain("tini: no such study (did you mean 'tiny'?)")
    expect(await said('99', '--chart', 'curves', '-o', path)).toMatch(/^[12] .*99/)
    expect(await said('tiny', '--chart', 'curves', '-o', path, '--width', '2cm')).toContain(
      '--width: 2 cm, expected 4 to 60 cm',
    )
    expect(await said('tiny', '--chart', 'curves', '-o', path, '--width', 'wide')).toContain(
      "--width: 'wide', expected a width",
    )
    expect(await said('tiny', '--chart', 'curves', '-o', path, '--font', '6')).toContain(
      '--font: 6 pt, expected 7 to 24 pt',
    )
    expect(await said('tiny', '--chart', 'curves', '-o', '/nowhere/a.pdf')).toContain("no folder '/nowhere'")
    expect(await said('tiny', '--chart', 'curves', '-o', join(folder, 'figure2.doc'))).toContain(
      'expected a path that ends in .pdf',
    )
    expect(await said('tiny', '--chart', 'grid', '-o', path)).toContain("'grid' has nothing to show of 'tiny'")
    expect(await said('tiny', '--chart', 'curves', '--metric', 'test/acc', '-o', path)).toContain(
      "unknown metric 'test/acc'",
    )
    expect(await said('tiny', '--chart', 'histograms,gradients', '-o', path, '--layers', 'block.0')).toContain(
      "--layers: unknown layer 'block.0' (known: blocks.0, ",
    )
    expect(await said('tiny', '--chart', 'curves', '-o', path, '--layers', 'blocks.0')).toContain(
      "--layers: 'curves' shows no layers; mixing, filters, ",
    )
    expect(await said('tiny', '--chart', 'norms', '-o', path, '--example', '1')).toContain(
      "--example: 'norms' shows no validation example; attention does",
    )
    expect(await said('no.ts', '--chart', 'curves', '-o', path)).toContain('no such file')
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
