import { describe, expect, it, vi } from 'vitest'
import { pointData } from '../../../../engine/data/points/index.ts'
import type { PointBatch, Split } from '../../../../engine/data/types.ts'
import { memoryFiles } from '../memory-files.ts'

// what a loader reads is looked at before it is divided, which splits.test.ts looks at
vi.mock(import('../../../../engine/data/splits.ts'), async (original) => ({
  ...(await original()),
  splitThreeWays: ({ train, validation = train }) => ({ train, validation }),
}))

type Files = Record<string, Uint8Array | string>

const open = (files: Files, options: Record<string, unknown> = {}) =>
  pointData.open({ dataset: 'pointFiles', options: { path: 'd', points: 16, ...options } }, memoryFiles(files))
const everything = (split: Split<PointBatch>) => split.read(Array.from({ length: split.size }, (_, i) => i))

/** A tetrahedron as ModelNet writes meshes, its tip at `height`. */
const mesh = (height: number) => `OFF4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 ${height}\n3 0 1 2\n3 0 1 3\n3 1 2 3\n3 2 0 3\n`

/** Some files `name_0001.off` and so on in a folder, all different. */
function meshes(folder: string, count: number, from = 1): Files {
  const name = (i: number) => `${folder}/chair_${String(i).padStart(4, '0')}.off`
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [name(from + i), mesh(from + i)]))
}

const modelNet = {
  'd/README.txt': 'ModelNet',
  'd/.cache/a.off': '',
  ...meshes('d/bed/train', 4),
  ...meshes('d/bed/test', 2, 5),
  ...meshes('d/chair/train', 3, 7),
  ...meshes('d/chair/test', 1, 10),
  'd/chair/test/.DS_Store': '',
}

