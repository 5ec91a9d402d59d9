import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder } from './store/samples.ts'

const script = join(import.meta.dirname, '../../app/mixlab.js')

/** What the command line says in a shell with a limit. */
function limited(limit: string, ...words: string[]) {
  const call = `ulimit ${limit} && exec "$0" "$@"`
  const given = [process.execPath, script, ...words, '--workspace', freshFolder()]
  const { status, stdout, stderr } = spawnSync('/bin/bash', ['-c', call, ...given], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

// other systems do not tell a program its limits
it.runIf(process.platform === 'linux')('a shell that allows too few open files is told how many are needed', () => {
  for (const command of [['runs'], ['serve', '--port', '0'], ['run', 'a.ts']]) {
    expect(limited('-n 28', ...command)).toEqual({
      status: 1,
      stdout: '',
      stderr: "mixlab opens up to 64 files at once, and 'ulimit -n' allows 28 here; 'ulimit -n 1024' allows more\n",
    })
  }
  expect(limited('-n 64', 'runs')).toMatchObject({ status: 0, stderr: '' })
})

it.runIf(process.platform === 'linux')('a shell that allows few addresses is told what training needs', () => {
  const { status, stderr } = limited('-v 8000000', 'runs')
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^mixlab: 'ulimit -v' allows 7\.6 GB of addresses here, .*\n$/),
  ])
})
