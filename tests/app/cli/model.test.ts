import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder, mixlab, writeNotebook } from './recorder.ts'

it('prints the parts of a published size, equal blocks as one, and its totals', async () => {
  const { code, out } = await mixlab(['model', 'gmlp-s16', '--open', '0'])
  expect(code).toBe(0)
  const text = out.map((line) => line.replace(/\s+/g, ' '))
  expect(text[0]).toBe('part what output parameters multiply-adds line')
  expect(text).toContain('blocks.0 … blocks.29 (x30) repeated 1 × 196 × 256 18,968,280 4,353,269,760')
  expect(text.at(-1)).toMatch(/^19,422,656 parameters, 4,392,060,928 multiply-adds forward, [\d.]+ MB of activations, /)
})

it('writes a diagram and the table behind it', async () => {
  const folder = freshFolder()
  const [svg, csv] = [join(folder, 'model.svg'), join(folder, 'model.csv')]
  const written = await mixlab(['model', 'resnet20', '-o', svg, '--dark'])
  expect(written.out[0]).toBe(svg)
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [^>]+>\n<title>resnet20<\/title>/)
  await mixlab(['model', 'resnet20', '--against', 'gmlp-ti16', '-o', csv])
  const [heads, first] = readFileSync(csv, 'utf8').split('\r\n')
  expect(heads).toBe('part,what,times,output,parameters,multiply-adds,bytes,line,difference')
  expect(first).toMatch(/,(added|removed|changed)/)
})

it('shows variants of a notebook, and what differs between them', async () => {
  const folder = freshFolder()
  const notebook = writeNotebook(folder)
  const { code, out } = await mixlab(['model', notebook, '--against', 'mixer', '--workspace', folder])
  expect(code).toBe(0)
  expect(out[0]).toMatch(/^part .* difference$/)
  expect(out.filter((line) => / block:2 +added$/.test(line)).length).toBeGreaterThan(0)
  expect(out.at(-2)).toMatch(/^plain against mixer: \d+ operations added, \d+ removed, \d+ changed$/)
  const unknown = await mixlab(['model', notebook, '--variant', 'plan', '--workspace', folder])
  expect(unknown.err).toEqual(["mixlab: --variant: unknown variant 'plan' (did you mean 'plain'?)"])
})

it('refuses what is no model', async () => {
  const err = async (...words: string[]) => (await mixlab(['model', ...words])).err.join()
  expect(await err('gmpl-s16')).toContain("unknown model 'gmpl-s16' (did you mean 'gmlp-s16'?)")
  expect(await err('gmlp-s16', '-o', 'model.png')).toContain('expected a path that ends in .svg or .csv')
  expect(await err('12', '--workspace', freshFolder())).toContain('run 12: no such run')
})
