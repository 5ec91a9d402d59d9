import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainPng } from '../../../engine/data/images/png-file.ts'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from '../recorder.ts'

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