describe('pointFiles', () => {
  it('reads the folders of ModelNet', async () => {
    const data = await open(modelNet)
    expect(data).toMatchObject({ name: 'pointFiles', classes: ['bed', 'chair'], points: 16 })
    const [train, test] = [await everything(data.train), await everything(data.test)]
    expect([...train.labels]).toEqual([0, 0, 0, 0, 1, 1, 1])
    expect([...test.labels]).toEqual([0, 0, 1])
    expect(train.points).toHaveLength(7 * 16 * 3)
    expect(Math.max(...train.points.map(Math.abs))).toBeLessThanOrEqual(1)
  })

  it('holds out the same share of each class where the files are not split, by the seed', async () => {
    const files = { ...meshes('d/bed', 10), ...meshes('d/chair', 5, 20) }
    const data = await open(files)
    expect([...(await everything(data.test)).labels]).toEqual([0, 0, 1])
    expect((await everything(data.train)).labels).toHaveLength(12)
    expect((await open(files, { holdout: 0.5 })).test.size).toBe(8)
  })

  it('reads meshes and clouds side by side', async () => {
    const cloud = '0 0 0 1 0 0\n1 0 0 0 1 0\n0 1 0 0 0 1\n'
    const data = await open({ ...meshes('d/a', 2), 'd/b/1.xyz': cloud, 'd/b/2.XYZ': cloud, 'd/b/note.txt': '' })
    expect([data.train.size, data.test.size]).toEqual([2, 2])
    expect((await everything(data.train)).points.every(Number.isFinite)).toBe(true)
  })

  it('knows parts by other names, above the classes too, and a validation part', async () => {
    const above = { ...meshes('d/Train/a', 3), ...meshes('d/Train/b', 3, 9), ...meshes('d/Testing/a', 2, 20) }
    const data = await open({ ...above, ...meshes('d/dev/b', 1, 30) })
    expect([data.train.size, data.validation.size, data.test.size, data.classes]).toEqual([6, 1, 2, ['a', 'b']])
    expect(data.warnings).toEqual(["No test example has the class 'b'.", "No validation example has the class 'a'."])
    const within = Object.fromEntries(
      Object.entries(modelNet).map(([path, text]) => [
        path.replace('/train/', '/TRAIN/').replace('/test/', '/val/'),
        text,
      ]),
    )
    expect([(await open(within)).train.size, (await open(within)).test.size]).toEqual([7, 3])
    expect((await open(within)).hash).not.toBe((await open(modelNet)).hash)
  })

  it('counts and names what it passes over', async () => {
    const more = {
      'd/bed/train/a.ply': 'ply',
      'd/bed/train/deep/b.off': mesh(1),
      'd/bed/c.off': mesh(1),
      'd/chair/test/d': '',
    }
    const { hash, warnings } = await open({ ...modelNet, ...more })
    expect(warnings).toEqual([
      'd: passed over 1 file outside of the class folders (bed/c.off); 1 file ending in .ply (bed/train/a.ply); 1 folder ' +
        '(bed/train/deep); 1 file without an ending (chair/test/d)',
    ])
    expect([hash, (await open(modelNet)).warnings]).toEqual([(await open(modelNet)).hash, []])
  })

  it('takes other points of a mesh for another seed, the same ones for the same', async () => {
    const first = async (options = {}) => (await open(modelNet, options)).train.read([0])
    expect(await first()).toEqual(await first())
    expect(await first({ seed: 1 })).not.toEqual(await first())
    expect((await first({ points: 32 })).points).toHaveLength(96)
  })

  it('has a hash of options and contents, not of the place', async () => {
    const { hash } = await open(modelNet)
    const moved = Object.fromEntries(Object.entries(modelNet).map(([path, text]) => [path.replace('d/', 'e/'), text]))
    expect((await open(moved, { path: 'e/' })).hash).toBe(hash)
    const changed = { ...modelNet, 'd/bed/train/chair_0001.off': mesh(99) }
    const renamed = { ...modelNet, ...meshes('d/bed/train', 1, 50) }
    for (const files of [changed, renamed]) expect((await open(files)).hash).not.toBe(hash)
    for (const options of [{ points: 8 }, { seed: 1 }]) expect((await open(modelNet, options)).hash).not.toBe(hash)
  })

  it('names the file and the line of what cannot be read', async () => {
    const whole = mesh(1)
    const broken = async (text: string) => {
      const data = await open({ ...modelNet, 'd/bed/train/chair_0001.off': text })
      await data.train.read([1])
      return data.train.read([0])
    }
    const name = 'd/bed/train/chair_0001.off: '
    await expect(broken('')).rejects.toThrow(`${name}empty file`)
    await expect(broken(whole.slice(0, -4))).rejects.toThrow(`${name}line 9: a face of 3 corners with 1 vertices`)
    await expect(broken(whole.slice(0, 30))).rejects.toThrow(`${name}line 5: too short, expected a vertex as x y z`)
    await expect(broken('\u0089PNG')).rejects.toThrow(`${name}line 1: '\u0089PNG', expected OFF`)
  })

  it.each<[string, Files, string]>([
    ['no classes', { 'd/a.off': mesh(1) }, 'd: no class folders, expected at least 2'],
    ['one class', meshes('d/a', 3), 'd: 1 class folder (a), expected at least 2'],
    ['a class without clouds', { ...meshes('d/a', 3), 'd/b/1.ply': '' }, 'd/b: no .off or .xyz files'],
    [
      'a class that is not split',
      { ...modelNet, ...meshes('d/desk', 3) },
      'd/desk/train: no such folder, though the files are split into train and test',
    ],
    [
      'nothing to test on',
      { ...meshes('d/a/train', 3), ...meshes('d/b/train', 3) },
      'd/a/test: no such folder, though the files are split into train and test',
    ],
    [
      'classes too small to hold anything out',
      { ...meshes('d/a', 1), ...meshes('d/b', 1) },
      'd: no files left to test on',
    ],
  ])('refuses %s', async (_, files, message) => {
    await expect(open(files)).rejects.toThrow(message)
  })

  it('leaves out files that cannot be read, where asked, and names them', async () => {
    const bad = { 'd/bed/train/a.off': 'OFF\nno mesh', 'd/chair/test/b.off': '' }
    const { train, test, warnings } = await open({ ...modelNet, ...bad }, { skipUnreadable: true })
    expect([train.size, test.size]).toEqual([7, 3])
    expect(warnings).toEqual([
      '2 of 12 files left out as unreadable',
      expect.stringContaining('d/bed/train/a.off: '),
      expect.stringContaining('d/chair/test/b.off: '),
    ])
    const all = await open({ ...modelNet, ...bad })
    await expect(everything(all.train)).rejects.toThrow('(skipUnreadable: true leaves it out)')
    expect((await open(modelNet)).hash).toBe((await open(modelNet, { skipUnreadable: false })).hash)
    await expect(
      open({ ...modelNet, ...meshes('d/x/test', 1), 'd/x/train/a.off': '' }, { skipUnreadable: true }),
    ).rejects.toThrow("d: no readable files of class 'x'")
  })
  it('refuses a file that is too large, before it reads it', async () => {
    const files = memoryFiles(modelNet)
    const list = files.list
    files.list = async (path) =>
      (await list(path)).map((entry) => (entry.name === 'chair_0010.off' ? { ...entry, size: 2 ** 28 + 1 } : entry))
    const opened = pointData.open({ dataset: 'pointFiles', options: { path: 'd' } }, files)
    await expect(opened).rejects.toThrow('d/chair/test/chair_0010.off: 268435457 bytes, at most 268435456')
    expect(files.reads).toEqual([])
  })

  it.each([
    [{ points: 4 }, 'task.data.points: 4, expected at least 8'],
    [{ holdout: 1 }, 'task.data.holdout: 1, expected less than 1'],
    [{ path: '' }, 'task.data.path'],
    [{ paths: 'd' }, "unknown option 'paths' (did you mean 'path'?)"],
  ])('refuses %j', async (options, message) => {
    await expect(open(modelNet, options)).rejects.toThrow(message)
  })
})
