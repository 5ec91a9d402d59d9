import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** What the lint says of a file with this line in a folder of `room`. */
function lint(room: string, line: string): string {
  const folder = join(root, room, `probe-${process.pid}-${made.length}`)
  mkdirSync(folder)
  made.push(folder)
  writeFileSync(join(folder, 'probe.ts'), `${line}\n`)
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', join(folder, 'probe.ts')], { cwd: root })
  return `${stdout}${stderr}`
}

describe('the import direction is a lint rule that bites', () => {
  it.each([
    ['engine', "import '../../app/host.ts'"],
    ['engine', "import '../../renderer/kernel/client.ts'"],
    ['engine', "import '../../experiments/first-comparison.ts'"],
    ['experiments', "import '../../engine/index.ts'"],
    ['app', "import '../../renderer/kernel/client.ts'"],
    ['app', "await import('../../renderer/kernel/client.ts')"],
    ['renderer', "import '../../app/host.ts'"],
    ['renderer', "import '../../tests/setup.ts'"],
  ])('%s: %s', (room, line) => {
    expect(lint(room, line)).toMatch(/must not import|import 'mixlab' alone/)
  })
  it.each(["import 'node:fs'", "import 'electron'", "import 'react'"])(
    'engine, which has no environment: %s',
    (line) => {
      expect(lint('engine', line)).toContain('engine imports no environment')
    },
  )
  it('lets through what is allowed', () => {
    expect(lint('renderer', "import '../../engine/index.ts'")).not.toContain('must not import')
  })
})
