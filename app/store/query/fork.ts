import { fork } from 'node:child_process'
import type { QueryReply, StartQuery } from './answer.ts'

/** A query in a Node process. */
export const forkQuery: StartQuery = (request, end) => {
  const child = fork(new URL('./process.ts', import.meta.url), { execArgv: [], stdio: 'ignore' })
  let reply: QueryReply | null = null
  child.on('message', (message) => {
    reply = message as QueryReply
  })
  child.once('error', () => end(null))
  child.once('exit', () => end(reply))
  child.send(request, () => {}) // a process that has died is noticed by its exit
  return () => void child.kill('SIGKILL')
}
