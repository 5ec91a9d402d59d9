import { describe, expect, it } from 'vitest'
import { catalogue, catalogueEntry, catalogueFolder } from '../../../../engine/data/catalogue/index.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import { corpora } from '../../../../engine/data/text/index.ts'
import { idxImages, idxLabels } from '../images/idx-bytes.ts'
import { memoryFiles } from '../memory-files.ts'

const PAIRS = {
  'train-images-idx3-ubyte': idxImages(20),
  'train-labels-idx1-ubyte': idxLabels([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
  't10k-images-idx3-ubyte': idxImages(2),
  't10k-labels-idx1-ubyte': idxLabels([3, 9]),
}
const inFolder = (path: string) =>
  Object.fromEntries(Object.entries(PAIRS).map(([name, bytes]) => [`${path}/${name}`, bytes]))

describe('the catalogue', () => {
  it('has names, files and checksums of their own', () => {
    const files = catalogue.flatMap((entry) => entry.files)
    for (const values of [catalogue.map(({ name }) => name), files.map(({ url }) => url), files.map((f) => f.sha256)]) {
      expect(new Set(values).size).toBe(values.length)
    }
    for (const { name, url, bytes, sha256, archive } of files) {
      expect(url).toMatch(new RegExp(`^https://.*/${name}$`))
      expect(sha256).toMatch(/^[\da-f]{64}$/)
      expect(bytes).toBeGreaterThan(1000)
      expect(archive === undefined || name.endsWith(archive)).toBe(true)
    }
  })
  it('finds an entry and its folder', () => {
    expect(catalogueFolder(catalogueEntry('cifar-10'))).toBe('data/cifar-10')
    expect(() => catalogueEntry('cifar-11')).toThrow("data: unknown data set 'cifar-11' (did you mean 'cifar-10'?)")
  })
})

describe('a data set of the catalogue', () => {
  it('is what its folder in the workspace holds', async () => {
    const data = await imageData.open('mnist', memoryFiles(inFolder('data/mnist')))
    expect(data).toMatchObject({ name: 'mnist', shape: [2, 3, 1], test: { size: 2 } })
    expect([data.train.size, data.validation.size]).toEqual([18, 2])
    const byPath = { dataset: 'idx', options: { path: 'd' } }
    expect(data.hash).toBe((await imageData.open(byPath, memoryFiles(inFolder('d')))).hash)
  })
  it('has class names', async () => {
    const { classes } = await imageData.open('fashion-mnist', memoryFiles(inFolder('data/fashion-mnist')))
    expect(classes).toHaveLength(10)
    expect(classes[9]).toBe('Ankle boot')
  })
  it('is running text', async () => {
    const folder = 'data/wikitext-2'
    const names = ['train', 'valid', 'test'].map((split) => [`${folder}/wiki.${split}.raw`, ` = ${split} = \n`])
    const corpus = await corpora.open('wikitext-2', memoryFiles(Object.fromEntries(names)))
    expect(corpus.name).toBe('wikitext-2')
    expect(await corpus.train.read(0, 100)).toBe(' = train = \n')
    expect(await corpus.validation.read(0, 100)).toBe(' = valid = \n')
    expect(await corpus.test.read(0, 100)).toBe(' = test = \n')
    await expect(corpora.open('wikitext-2', memoryFiles({}))).rejects.toThrow("run 'mixlab data wikitext-2'")
  })
  it.each(['mnist', 'fashion-mnist', 'cifar-10', 'cifar-100'])('says how to get %s', async (name) => {
    await expect(imageData.open(name, memoryFiles({}))).rejects.toMatchObject({
      code: 'data',
      message: `${name}: not downloaded to data/${name}: run 'mixlab data ${name}' in the workspace`,
    })
  })
  it('keeps other errors of its folder', async () => {
    const files = memoryFiles({ 'data/cifar-10/readme.html': '' })
    await expect(imageData.open('cifar-10', files)).rejects.toThrow('data/cifar-10: no CIFAR files')
  })
  it('takes no options', () => {
    const spec = { dataset: 'mnist', options: { path: 'elsewhere' } }
    expect(() => imageData.resolve(spec)).toThrow("task.data: unknown option 'path'")
  })
})
