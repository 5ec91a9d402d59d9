// For a thread of a process of cells: ends the process when its parent has gone, for a cell that never stops would go on for good.
import { Socket } from 'node:net'

const end = () => process.kill(process.pid, 'SIGKILL')
// stdin is a pipe to the parent, in which nothing ever comes
new Socket({ fd: 0 }).on('error', end).on('close', end).resume()
