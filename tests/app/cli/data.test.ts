import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainPng } from '../../engine/data/images/png-file.ts'
import { serveFiles } from '../catalogue/file-server.ts'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from './recorder.ts'

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

describe('mixlab data show', () => {
  it('shows a folder of pictures with a broken one, and writes it as a page', async () => {
    const workspace = freshFolder()
    for (const name of ['cat', 'dog']) {
      mkdirSync(join(workspace, 'data/pets', name), { recursive: true })
      for (let i = 0; i < 8; i++) writeFileSync(join(workspace, 'data/pets', name, `${i}.png`), plainPng(9, 9, 10 * i))
    }
    writeFileSync(join(workspace, 'data/pets/dog/5.png'), 'no picture')
    const file = join(workspace, 'pets.html')
    const call = ['data', 'show', join(workspace, 'data/pets'), '--workspace', workspace]
    const { code, out, err } = await mixlab([...call, '--json', '-o', file])
    expect([code, err]).toEqual([0, []])
    const { card, batch } = JSON.parse(out[0] ?? '')
    expect(card.notices.join('\n')).toMatch(/pets\/dog\/5\.png/)
    expect(card.notices.join('\n')).toMatch(/test examples (is|are) also in train/) // each grey is in both folders
    expect(batch.samples.length).toBeGreaterThan(0)
    expect(readFileSync(file, 'utf8')).toContain('<h1>folder(')
  })
  it('says what it passes over in a folder, as a plan, a run and what is stored of it do', async () => {
    const workspace = freshFolder()
    const write = (path: string, bytes: Uint8Array | string) => {
      mkdirSync(join(workspace, 'signs', path, '..'), { recursive: true })
      writeFileSync(join(workspace, 'signs', path), bytes)
    }
    for (const [part, count] of [['Train', 8] as const, ['Test', 4] as const])
      for (let i = 0; i < count; i++) {
        write(`${part}/stop/${i}.PNG`, plainPng(9, 9, i))
        write(`${part}/go/${i}.jpeg`, plainPng(9, 9, 200 + i))
      }
    for (let i = 0; i < 4; i++) write(`Train/go/${i}.ppm`, 'P3 1 1 255 0 0 0')
    write('Train/stop/none', plainPng(9, 9, 99))
    write('annotations/a.xml', '<a/>')
    write('Train/go/Thumbs.db', '')
    symlinkSync('nowhere.png', join(workspace, 'signs/Train/stop/gone.png'))
    symlinkSync('..', join(workspace, 'signs/Train/stop/up'))
    const notice =
      'signs: passed over 1 folder (annotations); 4 files ending in .ppm (Train/go/0.ppm, Train/go/1.ppm, Train/go/2.ppm ' +
      'and 1 more); 2 paths behind which there is no file (Train/stop/gone.png, Train/stop/up); 1 file without an ' +
      'ending (Train/stop/none)'
    const at = ['--workspace', workspace]

    const shown = await mixlab(['data', 'show', "folder({ path: 'signs', size: 8 })", ...at, '--json'])
    const { card } = JSON.parse(shown.out[0] ?? '')
    expect(card.classes.list.map(({ name, counts }: { name: string; counts: number[] }) => [name, counts[2]])).toEqual([
      ['go', 4],
      ['stop', 4],
    ])
    expect(card.notices).toContain(notice)

    const data = "image({ data: folder({ path: 'signs', size: 16 }) })"
    const text = NOTEBOOK.replace(/image\(.*\)/, data)
      .replace('shapes }', 'folder }')
      .replace('seeds: 2', 'seeds: 1')
    const notebook = writeNotebook(workspace, text)
    expect((await mixlab(['plan', notebook, ...at])).err).toEqual([notice])
    const run = await mixlab(['run', notebook, '--only', 'mixer', ...at])
    expect([run.code, run.err.filter((line) => line === notice)]).toEqual([0, [notice]])
    const stored = await mixlab(['show', '1', ...at])
    expect(stored.out).toContain(`notices      ${notice}`)
  })
  it('shows the batch of a study of a notebook in lines of at most 80 characters', async () => {
    const workspace = freshFolder()
    const notebook = writeNotebook(workspace, NOTEBOOK)
    const call = ['data', 'show', 'tiny', '--notebook', notebook, '--batch', '--workspace', workspace]
    const { code, out } = await mixlab(call)
    expect(code).toBe(0)
    expect(out[0]).toBe('shapes({ train: 64, test: 20 }): images with a class each, read for image()')
    expect(out).toContain('Batch: 4 of 8 examples of the batch of step 0, seed 0')
    expect(Math.max(...out.map((line) => line.length))).toBeLessThanOrEqual(80)
  })
  it.each([
    [['show'], "data show: expected a data set, e.g. shapes, idx({ path: 'digits' }) or a folder"],
    [['show', './nothing'], "data show: './nothing': no such file or folder"],
    [['show', 'shapes', '--seed', 'x'], "--seed: 'x', expected a whole number of at least 0"],
    [['show', 'shapes', '-o', 'shapes.txt'], "--output: '.txt', expected a file .html"],
    [['show', 'shapes', '--run', '1'], "--run: stands beside 'shapes', expected one of them"],
    [['show', '--run', '1'], 'run 1: no such run, the workspace has no runs yet'],
    [['mnist', '--batch'], '--batch: is of mixlab data show'],
    [['mnist', 'shapes'], "data: 'mnist shapes', expected one name, or show and a data set"],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await mixlab(['data', ...words, '--workspace', freshFolder()])
    expect([code, err]).toEqual([1, [`mixlab: ${message}`]])
  })
})
