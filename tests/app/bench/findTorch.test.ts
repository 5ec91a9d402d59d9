import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findTorch } from '../../../app/bench/peers.ts'

/** A folder with a python3 that says these lines, or fails. */
async function pythonSaying(root: string, name: string, lines: string[] | null): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder)
  const script = lines ? `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}` : 'exit 1'
  await writeFile(join(folder, 'python3'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'python3'), 0o755)
  return folder
}

it('takes the newest PyTorch of all Pythons', async () => {
  const root = await mkdtemp(join(tmpdir(), 'mixlab-torch-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const old = await pythonSaying(root, 'old', ['2.9.1', '', 'False'])
  const recent = await pythonSaying(root, 'recent', ['2.13.0+cpu', 'H100', 'True'])
  const none = await pythonSaying(root, 'none', null)
  expect(await findTorch([none, old, recent, join(root, 'gone')])).toEqual({
    python: join(recent, 'python3'),
    version: '2.13.0+cpu',
    cuda: 'H100',
    hasBlasThreads: false,
  })
  expect(await findTorch([old])).toMatchObject({ version: '2.9.1', cuda: null, hasBlasThreads: true })
  expect(await findTorch([none])).toBe(null)
})
