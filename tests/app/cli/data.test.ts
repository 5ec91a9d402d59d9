import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveFiles } from '../catalogue/file-server.ts'
import { freshFolder, mixlab } from './recorder.ts'

describe('mixlab data', () => {
  it('lists names, sizes, licences and what is there', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'data/mnist'), { recursive: true })
    const { code, out } = await mixlab(['data', '--workspace', folder])
    expect(code).toBe(0)
    expect(out[0]).toMatch(/^name +download +in the workspace +licence$/)
    expect(out[1]).toMatch(/^mnist +11\.6 MB +data\/mnist +CC BY-SA 3\.0$/)
    expect(out.find((line) => line.startsWith('cifar-10 '))).toMatch(/^cifar-10 +170\.1 MB +no +none stated; cite /)
    const listed = JSON.parse((await mixlab(['data', '--json', '--workspace', folder])).out[0] ?? '')
    expect(listed[0]).toMatchObject({ name: 'mnist', bytes: 11_594_722, path: 'data/mnist' })
    expect(listed[1]).toMatchObject({ name: 'fashion-mnist', licence: 'MIT', path: null })
  })
  it('says that a data set is there already', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'data/mnist'), { recursive: true })
    const call = ['data', 'mnist', '--mirror', 'http://127.0.0.1:1', '--workspace', folder]
    expect(await mixlab(call)).toEqual({ code: 0, out: ['mnist is in data/mnist already'], err: [] })
    const { out } = await mixlab([...call, '--json'])
    expect(JSON.parse(out[0] ?? '')).toEqual({ name: 'mnist', path: 'data/mnist', downloaded: false })
  })
  it('refuses what is not the file of the catalogue, drawing its progress until then', async () => {
    const { url, asked } = await serveFiles({ 'wikitext-2-raw-v1.zip': new Uint8Array(4_721_645) })
    const drawn: string[] = []
    const call = ['data', 'wikitext-2', '--mirror', url, '--workspace', freshFolder()]
    const { code, out, err } = await mixlab(call, { redraw: (line) => void drawn.push(line) })
    expect([code, out]).toEqual([1, []])
    expect(err[0]).toMatch(/^mixlab: http:.*\/wikitext-2-raw-v1.zip: SHA-256 [\da-f]{64}, expected ef7edb566e3e2b2d/)
    expect(asked).toEqual(['wikitext-2-raw-v1.zip'])
    expect(drawn.at(-2)).toBe('wikitext-2  ████████████████████  4.7 MB of 4.7 MB')
    expect(drawn.at(-1)).toBe('')
  })
  it('stops when interrupted, and says how to go on', async () => {
    const { url } = await serveFiles({ 'wikitext-2-raw-v1.zip': new Uint8Array(4_721_645) })
    const abort = new AbortController()
    const call = ['data', 'wikitext-2', '--mirror', url, '--workspace', freshFolder()]
    const { code, err } = await mixlab(call, { signal: abort.signal, redraw: () => abort.abort() })
    expect([code, err]).toEqual([130, ['interrupted: the same command goes on from here']])
  })
  it('removes the decoded pictures of the workspace', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, '.mixlab/pictures/64x3-1'), { recursive: true })
    writeFileSync(join(folder, '.mixlab/pictures/64x3-1/a.pack'), new Uint8Array(1_500_000))
    const call = ['data', 'clear', '--workspace', folder]
    expect(await mixlab(call)).toEqual({ code: 0, out: ['1.5 MB of decoded pictures were removed'], err: [] })
    expect((await mixlab([...call, '--json'])).out).toEqual(['{"removed":0}'])
  })
  it('refuses an unknown name', async () => {
    const { code, err } = await mixlab(['data', 'minst', '--workspace', freshFolder()])
    expect([code, err]).toEqual([1, ["mixlab: data: unknown data set 'minst' (did you mean 'mnist'?)"]])
  })
})
