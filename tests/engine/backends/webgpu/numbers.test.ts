import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { LONG } from '../../../long.ts'
import { softwareDriver } from '../../../webgpu/driver.ts'
import { noCard } from './cards.ts'

const driver = softwareDriver()
const why = noCard || (driver ? '' : 'skipped: no browser here brings a software adapter')

// in a process of its own, since the driver is found by its environment; `npm run webgpu` has all checks
const CHECKS = ['operations', 'masks', ...(LONG ? ['optimizers'] : [])]

it.skipIf(why)(`operations, masks of dropout and optimizers have the right numbers ${why}`, async () => {
  const run = join(import.meta.dirname, '../../../webgpu/run.ts')
  const env = { ...process.env, ...driver }
  const { stdout } = await promisify(execFile)(process.execPath, [run, ...CHECKS], {
    env,
  }).catch((error: { stdout: string }) => error)
  expect(stdout).toContain(`${CHECKS.length} checks hold, 0 do not`)
})
