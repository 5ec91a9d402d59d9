import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { sourceFiles } from './imports.ts'

const root = resolve(import.meta.dirname, '..')

it('no test has a limit of its own, which a busy machine would break', () => {
  const limited = sourceFiles(root, 'tests')
    .filter((file) => file !== 'tests/patience.test.ts')
    .filter((file) => /vi\.waitFor\(|\btimeout: \d|^\s*\}, [\d_]{4,}\)$/im.test(readFileSync(join(root, file), 'utf8')))
  expect(limited, 'expect.poll waits for as long as tests/patience.ts says').toEqual([])
})
