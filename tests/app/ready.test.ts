import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { defaultWorkspace, ensureReadyNotebook } from '../../app/ready.ts'
import { freshFolder } from './store/samples.ts'

let folder: string
beforeEach(() => {
  folder = freshFolder()
})

describe('defaultWorkspace', () => {
  it('is Mixlab in the home folder', () => {
    expect(defaultWorkspace({}, folder)).toBe(join(folder, 'Mixlab'))
    expect(defaultWorkspace({ MIXLAB_WORKSPACE: '' }, folder)).toBe(join(folder, 'Mixlab'))
  })

  it('is what MIXLAB_WORKSPACE names, made absolute', () => {
    expect(defaultWorkspace({ MIXLAB_WORKSPACE: folder }, '/home/ada')).toBe(folder)
    expect(defaultWorkspace({ MIXLAB_WORKSPACE: 'here' }, '/home/ada')).toBe(resolve('here'))
  })
})

describe('ensureReadyNotebook', () => {
  it('makes the workspace and puts the ready notebook into it', () => {
    const workspace = join(folder, 'new', 'workspace')
    expect(ensureReadyNotebook(workspace)).toBe('first-comparison.ts')
    const original = resolve(import.meta.dirname, '../../experiments/first-comparison.ts')
    expect(readFileSync(join(workspace, 'first-comparison.ts'), 'utf8')).toBe(readFileSync(original, 'utf8'))
  })

  it('leaves an edited ready notebook as it is', () => {
    writeFileSync(join(folder, 'first-comparison.ts'), '// %% mine\n')
    expect(ensureReadyNotebook(folder)).toBe('first-comparison.ts')
    expect(readFileSync(join(folder, 'first-comparison.ts'), 'utf8')).toBe('// %% mine\n')
  })

  it('names the notebook last written, and adds none', () => {
    for (const [name, seconds] of [
      ['a.ts', 1000],
      ['b.ts', 3000],
      ['c.ts', 2000],
    ] as const) {
      writeFileSync(join(folder, name), '')
      utimesSync(join(folder, name), seconds, seconds)
    }
    expect(ensureReadyNotebook(folder)).toBe('b.ts')
    expect(readdirSync(folder).sort()).toEqual(['.mixlab', 'a.ts', 'b.ts', 'c.ts'])
  })

  it('takes neither folders, nor type declarations, nor other files for notebooks', () => {
    mkdirSync(join(folder, 'folder.ts'))
    writeFileSync(join(folder, 'mixlab.d.ts'), '')
    writeFileSync(join(folder, 'notes.md'), '')
    expect(ensureReadyNotebook(folder)).toBe('first-comparison.ts')
  })

  it('refuses a workspace that is a file, naming it', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => ensureReadyNotebook(file)).toThrow(expect.objectContaining({ code: 'store', path: file }))
  })
})
