import { describe, expect, it } from 'vitest'
import { runElectron } from '../../../app/electron/run.ts'

const never = new AbortController().signal

/** Runs a program in place of Electron. */
function run(program: string, signal = never) {
  return runElectron(process.execPath, ['-e', program], signal)
}

describe('runElectron', () => {
  it('has nothing to say when the window was closed', async () => {
    expect(await run('')).toBeNull()
    expect(await run('process.exit(1)')).toBeNull()
  })

  it('says why Electron did not run', async () => {
    expect(await run('process.exit(127)')).toBe('Electron lacks a system library')
    expect(await runElectron('/no/such/electron', [], never)).toMatch(/^Electron cannot be started \(.*ENOENT/)
  })

  it.runIf(process.platform !== 'win32')('takes a crash for a reason', async () => {
    expect(await run("process.kill(process.pid, 'SIGKILL')")).toBe('Electron ended with SIGKILL')
  })

  it('ends Electron when it is interrupted', async () => {
    const controller = new AbortController()
    const ending = run('setInterval(() => {}, 1000)', controller.signal)
    controller.abort()
    expect(await ending).toBeNull()
  })
})
