import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** A server of a queue, which is ours alone. */
export interface QueueServer {
  address: string
  redis: Redis
  /** Ends it as a power cut would; `start` begins it again on what it had written. */
  kill(): Promise<void>
  /** Lets it answer nothing any more, until it is killed. */
  halt(): void
  start(): Promise<void>
  close(): Promise<void>
}

/** The program that serves queues here: Redis or Valkey; null where none is installed. */
export const SERVER = ['redis-server', 'valkey-server'].find((name) => {
  try {
    execFileSync(name, ['--version'])
    return true
  } catch {
    return false
  }
})

/** Said once by who skips its tests. */
export function skipLine(): boolean {
  if (SERVER === undefined) console.log('tests of the queue are skipped: no redis-server or valkey-server is installed')
  return SERVER === undefined
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

/** Starts a server on a free port, whose data are in a fresh folder. */
export async function startServer(): Promise<QueueServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-redis-'))
  let child: ChildProcess | null = null
  const redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null, retryStrategy: () => 100 })
  redis.on('error', () => {}) // it is away for a while
  const start = async () => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
    child = spawn(SERVER ?? '', [...options, '--appendonly', 'yes', '--appendfsync', 'everysec'], { stdio: 'ignore' })
    await redis.ping()
  }
  const kill = async () => {
    const ended = new Promise((end) => child?.once('exit', end))
    child?.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    address: `redis://127.0.0.1:${port}`,
    ...{ redis, kill, start, halt: () => void child?.kill('SIGSTOP') },
    async close() {
      redis.disconnect()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
