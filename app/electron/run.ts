import { spawn } from 'node:child_process'

/**
 * Runs Electron until it ends, or `signal` ends it. Returns null then, or why it could not run; a crash counts as that,
 * for mostly it is a sandbox that the system does not allow.
 */
export function runElectron(binary: string, args: string[], signal: AbortSignal): Promise<string | null> {
  const child = spawn(binary, args, { stdio: 'inherit' })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop)
  return new Promise<string | null>((done) => {
    child.on('error', (error) => done(`Electron cannot be started (${error.message})`))
    child.on('exit', (code, ended) => {
      if (code === 127) done('Electron lacks a system library')
      else done(ended && !signal.aborted ? `Electron ended with ${ended}` : null)
    })
  }).finally(() => signal.removeEventListener('abort', stop))
}
