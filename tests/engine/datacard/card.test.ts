import { describe, expect, it } from 'vitest'
import { dataset } from '../../../engine/data/own/dataset.ts'
import { plainPng } from '../data/images/png-file.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { counted, named, opened } from './opened.ts'

const image = (grey: number) => new Uint8Array(16).fill(grey)
const example = (grey: number, label: string) => ({ image: image(grey), label })
const shape = { image: [4, 4, 1] }

/** A data set of a cell with these greys, by part. */
const greys = (train: [number, string][], test: [number, string][]) =>
  dataset('greys', {
    shape,
    read: () => ({
      train: train.map(([grey, label]) => example(grey, label)),
      validation: [example(251, 'a'), example(252, 'b')],
      test: test.map(([grey, label]) => example(grey, label)),
    }),
  })

describe('the card of a data set', () => {
  it('finds planted duplicates between parts, whatever their classes, and names them', async () => {
    const train = Array.from({ length: 20 }, (_, i): [number, string] => [i, i % 2 ? 'a' : 'b'])
    const data = await opened(
      greys(train, [
        [200, 'a'],
        [7, 'b'],
        [201, 'b'],
        [251, 'a'],
      ]),
    )
    const { notices, looked } = await data.card()
    expect(looked).toBe('All examples were read once.')
    expect(notices).toEqual([
      '1 of 4 test examples is also in train: test 1 is train 7.',
      '1 of 4 test examples is also in validation: test 3 is validation 0.',
    ])
  })
  it('tells an imbalance and a class that a part lacks, and nothing of equal classes', async () => {
    const train = Array.from({ length: 40 }, (_, i): [number, string] => [i, i < 36 ? 'a' : 'b'])
    const { notices, classes } = await (await opened(greys(train, [[99, 'a']]))).card()
    expect(notices).toEqual([
      "Classes are unequal: of 40 examples of train 'a' has 36 (90.0%), 'b' has 4 (10.0%).",
      "No test example has the class 'b'.",
    ])
    expect(classes?.list.map(({ name, counts }) => [name, ...counts])).toEqual([
      ['a', 36, 1, 1],
      ['b', 4, 1, 0],
    ])
    expect(classes?.list[1]?.example?.title).toMatch(/^train /)
    const equal = await opened(
      greys(
        [
          [1, 'a'],
          [2, 'b'],
          [3, 'a'],
        ],
        [
          [4, 'a'],
          [5, 'b'],
        ],
      ),
    )
    expect((await equal.card()).notices).toEqual([])
  })
  it('opens a folder with a broken picture, names that, and reads no file more than twice', async () => {
    const files: Record<string, Uint8Array | string> = { 'd/LICENSE': 'CC0 1.0\nmore' }
    for (let i = 0; i < 8; i++) files[`d/cat/${i}.png`] = plainPng(5, 5, i)
    for (let i = 0; i < 8; i++) files[`d/dog/${i}.png`] = plainPng(5, 5, 100 + i)
    files['d/dog/3.png'] = Uint8Array.of(1, 2, 3)
    const { files: source, reads } = counted(memoryFiles(files))
    const data = await opened(named('folder', { path: 'd', size: 4 }), source)
    const card = await data.card()
    expect(card.notices[0]).toMatch(/^Files cannot be read: training stops there/)
    expect(card.notices[1]).toBe('1 of 16 files left out as unreadable')
    expect(card.notices[2]).toMatch(/^d\/dog\/3\.png: /)
    expect(card).toMatchObject({ licence: 'CC0 1.0 (LICENSE)', source: 'files of the workspace: d' })
    await data.samples({ seed: 1, from: 0, count: 4 })
    await data.batch({ seed: 1, step: 0, count: 4 })
    expect(Math.max(...reads.values())).toBe(4) // to digest and to decode, until the broken one was met and without it
  })
  it('reads each file once to digest and once to decode it, also for samples and batches', async () => {
    const files: Record<string, Uint8Array> = {}
    for (let i = 0; i < 12; i++) files[`d/${i % 2 ? 'a' : 'b'}/${i}.png`] = plainPng(5, 5, 10 * i)
    const { files: source, reads } = counted(memoryFiles(files))
    const data = await opened(named('folder', { path: 'd', size: 4 }), source)
    await data.card()
    await data.samples({ split: 'test', seed: 0, from: 0, count: 9 })
    await data.batch({ seed: 3, step: 2, count: 9 })
    expect([...reads.values()]).toEqual(Array.from({ length: 12 }, () => 2))
  })
})
