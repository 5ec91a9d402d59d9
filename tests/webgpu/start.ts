// `npm run webgpu`: numbers on the graphics card, or on a software adapter with `--software`. Names choose some checks.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { softwareDriver } from './driver.ts'

const words = process.argv.slice(2)
const isSoftware = words.includes('--software')
const driver = isSoftware ? softwareDriver() : {}
if (!driver) {
  console.error('no browser here brings a software adapter for Vulkan (vk_swiftshader_icd.json)')
  process.exit(1)
}
const run = join(import.meta.dirname, 'run.ts')
const child = spawn(process.execPath, [run, ...words.filter((word) => word !== '--software')], {
  stdio: 'inherit',
  env: { ...process.env, ...driver },
})
child.on('exit', (code) => process.exit(code ?? 1))
