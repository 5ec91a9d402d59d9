// The command of the inner loop, `npm run quick [commit]`: types, lint and the nearest tests of what has changed since.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { testsOf } from './changed.ts'
import { readImports } from './imports.ts'
import { check, conclude, ROOMS, root, test, timed } from './stages.ts'

/** So many files of tests are done within a minute, with types and lint, on two cores. */
const MOST = 60
/** These read the sources as text. */
const READERS = ['tests/rooms.test.ts', 'tests/documents.test.ts']

const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').slice(0, -1)
const changed = [
  ...git('diff', '--name-only', '--no-renames', process.argv[2] ?? 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard'),
]
// all rooms see engine, tests see all rooms, and nothing else sees another room
const own = new Set(['tests', ...changed.map((file) => file.split('/')[0])])
const rooms = ROOMS.filter((room) => own.has('engine') || own.has(room))
const reached = testsOf(changed, readImports(root, ROOMS)).filter((file) => existsSync(join(root, file)))
const nearest = [...new Set([...READERS, ...reached.slice(0, MOST)])]

console.log(`${changed.length} files have changed, ${reached.length} files of tests run something of them`)
if (reached.length > MOST) console.log(`the ${MOST} nearest are run; npm test runs all`)
const checks = await timed('types and lint', () => check(rooms))
const unit = await timed('the nearest tests', () => test(['unit*'], nearest))
conclude([checks, unit])
