import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
// beside the project: other tests read its folders meanwhile, and a folder that has changed is built again
const place = mkdtempSync(join(tmpdir(), 'mixlab-lint-'))
for (const name of ['biome.json', '.gitignore']) cpSync(join(root, name), join(place, name))
afterAll(() => rmSync(place, { recursive: true }))

/** What the lint says of a file with this line in a folder of `room`. */
function lint(room: string, line: string): string {
  mkdirSync(join(place, room, 'probe'), { recursive: true })
  const file = join(place, room, 'probe/probe.ts')
  writeFileSync(file, `${line}\n`)
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', file], { cwd: place })
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
